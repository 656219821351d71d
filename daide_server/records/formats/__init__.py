"""The formats that records are written in and read from, by name."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from daide_server.board.variant import Variant
from daide_server.records.record import GameRecord

from . import dipcc, dipcc_literal, diplomacy


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
    "diplomacy": diplomacy,
}
DEFAULT: Final = "dipcc"
