"""The view of a game: its turns, players, press, centres by year, scores.

What may be shown is decided before, by `records.secrecy.visible`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, evolve, field
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import names_of
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders, Rules
from daide_server.pictures.palette import letters
from daide_server.promises.study import promises
from daide_server.records.entries import Ending
from daide_server.records.record import (
    GameRecord,
    PlayedTurn,
    UnitNumbers,
    first_numbers,
    game_name,
    next_numbers,
)
from daide_server.records.turn_results import eliminations, game_result, places
from daide_server.scoring.systems import SYSTEMS, ScoringError, points, score

from .game_report import positions_by_year
from .headlines import Headline, game_headline, headlines
from .turn_views import (
    ORDER_VIEW_KINDS,
    TurnAndAfter,
    TurnViewer,
    press_views,
    promise_views,
    turn_id,
)
from .views import (
    ChoicesView,
    GameSummary,
    GameView,
    PlaceView,
    PowerView,
    ScoreView,
    SeatSummary,
    TurnView,
    YearView,
)
from .words import turn_title

NO_PRESS: Final = "This game has no press."


@define
class GameViewer:
    """Makes the views of one game, turn by turn as they are played."""

    variant: Variant
    edition: str
    _numbers: UnitNumbers | None = None
    _viewer: TurnViewer = field(init=False)
    _rules: Rules = field(init=False)

    def __attrs_post_init__(self) -> None:
        powers = self.variant.map.powers
        titles = {power: self.variant.titles.get(power, power) for power in powers}
        self._viewer = TurnViewer(names_of(self.variant.map), titles)
        rules = EDITIONS.get(self.edition, DAIDE_RULES)
        self._rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)

    def add(self, turn: PlayedTurn, after: Position) -> TurnView:
        """Return the view of the next *turn*, after which *after* is the position."""
        numbers = self._numbers_at(turn.position)
        resolution = adjudicate(self.variant, turn.position, turn.orders, self._rules)
        reports = turn.reports or resolution.reports
        self._numbers = next_numbers(numbers, reports, after)
        played = TurnAndAfter(turn, after, numbers, self._numbers)
        return self._viewer.played(played, resolution)

    def open(self, position: Position, since: float | None) -> TurnView:
        """Return the view of the turn that is being played now."""
        return self._viewer.open(position, self._numbers_at(position), since)

    def _numbers_at(self, position: Position) -> UnitNumbers:
        return self._numbers or first_numbers(position)


def game_view(
    record: GameRecord,
    turns: Iterable[TurnView] | None = None,
    *,
    running: bool = False,
    press_note: str = "",
) -> GameView:
    """Return the view of *record*, with *turns* if they are made already."""
    found = promises(record) if record.messages else ()
    headline = game_headline(record, running=running)
    if not record.level and not record.messages:
        press_note = press_note or NO_PRESS
    return GameView(
        id=record.id,
        name=game_name(record.id),
        headline=headline,
        board=record.variant.name,
        board_title=board_title(record.variant),
        powers=tuple(_powers(record)),
        turns=_with_headlines(
            turn_views(record) if turns is None else turns,
            headlines(record, found),
            headline,
        ),
        years=tuple(year_views(record)),
        started=record.started,
        running=running,
        ended=record.ended,
        ending=record.ending.value if record.ending else "",
        winners=record.winners,
        places=tuple(_places(record)),
        scores=tuple(_scores(record)),
        press=tuple(press_views(record)),
        press_note=press_note,
        promises=promise_views(found),
        level=record.level,
        edition=record.edition,
        metadata=dict(record.metadata),
    )


def game_summary(
    record: GameRecord, *, running: bool = False, with_board: bool = False
) -> GameSummary:
    """Return the summary of *record*; with its last position if *with_board*."""
    position = record.last
    played = record.turns[-1].position.turn if record.turns else position.turn
    shown = position.turn if running else played
    first = record.positions[0].turn.year
    viewer = GameViewer(record.variant, record.edition)
    return GameSummary(
        id=record.id,
        board=record.variant.name,
        board_title=board_title(record.variant),
        title=turn_title(shown),
        years=played.year - first + 1,
        seats=tuple(_seats(record)),
        started=record.started,
        running=running,
        ending=record.ending.value if record.ending else "",
        name=game_name(record.id),
        headline=game_headline(record, running=running),
        last=viewer.open(position, record.last_since) if with_board else None,
    )


def board_title(variant: Variant) -> str:
    """Return the name of the board as people read it."""
    return variant.name.replace("_", " ").title()


def choices_view(record: GameRecord, turn: str, at: str) -> ChoicesView | None:
    """Return what the unit *at* a place could have been ordered in *turn*.

    *turn* is an id such as `F1905M`, *at* a location such as `STP/SC`. Returns `None`
    if there is no such turn or nothing to order there.
    """
    names = names_of(record.variant.map)
    positions = (each for each in record.positions if turn_id(each.turn) == turn)
    for position in positions:
        for unit, orders in possible_orders(record.variant.map, position).items():
            if names.location_text(unit.location) == at:
                found: dict[str, tuple[str, ...]] = {}
                for order in orders:
                    kind, text = ORDER_VIEW_KINDS[type(order)], names.order_text(order)
                    found[kind] = (*found.get(kind, ()), text)
                return ChoicesView(at, found)
    return None


def year_views(record: GameRecord) -> Iterator[YearView]:
    """Yield the centres of each power at the start and after each year."""
    for year, position in positions_by_year(record).items():
        counts = {
            str(power): len(position.centres_of(power))
            for power in record.variant.map.powers
        }
        yield YearView(year, counts)


def turn_views(record: GameRecord) -> Iterator[TurnView]:
    """Yield the views of the turns of *record*, the open one too."""
    viewer = GameViewer(record.variant, record.edition)
    following = record.positions[1:]
    for turn, after in zip(record.turns, following, strict=True):
        yield viewer.add(turn, after)
    if record.is_last_turn_open or not record.turns:
        yield viewer.open(record.last, record.last_since)


def _powers(record: GameRecord) -> Iterator[PowerView]:
    badges = letters(record.variant)
    for power in record.variant.map.powers:
        sitting = record.sitting(power)
        yield PowerView(
            id=power,
            title=record.variant.titles.get(power, power),
            letter=badges[power],
            name=sitting.name if sitting else "",
            version=sitting.version if sitting else "",
        )


def _with_headlines(
    turns: Iterable[TurnView], found: Iterable[Headline], now: str
) -> tuple[TurnView, ...]:
    """Return *turns*, each with its headline; an open one has that of the game, *now*.

    Unless the game ended in it.
    """
    told = {turn_id(each.turn): each for each in found}
    return tuple(
        replace(turn, headline=now, quiet=True)
        if (each := told.get(turn.id)) is None
        else replace(turn, headline=each.text, quiet=each.quiet)
        for turn in turns
    )


def _places(record: GameRecord) -> Iterator[PlaceView]:
    out = eliminations(record)
    for power, place in places(record).items():
        yield PlaceView(
            power=power,
            place=place,
            centres=len(record.last.centres_of(power)),
            won=_has_won(record, power),
            eliminated=out.get(power),
        )


def _has_won(record: GameRecord, power: Power) -> bool:
    """Return whether *power* won alone or shared a draw; a year limit is none."""
    shared = record.ending in {Ending.YEAR_LIMIT, Ending.STALEMATE}
    return not shared and power in record.winners


def _seats(record: GameRecord) -> Iterator[SeatSummary]:
    badges, placed = letters(record.variant), places(record)
    for power in record.variant.map.powers:
        sitting = record.sitting(power)
        yield SeatSummary(
            id=power,
            title=record.variant.titles.get(power, power),
            letter=badges[power],
            name=sitting.name if sitting else "",
            centres=len(record.last.centres_of(power)),
            place=placed[power],
            won=_has_won(record, power),
        )


def _scores(record: GameRecord) -> Iterator[ScoreView]:
    result = game_result(record)
    for name in SYSTEMS:
        try:
            shares = score(points(name, result))
        except ScoringError:
            continue
        yield ScoreView(name, {str(at): float(share) for at, share in shares.items()})
