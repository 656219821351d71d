"""The formats that records are written in and read from, by name."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from daide_server.board.variant import Variant
from daide_server.records.record import GameRecord

from . import dipcc, dipcc_literal, diplobn, diplomacy, transcript
from .errors import FormatError


class Format(Protocol):
    """A module that writes records as text, and reads them."""

    @property
    def write(self) -> Callable[[GameRecord], str]:
        """Return the record as text; `FormatError` if the format cannot hold it."""

    @property
    def read(
        self,
    ) -> Callable[[str | bytes, Callable[[str], Variant]], GameRecord]:
        """Return the record that the text holds; `FormatError` if it is none."""


FORMATS: Final[Mapping[str, Format]] = {
    "dipcc": dipcc,
    "dipcc-literal": dipcc_literal,
    "diplobn": diplobn,
    "diplomacy": diplomacy,
    "transcript": transcript,
}
DEFAULT: Final = "dipcc"


class _Shape(Struct):
    """The keys that tell the formats of games in JSON from each other."""

    phases: Raw | UnsetType = UNSET
    game_phases: Raw | UnsetType = msgspec.field(name="GamePhases", default=UNSET)


def recognise(content: bytes) -> str:
    """Return the name of the format that reads *content*.

    dipcc's and the `diplomacy` package's files are read alike, as dipcc's. Raises
    `FormatError` if *content* is none of ours.
    """
    if content.startswith(b"# daide transcript"):
        return "transcript"
    try:
        shape = msgspec.json.decode(content, type=_Shape)
    except msgspec.DecodeError as error:
        message = f"found no JSON object, expected a record of a game: {error}"
        raise FormatError(message) from None
    except RecursionError:
        message = "found JSON that is nested too deeply, expected a record of a game"
        raise FormatError(message) from None
    if shape.phases is not UNSET:
        return DEFAULT
    if shape.game_phases is not UNSET:
        return "diplobn"
    message = "found neither phases nor GamePhases, expected a record of a game"
    raise FormatError(message)
