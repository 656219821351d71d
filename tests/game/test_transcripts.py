"""Whole conversations, each a file that a bot author can read.

    # a comment                     options: level=10 mtl=300     (before all else)
    board: NOW (...)                board: SCO (...)     (then, if not as usual)
    FRA> SUB ((FRA AMY PAR) HLD)    FRA says this
    FRA< THX (...) (MBV)            and is answered this
    all< CCD (ENG)                  everybody is sent this
    ENG! leaves                     the connection of ENG is lost
    x! comes by the port of FRA     x connects to the port of that seat
    +600s                           so much time goes by
    ...                             whatever else was said does not matter
    saves NAME                      the game is saved
    loads NAME                      it was saved so, and is played again from its
                                    journal, on new connections
    recovers                        the server is killed, and another plays it again
    back AUS ENG                    these return by IAM
    closed TUR                      the server has closed these connections so far

They are in `tests/transcripts`, and played by a `Script`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.daide.messages import CurrentPosition, Ownership
from daide_server.daide.translation import ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.events import Stage
from tests.support.scripts import PASSCODES, Script

TRANSCRIPTS = sorted(Path(__file__).parents[1].joinpath("transcripts").glob("*.txt"))


BY_PORT = "comes by the port of "
LINE = re.compile(r"(?P<client>\w+)(?P<mark>[<>!])\s*(?P<text>.*)")


def play(path: Path, variant: Variant) -> None:
    """Play a transcript; `AssertionError` names the line that does not hold."""
    lines = list(_lines(path))
    words = [word for text in _headers(lines, "options:") for word in text.split()]
    board = _headers(lines, "board:")
    script = Script(_with_board(variant, board) if board else variant, *words)
    for number, line in lines:
        try:
            _play_line(script, line)
        except AssertionError as error:
            raise AssertionError(f"{path.name}:{number}: {line}\n{error}") from error
    script.is_silent()
    assert lines, f"{path.name} says nothing"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _headers(lines: list[tuple[int, str]], start: str) -> list[str]:
    """Take the lines that begin with *start* off the beginning."""
    found = []
    while lines and lines[0][1].startswith(start):
        found.append(lines.pop(0)[1].removeprefix(start).strip())
    return found


def _with_board(variant: Variant, said: list[str]) -> Variant:
    """Return *variant* with the start that a NOW and an SCO tell."""
    vocabulary = Vocabulary.of(variant.map)
    reader = ServerReader(vocabulary, variant.map)
    start = variant.start
    for text in said:
        match reader.read(from_text(text, vocabulary)):
            case CurrentPosition(position=position):
                start = replace(position, owners=start.owners)
            case Ownership(owners=owners):
                start = replace(start, owners=owners)
            case _:
                pytest.fail(f"not a NOW or an SCO: {text}")
    return evolve(variant, start=start)


def _play_line(script: Script, line: str) -> None:
    word, _, rest = line.partition(" ")
    if line.startswith("+"):
        script.is_silent()
        script.waits(float(line[1:].removesuffix("s")))
    elif word in ACTIONS:
        if word in AFTER_ALL_IS_SAID:
            script.is_silent()
        ACTIONS[word](script, rest)
    else:
        found = LINE.fullmatch(line)
        assert found is not None, "not a line of a transcript"
        _exchange(script, found["client"], found["mark"], found["text"])


def _is_in(script: Script, stage: str) -> None:
    assert script.game.state.stage is Stage[stage.upper()]


def _come_back(script: Script, powers: str) -> None:
    for power in powers.split():
        claim = f"IAM ({power}) ({PASSCODES[power]})"
        script.hears(power, claim)
        script.says(power, f"YES ({claim})")


def _are_closed(script: Script, clients: str) -> None:
    assert script.closed == set(clients.split())


ACTIONS: Mapping[str, Callable[[Script, str], None]] = {
    "...": lambda script, _: script.forgets(),
    "stage": _is_in,
    "saves": Script.saves,
    "loads": Script.loads,
    "recovers": lambda script, _: script.recovers(),
    "back": _come_back,
    "closed": _are_closed,
    "hold": lambda script, powers: script.holds(*powers.split()),
}
AFTER_ALL_IS_SAID = {"loads", "recovers", "hold"}


def _exchange(script: Script, client: str, mark: str, text: str) -> None:
    match mark:
        case ">":
            script.is_silent()
            script.hears(client, text)
        case "!" if text.startswith(BY_PORT):
            script.is_silent()
            script.comes_by_port(client, text.removeprefix(BY_PORT))
        case "!":
            script.is_silent()
            script.loses(client)
        case "<" if client == "all":
            for name in script.audience:
                script.says(name, text)
        case _:
            script.says(client, text)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, standard: Variant) -> None:
    play(path, standard)
