"""Lines that a person types, with prompt_toolkit and without it."""

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from io import StringIO
from typing import Any

import pytest

from daide_server.cli.talk import typed_lines
from tests.support.needed import need_package

WORDS = ("NOW", "OBS", "ORD")


@pytest.fixture
def without_prompt_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the import of prompt_toolkit fail."""
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)


@pytest.mark.usefixtures("without_prompt_toolkit")
def test_without_the_extra_lines_are_read_by_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("OBS\n\nNOW\n"))

    assert list(typed_lines(WORDS)) == ["OBS", "", "NOW"]
    assert capsys.readouterr().out.startswith("> > > ")


@pytest.mark.usefixtures("without_prompt_toolkit")
def test_without_the_extra_tab_completes_words(monkeypatch: pytest.MonkeyPatch) -> None:
    readline = need_package("readline")
    monkeypatch.setattr(sys, "stdin", StringIO(""))

    assert list(typed_lines(WORDS)) == []

    complete = readline.get_completer()
    assert [complete("o", number) for number in range(3)] == ["OBS", "ORD", None]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [("OBS\r\rNOW\r\x04", ["OBS", "", "NOW"]), ("OBX\x7fS\r\x04", ["OBS"])],
    ids=["typed", "corrected"],
)
def test_with_the_extra_lines_are_edited(keys: str, expected: list[str]) -> None:
    need_package("prompt_toolkit")
    sessions: Any = import_module("prompt_toolkit.application")
    inputs: Any = import_module("prompt_toolkit.input")
    outputs: Any = import_module("prompt_toolkit.output")

    def type_lines() -> list[str]:
        with (
            inputs.create_pipe_input() as typed,
            sessions.create_app_session(input=typed, output=outputs.DummyOutput()),
        ):
            typed.send_text(keys)
            return list(typed_lines(WORDS))

    # Tests with a browser leave an event loop in the main thread.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(type_lines).result() == expected
