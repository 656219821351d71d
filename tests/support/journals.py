"""The first line of journals of games."""

from daide_server.board.map import Variant
from daide_server.library.journal_file import GameHeader

from .scripts import PASSCODES


def header_of(variant: Variant, number: int = 1) -> GameHeader:
    """Return the first line of the journal of a game without options."""
    return GameHeader(
        number=number,
        record=f"run-{number:04}",
        opened=0.0,
        metadata={},
        board=variant.name,
        board_digest="",
        options={},
        seats=variant.map.powers,
        passcodes={power: PASSCODES[power] for power in variant.map.powers},
    )
