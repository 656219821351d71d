"""The view of a game: its turns, players, press, centres by year, scores.

What may be shown is decided before, by `records.secrecy.visible`.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve, field

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.classes import define
from daide_server.formats.phase_json.map_names import names_of
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders, Rules
from daide_server.pictures.palette import letters
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord, Message, PlayedTurn, PressOrVote
from daide_server.records.unit_ids import UnitNumbers, first_numbers, next_numbers
from daide_server.scoring.systems import SYSTEMS, ScoringError, points, score

from .game_report import positions_by_year, title
from .order_views import ORDER_VIEW_KINDS, TurnAndAfter
from .promise_views import promise_views
from .turn_views import TurnViewer, turn_id
from .views import (
    ChoicesView,
    GameSummary,
    GameView,
    PowerView,
    PressView,
    ScoreView,
    SeatSummary,
    TurnView,
    YearView,
)


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
    return GameView(
        id=record.id,
        board=record.variant.name,
        board_title=board_title(record.variant),
        powers=tuple(_powers(record)),
        turns=tuple(turn_views(record) if turns is None else turns),
        years=tuple(year_views(record)),
        started=record.started,
        running=running,
        ended=record.ended,
        ending=record.ending.value if record.ending else "",
        winners=record.winners,
        scores=tuple(_scores(record)),
        press=tuple(map(press_view, record.press_and_votes)),
        press_note=press_note,
        promises=promise_views(record),
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
        title=title(shown),
        years=played.year - first + 1,
        seats=tuple(_seats(record)),
        started=record.started,
        running=running,
        ending=record.ending.value if record.ending else "",
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


def press_view(said: PressOrVote) -> PressView:
    """Return the view of a message or a vote."""
    turn = "" if said.turn is None else turn_id(said.turn)
    if isinstance(said, Message):
        return PressView(turn, said.seconds, said.sender, said.recipients, said.text)
    wish = "no longer votes for a draw" if said.withdrawn else "votes for a draw"
    powers = tuple(said.powers or ())
    return PressView(turn, said.seconds, said.power, powers, wish, vote=True)


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


def _seats(record: GameRecord) -> Iterator[SeatSummary]:
    badges = letters(record.variant)
    for power in record.variant.map.powers:
        sitting = record.sitting(power)
        yield SeatSummary(
            id=power,
            title=record.variant.titles.get(power, power),
            letter=badges[power],
            name=sitting.name if sitting else "",
            centres=len(record.last.centres_of(power)),
            won=power in record.winners,
        )


def _scores(record: GameRecord) -> Iterator[ScoreView]:
    result = game_result(record)
    for name in SYSTEMS:
        try:
            shares = score(points(name, result))
        except ScoringError:
            continue
        yield ScoreView(name, {str(at): float(share) for at, share in shares.items()})
