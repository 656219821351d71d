"""The tallies of the players in a turn, under the key `daide` of a phase."""

from collections.abc import Mapping

from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.formats.errors import FormatError
from daide_server.records.entries import PlayerTally, RefusedOrder

from .map_names import Names
from .shapes import RefusedOrderShape, TallyShape

_Tallies = Mapping[Power, PlayerTally] | None


def tally_shapes(names: Names, tallies: _Tallies) -> dict[str, TallyShape] | None:
    """Return *tallies* as JSON structs; `None` if there are none."""
    if tallies is None:
        return None
    return {names.powers[power]: _shape(names, each) for power, each in tallies.items()}


def tallies_in(names: Names, shapes: Mapping[str, TallyShape] | None) -> _Tallies:
    """Return *shapes* as tallies; raise `FormatError` for unknown powers or notes."""
    if shapes is None:
        return None
    return {names.power(text): _tally(names, each) for text, each in shapes.items()}


def note_named(text: str, where: str) -> OrderNote:
    """Return the note called *text*; raises `FormatError`, which says *where*."""
    try:
        return OrderNote(text)
    except ValueError:
        expected = ", ".join(each.value for each in OrderNote)
        message = f"{where}: found {text!r}, expected one of {expected}"
        raise FormatError(message) from None


def _shape(names: Names, tally: PlayerTally) -> TallyShape:
    median, longest = tally.think_median, tally.think_longest
    return TallyShape(
        refused=tally.refused,
        huh=tally.syntax_errors,
        last_huh=tally.last_syntax_error,
        late=tally.late,
        silent=tally.silent,
        think=None if median is None or longest is None else (median, longest),
        orders=[
            RefusedOrderShape(_place(names, each.province), each.text, each.note.value)
            for each in tally.refused_orders
        ],
    )


def _place(names: Names, province: Province | None) -> str:
    return "" if province is None else names.provinces.get(province, "")


def _tally(names: Names, shape: TallyShape) -> PlayerTally:
    median, longest = shape.think or (None, None)
    return PlayerTally(
        refused_orders=tuple(_refused(names, each) for each in shape.orders),
        refused=shape.refused,
        syntax_errors=shape.huh,
        last_syntax_error=shape.last_huh,
        late=shape.late,
        silent=shape.silent,
        think_median=median,
        think_longest=longest,
    )


def _refused(names: Names, shape: RefusedOrderShape) -> RefusedOrder:
    spelled = names.notation.spelled
    province = spelled.get(shape.at, Province(shape.at)) if shape.at else None
    return RefusedOrder(
        province, shape.order, note_named(shape.note, "daide.players.orders")
    )
