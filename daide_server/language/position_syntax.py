"""SCO, NOW and MIS: owners, units and retreats as tokens, written and read.

Message Syntax, "SCO", "NOW" and "MIS". Units that must retreat have their locations
after MRT.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, assert_never

from daide_server.board.names import Location, Power, Unit
from daide_server.board.position import Position

from .brackets import bracketed, joined
from .messages import (
    CurrentPosition,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    Ownership,
)
from .order_syntax import OrderReader, OrderWriter
from .tokens import (
    BRA,
    KET,
    MIS,
    MRT,
    NOW,
    SCO,
    UNO,
    Token,
    Tokens,
    is_number,
    number,
    value_of,
)
from .turn_tokens import read_turn, turn_tokens
from .vocabulary import Vocabulary

Missing = MissingUnits | MissingRetreats | MissingAdjustments
"""MIS has one form for each phase."""
MISSING: Final[tuple[type[Missing], ...]] = (
    MissingUnits,
    MissingRetreats,
    MissingAdjustments,
)


# SCO


def read_ownership(reader: OrderReader, groups: list[Tokens]) -> Ownership:
    """Return the message of the groups of SCO."""
    owners = {
        reader.vocabulary.province(centre): reader.vocabulary.power(owner)
        for owner, *centres in groups
        if owner != UNO
        for centre in centres
    }
    return Ownership(owners)


def write_ownership(writer: OrderWriter, message: Ownership) -> Tokens:
    """Return SCO: a group for each owner, neutral centres last."""
    vocabulary, owner_of = writer.vocabulary, message.owners.get
    owned: defaultdict[Power | None, list[Token]] = defaultdict(list)
    for power in (*vocabulary.powers.values(), None):
        owned[power] = []
    for centre, token in vocabulary.centre_tokens.items():
        owned[owner_of(centre)].append(token)
    tokens = [SCO]
    for owner, centres in owned.items():
        if centres:
            tokens += (BRA, _owner_token(vocabulary, owner), *centres, KET)
    return tuple(tokens)


def _owner_token(vocabulary: Vocabulary, owner: Power | None) -> Token:
    return UNO if owner is None else vocabulary.power_token(owner)


# NOW, and the units of NOW and MIS


def read_position(reader: OrderReader, groups: list[Tokens]) -> CurrentPosition:
    """Return the message of the turn and the units of NOW."""
    turn, *units = groups
    in_place = [reader.unit(unit) for unit in units if MRT not in unit]
    position = Position(
        turn=read_turn(turn),
        units=tuple(in_place),
        owners={},
        dislodged=_read_retreats(reader, units),
    )
    return CurrentPosition(position)


def write_position(writer: OrderWriter, message: CurrentPosition) -> Tokens:
    """Return NOW."""
    position = message.position
    turn = bracketed(turn_tokens(position.turn))
    units = writer.units(position.units)
    if not position.dislodged:
        return NOW, *turn, *units
    return NOW, *turn, *units, *_write_retreats(writer, position.dislodged)


def _read_retreats(
    reader: OrderReader, units: list[Tokens]
) -> Mapping[Unit, tuple[Location, ...]]:
    """Return the dislodged units among *units*, and where they may retreat to."""
    found = {}
    for tokens in units:
        if MRT in tokens:
            place = tokens.index(MRT)
            unit = reader.unit(tokens[:place])
            found[unit] = reader.locations(tokens[place + 2 : -1])
    return found


def _write_retreats(
    writer: OrderWriter, retreats: Mapping[Unit, tuple[Location, ...]]
) -> Tokens:
    return joined([_write_retreat(writer, unit, to) for unit, to in retreats.items()])


def _write_retreat(
    writer: OrderWriter, unit: Unit, places: tuple[Location, ...]
) -> Tokens:
    options = joined([writer.location(place) for place in places])
    return bracketed((*writer.unit_within(unit), MRT, *bracketed(options)))


def read_missing(reader: OrderReader, groups: list[Tokens]) -> Missing:
    """Return the message of the units or the number of MIS."""
    if groups and is_number(groups[0][0]):
        return MissingAdjustments(value_of(groups[0][0]))
    retreats = _read_retreats(reader, groups)
    return (
        MissingRetreats(retreats)
        if retreats
        else MissingUnits(tuple(map(reader.unit, groups)))
    )


def write_missing(writer: OrderWriter, message: Missing) -> Tokens:
    """Return MIS."""
    match message:
        case MissingUnits(units):
            return MIS, *writer.units(units)
        case MissingRetreats(retreats):
            return MIS, *_write_retreats(writer, retreats)
        case MissingAdjustments(due):
            return MIS, *bracketed((number(due),))
        case _:
            assert_never(message)
