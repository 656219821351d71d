"""Positions of scenes, written as `FRA A PAR` and `FRA PAR BRE`."""

from collections.abc import Iterable, Mapping

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import COMMON
from daide_server.board.notation_reader import Reader
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant


def position(
    variant: Variant,
    turn: tuple[str, int],
    units: Iterable[str],
    owned: Mapping[str, str] = {},
) -> Position:
    """Return a position with *units*; those in *owned* have the centres, others none.

    Centres that nobody is given stay with their first owner.
    """
    board, season = variant.map, Season(turn[0])
    owners = dict(variant.start.owners)
    for power, centres in owned.items():
        owners |= {Province(each): Power(power) for each in centres.split()}
    placed = [_unit(variant, each) for each in units]
    return Position(
        Turn(season, turn[1]),
        tuple(sorted(placed, key=board.sort_key)),
        {at: owners[at] for at in board.provinces if at in owners},
    )


def dislodged(
    variant: Variant, before: Position, retreats: Mapping[str, str]
) -> Position:
    """Return *before* with dislodged units, and where each may go."""
    found = {
        _unit(variant, unit): tuple(_location(variant, at) for at in places.split())
        for unit, places in retreats.items()
    }
    in_order = sorted(found, key=variant.map.sort_key)
    return Position(
        before.turn,
        before.units,
        before.owners,
        {each: found[each] for each in in_order},
    )


def _reader(variant: Variant) -> Reader:
    return Reader(COMMON, variant.map, {}, Phase.MOVEMENT)


def _unit(variant: Variant, text: str) -> Unit:
    power, _, unit = text.partition(" ")
    return _reader(variant).unit(unit, Power(power))


def _location(variant: Variant, text: str) -> Location:
    return _reader(variant).location(text)
