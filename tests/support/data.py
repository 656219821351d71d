"""The facts from outside that tests compare with; `tests/data/README.md` names them."""

import csv
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from daide_server.daide.tokens import Token
from daide_server.daide.translation import ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.library.variants import load_variant
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.record import GameRecord

T = TypeVar("T")
Said = str | list["Said"]

_DATA = Path(__file__).parents[1] / "data"
_GAMES = _DATA / "games"

GAMES = sorted(path.stem for path in _GAMES.glob("*.json.xz"))
"""Names of recorded games of other programs, for `game`."""


def game(name: str) -> bytes:
    """Return the JSON of a recorded game."""
    return lzma.decompress((_GAMES / f"{name}.xz").read_bytes())


@cache
def record_of_game(name: str) -> GameRecord:
    """Return the record that a recorded game is read as."""
    return DIPCC.read(game(name), load_variant)


@cache
def original_boards() -> dict[str, Any]:
    """Return AiServer's boards by name.

    Each has its messages `mdf`, `now` and `sco` as lists within lists, with words as
    they were spelled, and `tokens`: the name of each number, which is hexadecimal.
    """
    text = lzma.decompress((_DATA / "aiserver" / "boards.json.xz").read_bytes())
    boards: dict[str, Any] = json.loads(text)
    return boards


@cache
def original_words(name: str) -> Vocabulary:
    """Return the vocabulary of one of AiServer's boards, its names in capitals."""
    tokens = original_boards()[name]["tokens"]
    return Vocabulary.from_representation(
        [(Token(int(code, 16)), called.upper()) for code, called in tokens.items()]
    )


def original_message(name: str, kind: str, expected: type[T]) -> T:
    """Return the message `mdf`, `now` or `sco` of one of AiServer's boards."""
    words = original_words(name)
    said = " ".join(map(_text, original_boards()[name][kind])).upper()
    message = ServerReader(words).read(from_text(said, words))
    assert isinstance(message, expected)
    return message


def _text(said: Said) -> str:
    """Return part of a message as files have it: brackets need no space around them."""
    if isinstance(said, str):
        return said
    return "({})".format(" ".join(map(_text, said)).replace(" (", "("))


def original_grammar() -> str:
    """Return AiServer's productions: in each line group, level, and what is said."""
    return (_DATA / "aiserver" / "grammar.txt").read_text(encoding="ascii")


def table(name: str) -> list[list[str]]:
    """Return the rows of a table of DAIDE's documents, without its heading."""
    with (_DATA / "daide" / f"{name}.csv").open(encoding="ascii", newline="") as file:
        return list(csv.reader(file))[1:]
