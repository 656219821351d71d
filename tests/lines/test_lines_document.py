"""What docs/lines.md says is so."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from daide_server.bots.lines.line_session import LineSession
from daide_server.bots.lines.line_types import write_line
from daide_server.daide.vocabulary import from_text, to_text
from tests.lines.conftest import Begin, Played
from tools.write_lines import DOCUMENT, SCHEMA, document, schema_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "lines" / "ten_lines.py"
CONVERSATIONS = re.findall(r"(?s)```text\n(.*?)```", DOCUMENT.read_text("utf-8"))
MORE = "..."


def test_schema_is_that_of_the_structs() -> None:
    """`make protocol` writes it."""
    assert SCHEMA.read_text("utf-8") == schema_text()


def test_tables_are_those_of_the_structs() -> None:
    text = DOCUMENT.read_text("utf-8")

    assert document(text) == text


def test_bot_of_ten_lines_is_the_example() -> None:
    """But for its docstring and a remark for our linter."""
    (shown,) = re.findall(r"(?s)```python\n(.*?)```", DOCUMENT.read_text("utf-8"))

    assert EXAMPLE.read_text("utf-8").endswith(shown)
    assert sum(map(bool, shown.splitlines())) == 10


def readable(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON of the page; `...` is a field of that name."""
    text = re.sub(r"([,{]) ?\.\.\.\}", r'\1 "...": 0}', text)
    text = re.sub(r"([,[]) ?\.\.\.\]", r'\1 "..."]', text)
    return json.loads(text)


def fits(shown: Any, heard: Any) -> bool:  # noqa: ANN401 - any JSON
    """Return whether *heard* is what is *shown*, with more where it says `...`."""
    if isinstance(shown, list) and MORE in shown:
        return all(each in heard for each in shown if each != MORE)
    if not isinstance(shown, dict) or not isinstance(heard, dict):
        return bool(shown == heard)
    keys = shown.keys() - {MORE}
    same = MORE in shown or keys == heard.keys()
    return same and all(fits(shown[key], heard.get(key)) for key in keys)


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_conversations_are_as_shown(begin: Begin, conversation: str) -> None:
    options, *_ = [*re.findall(r"game: (.*)\n", conversation), "(LVL 0)"]
    wants, *_ = [*re.findall(r"wants: (.*)\n", conversation), "results"]
    wishes = {"wants": wants.split(), "name": "MyBot", "version": "1.0"}
    played = begin(options, ready=wishes, seed=7, fill_seconds=None)
    hello = json.loads(write_line(LineSession.hello()))
    heard = [hello, *played.to_bot] if '"hello"' in conversation else []
    if '"start"' in conversation and not heard:
        heard = [*played.to_bot]
    for line in conversation.splitlines():
        converse(played, heard, line)
    assert heard == []
    assert played.to_server == []


def converse(played: Played, heard: list[Any], line: str) -> None:
    """Play one line of the page."""
    kind, _, text = line.partition(" ")
    if kind == "->":
        assert fits(readable(text), heard.pop(0)), text
    elif kind == "<-":
        if '"ready"' not in text:
            heard += played.bot_sends(text.encode())
    elif line.startswith("server says: "):
        heard += played.server_says(line.removeprefix("server says: "))
    elif line.startswith("server hears: "):
        words = played.words
        shown = from_text(line.removeprefix("server hears: "), words)
        assert played.to_server.pop(0) == to_text(shown, words)
    elif line == "the connection is lost":
        session, facts = played.session, played.facts
        played.to_bot.clear()
        played.take(session.returned(facts, played.words, played.now))
        heard += played.to_bot
    else:
        assert line.startswith(("game: ", "wants: "))
