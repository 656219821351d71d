"""Reads DiploBN's JSON as a game record.

The file has units and owners before each season, but no positions of retreat phases:
these are computed by adjudicating the orders.
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec
from attrs import evolve
from msgspec import UNSET, Struct
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Turn, Variant, VariantError
from daide_server.board.names import Unit
from daide_server.board.orders import Order, Waive
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DIPCC_RULES, EDITIONS, IllegalOrders
from daide_server.records.consequences import Consequence, reports_of
from daide_server.records.formats.errors import FormatError, decoded, within
from daide_server.records.formats.format import FindVariant
from daide_server.records.record import GameRecord, PlayedTurn

from . import heading, order_lines, schema

_DECODER = msgspec.json.Decoder(schema.DiplobnGame)


def read(text: str | bytes, variants: FindVariant) -> GameRecord:
    """Return the record that the file *text* holds.

    Raises `FormatError` if the file is no record that can be read.
    """
    try:
        game = decoded(text, _DECODER)
        note = heading.note_in(game)
        variant = variants(note.variant)
    except VariantError as error:
        raise FormatError(f"Note: {error}") from None
    return _record(game, note, variant)


def _record(
    game: schema.DiplobnGame, note: heading.Note, variant: Variant
) -> GameRecord:
    # Of several seasons with one number the last one counts.
    by_number = {season.Phase: season for season in game.GamePhases}
    seasons = [by_number[number] for number in sorted(by_number)]
    if not seasons:
        raise FormatError("GamePhases: found none, expected one at least")
    names = schema.board_names(variant.map)
    turns, last = _SeasonReader(variant, note.edition).turns(seasons)
    ending = heading.ending_in(game, seasons[-1])
    return GameRecord(
        id=game.GameLabel or "",
        variant=variant,
        edition=note.edition,
        level=note.level,
        started=heading.started(game),
        sittings=tuple(heading.sittings(game, names)),
        turns=turns,
        votes=tuple(heading.votes_in(seasons, names)),
        ending=ending,
        winners=heading.winners_in(game, seasons[-1], names, last),
        last=last,
        ended=heading.ended(game) if ending else None,
        metadata=heading.metadata(game, note, ending),
        foreign=note.foreign,
    )


class _ReadLines(Struct, frozen=True):
    """The lines of a turn, and further data of the file about them."""

    orders: schema.OrdersByCountry
    dislodged: Collection[str] = ()
    via: Collection[str] = ()


def _season_lines(season: schema.DiplobnSeason) -> tuple[_ReadLines, _ReadLines]:
    """Return the lines of the turn that *season* begins with, and of its retreats."""
    dislodged, own = season.DislodgedUnits or (), season.extension
    orders, retreats = season.Orders or {}, season.RetreatOrders or {}
    if season.RetreatOrders is UNSET:
        orders = _merged(orders, own.disorder)
    else:
        retreats = _merged(retreats, own.disorder)
    return _ReadLines(orders, dislodged, own.via), _ReadLines(retreats)


def _merged(
    one: schema.OrdersByCountry, other: schema.OrdersByCountry
) -> schema.OrdersByCountry:
    """Return the lines of *one*, and then those of *other*, by country."""
    return {
        country: [*one.get(country, ()), *other.get(country, ())]
        for country in {**one, **other}
    }


class _SeasonReader:
    """Reads the seasons of a file as turns, by adjudicating them."""

    def __init__(self, variant: Variant, edition: str) -> None:
        self._variant = variant
        self._names = schema.board_names(variant.map)
        rules = EDITIONS.get(edition, DIPCC_RULES)
        self._rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
        self._turns: list[PlayedTurn] = []

    def turns(
        self, seasons: Sequence[schema.DiplobnSeason]
    ) -> tuple[tuple[PlayedTurn, ...], Position]:
        """Return the turns that were played, and the position after them."""
        after: Position = self._variant.start
        for season in seasons:
            turn = schema.turn_of(season.Phase)
            with within(season.Phase):
                after = self._position(season, turn, after)
                is_unplayed = (
                    season.Status != schema.COMPLETED_STATUS and not season.Orders
                )
                if season is not seasons[-1] or not is_unplayed:
                    after = self._after(season, after)
        return tuple(self._turns), after

    def _position(
        self, season: schema.DiplobnSeason, turn: Turn, after: Position
    ) -> Position:
        """Return the position before *season*; missing parts are from *after*."""
        if season.Units is UNSET or season.SupplyCenters is UNSET:
            return replace(after, turn=turn)
        units = order_lines.units_in(self._names, season.Units)
        owners = order_lines.owners_in(self._names, season.SupplyCenters)
        return Position(turn=turn, units=units, owners=owners)

    def _after(self, season: schema.DiplobnSeason, position: Position) -> Position:
        """Play the turns of *season*, and return the position after them."""
        lines, retreats = _season_lines(season)
        after = self._turn(position, lines)
        if season.RetreatOrders is not UNSET or after.turn.phase is Phase.RETREATS:
            after = order_lines.with_recorded_retreats(
                season, position, after, self._names
            )
        if season.RetreatOrders is UNSET:
            return after
        if after.turn.phase is not Phase.RETREATS:
            raise FormatError("RetreatOrders found, but nobody was dislodged")
        return self._turn(after, retreats)

    def _turn(self, position: Position, lines: _ReadLines) -> Position:
        """Play a turn, and return the position after it."""
        reader = order_lines.DiplobnOrderReader(self._names, position, lines.via)
        given = list(reader.orders(lines.orders))
        consequences = self._consequences(given, lines.dislodged)
        reports = reports_of(
            position, [order for order, _ in given], tuple(consequences.items())
        )
        orders = tuple(
            order
            for order, result in given
            if order_lines.NOT_ORDERED not in order_lines.marks_in(result)
        )
        self._turns.append(PlayedTurn(position, orders, reports, None))
        return adjudicate(self._variant, position, orders, self._rules).next

    def _consequences(
        self, given: Sequence[tuple[Order, object]], dislodged: Collection[str]
    ) -> Mapping[Unit, list[Consequence]]:
        found: dict[Unit, list[Consequence]] = {}
        for order, result in given:
            if result is not None and not isinstance(order, Waive):
                own = found[order.unit] = order_lines.consequences_in(order, result)
                at = self._names.provinces[order.unit.province]
                if at in dislodged and Consequence.DISLODGED not in own:
                    own.append(Consequence.DISLODGED)
        return found
