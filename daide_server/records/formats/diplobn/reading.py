"""DiploBN's JSON as a game record.

The file tells units and owners before each season; what came of retreats between two
seasons follows from the orders, which are adjudicated for it. Orders become dipcc's
texts, and are read as those are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

import msgspec
from attrs import evolve, frozen
from msgspec import UNSET, UnsetType

from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Order, Waive
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import DIPCC_RULES, EDITIONS, IllegalOrders, Rules
from daide_server.records.entries import Ending
from daide_server.records.errors import FormatError
from daide_server.records.phase_json.results import reports_of
from daide_server.records.phase_json.state import position_of
from daide_server.records.record import DrawVote, GameRecord, PlayedTurn, Sitting

from .names import BoardNames, board_names, turn_of
from .reasons import BY_CONVOY, NOT_ORDERED, marks_in, words_of
from .shapes import Game, OrdersByCountry, Season
from .writing import COMPLETED, GAME_ENDED, KEPT, SYSTEMS, defaults

FOREIGN_EDITION: Final = "dipcc"
ENDINGS: Final[Mapping[str, Ending]] = {
    "Solo": Ending.SOLO,
    "Draw": Ending.DRAW,
    "Time": Ending.DRAW,
    "Year": Ending.YEAR_LIMIT,
    "GameManager": Ending.ABORTED,
    "Other": Ending.ABORTED,
}
OUR_NAMES: Final = {theirs: ours for ours, theirs in reversed([*SYSTEMS.items()])}
NOTE: Final = re.compile(
    r"variant: (?P<variant>\S+); rules: (?P<edition>[^;]+); "
    r"level: (?P<level>\d{1,4}); scoring: (?P<scoring>[^\s;]+)(?P<foreign>; imported)?"
)
_DECODER: Final = msgspec.json.Decoder(Game)


def read(text: str | bytes, variants: Callable[[str], Variant]) -> GameRecord:
    """Return the record that the file *text* holds.

    Raises `FormatError` if the file is no record that can be read.
    """
    try:
        game = _DECODER.decode(text)
        note = NOTE.match(game.Note or "")
        variant = variants(note["variant"] if note else "standard")
    except msgspec.DecodeError as error:
        raise FormatError(str(error)) from None
    except VariantError as error:
        message = f"Note: {error}"
        raise FormatError(message) from None
    return _Reader(game, note, variant).record()


@frozen
class _Played:
    """What a list of orders says: the orders given, and the words on each unit."""

    orders: tuple[Order, ...]
    reports: tuple[Report, ...]


class _Reader:
    """One file on its way to a record."""

    def __init__(
        self, game: Game, note: re.Match[str] | None, variant: Variant
    ) -> None:
        self.game = game
        self.note = note
        self.variant = variant
        self.names: BoardNames = board_names(variant.map)
        self.edition = note["edition"] if note else FOREIGN_EDITION
        rules = EDITIONS.get(self.edition, DIPCC_RULES)
        self.rules: Rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
        self.seasons = sorted(game.GamePhases, key=lambda season: season.Phase)

    def record(self) -> GameRecord:
        """Return what the file tells."""
        if not self.seasons:
            message = "GamePhases: found none, expected one at least"
            raise FormatError(message)
        turns, last = self._turns()
        ending = self._ending()
        record = GameRecord(
            id=_text(self.game.GameLabel),
            variant=self.variant,
            edition=self.edition,
            level=int(self.note["level"]) if self.note else 0,
            started=_started(self.game),
            sittings=tuple(self._sittings()),
            turns=tuple(turns),
            messages=(),
            votes=tuple(self._votes()),
            ending=ending,
            winners=self._winners(ending, last),
            last=last,
            last_since=0.0,
            ended=0.0 if ending else None,
            metadata={},
            foreign=self.note is None or bool(self.note["foreign"]),
        )
        return evolve(record, metadata=self._metadata(record))

    # Positions and orders

    def _turns(self) -> tuple[list[PlayedTurn], Position]:
        """Return the turns that were played, and the position after them."""
        turns: list[PlayedTurn] = []
        after: Position = self.variant.start
        for season in self.seasons:
            position = self._position(season, after)
            if season is self.seasons[-1] and _is_unplayed(season):
                return turns, position
            after = self._play(season, position, turns)
        return turns, after

    def _position(self, season: Season, after: Position) -> Position:
        """Return the position before *season*; what it does not tell is as *after*."""
        turn = turn_of(season.Phase)
        if season.Units is UNSET or season.SupplyCenters is UNSET:
            return evolve(after, turn=turn)
        names = self.names
        units = {
            names.names.powers[names.power(country)]: [
                f"{kind} {names.text(place)}" for kind, place in placed
            ]
            for country, placed in season.Units.items()
        }
        centres = {
            names.names.powers[names.power(country)]: [names.text(at) for at in owned]
            for country, owned in season.SupplyCenters.items()
        }
        try:
            return position_of(names.names, turn, units, centres, {})
        except FormatError as error:
            message = f"{season.Phase}: {error}"
            raise FormatError(message) from None

    def _play(
        self, season: Season, position: Position, turns: list[PlayedTurn]
    ) -> Position:
        """Add the turns of *season*, and return the position after them."""
        dislodged = set() if season.DislodgedUnits is UNSET else season.DislodgedUnits
        played = self._read(season, season.Orders, position, set(dislodged))
        turns.append(PlayedTurn(position, played.orders, played.reports, 0.0))
        after = self._adjudicated(position, played).next
        if season.RetreatOrders is UNSET:
            return after
        if after.turn.phase is not Phase.RETREATS:
            message = f"{season.Phase}: RetreatOrders found, but nobody was dislodged"
            raise FormatError(message)
        retreats = self._read(season, season.RetreatOrders, after, set())
        turns.append(PlayedTurn(after, retreats.orders, retreats.reports, 0.0))
        return self._adjudicated(after, retreats).next

    def _adjudicated(self, position: Position, played: _Played) -> Resolution:
        return adjudicate(self.variant, position, played.orders, self.rules)

    def _read(
        self,
        season: Season,
        orders: OrdersByCountry | UnsetType,
        position: Position,
        dislodged: set[str],
    ) -> _Played:
        """Return the orders of one turn, with their results."""
        try:
            given = list(self._orders(orders or {}, position))
        except FormatError as error:
            message = f"{season.Phase}: {error}"
            raise FormatError(message) from None
        words: dict[Unit, list[str]] = {}
        for order, result in given:
            if result is not None and not isinstance(order, Waive):
                words[order.unit] = words_of(order, result)
                at = self.names.provinces[order.unit.province]
                if at in dislodged and "dislodged" not in words[order.unit]:
                    words[order.unit].append("dislodged")
        ours = tuple(order for order, _ in given)
        reports = reports_of(position, ours, words)
        kept = tuple(
            order for order, result in given if NOT_ORDERED not in marks_in(result)
        )
        return _Played(kept, reports)

    def _orders(
        self, orders: OrdersByCountry, position: Position
    ) -> Iterator[tuple[Order, object]]:
        """Yield the orders with their results; those for no unit are left out."""
        standing = {unit.province: unit for unit in position.units}
        retreating = position.turn.phase is Phase.RETREATS
        names = self.names.names
        own = position.dislodged if retreating else position.units
        at = {names.provinces[unit.province]: unit for unit in own}
        for country, lines in orders.items():
            power = self.names.power(country)
            for line in lines:
                text = self._order_text(line, at, standing, retreating=retreating)
                if text is not None:
                    result = line[2] if len(line) > len(("at", "order")) else None
                    phase = position.turn.phase
                    yield names.order(text, power, standing, phase), result

    def _order_text(
        self,
        line: Sequence[object],
        own: Mapping[str, Unit],
        standing: Mapping[Province, Unit],
        *,
        retreating: bool,
    ) -> str | None:
        """Return the order of *line* as dipcc has it; `None` if there is no unit."""
        at, action, *result = (*line, None, None)[:3]
        kind, *places = action if isinstance(action, list) else [action]
        if kind == "b":
            return f"{self._unit_text(places)} B"
        unit = own.get(self.names.text(at).partition("/")[0])
        if unit is None:
            return None
        subject = self.names.names.unit_text(unit)
        others = {
            self.names.names.provinces[each.province]: each
            for each in standing.values()
        }
        via = " VIA" if BY_CONVOY in marks_in(result[0]) else ""
        match kind, places:
            case "h", []:
                return f"{subject} H"
            case "d", []:
                return f"{subject} D"
            case "m", [place]:
                sign = "R" if retreating else "-"
                return f"{subject} {sign} {self.names.text(place)}{via}"
            case "sh", [other]:
                return f"{subject} S {self._other(other, others)}"
            case "sm", [other, place]:
                move = f"{self._other(other, others)} - {self.names.text(place)}"
                return f"{subject} S {move}"
            case "c", [other, place]:
                move = f"{self._other(other, others)} - {self.names.text(place)}"
                return f"{subject} C {move}"
            case _:
                message = f"order {action!r}: expected such as 'h' or ['m', 'Vie']"
                raise FormatError(message)

    def _other(self, place: object, others: Mapping[str, Unit]) -> str:
        """Return the unit at *place*, or an army if nobody stands there."""
        text = self.names.text(place)
        there = others.get(text.partition("/")[0])
        return self.names.names.unit_text(there) if there else f"A {text}"

    def _unit_text(self, places: Sequence[object]) -> str:
        match places:
            case [["A" | "F" as kind, place]]:
                return f"{kind} {self.names.text(place)}"
            case _:
                message = f"build {places!r}: expected such as ['A', 'Vie']"
                raise FormatError(message)

    # The rest

    def _ending(self) -> Ending | None:
        told = _text(self.game.EndedBy)
        if told in ENDINGS:
            return ENDINGS[told]
        return Ending.DRAW if self.seasons[-1].Status == GAME_ENDED else None

    def _winners(self, ending: Ending | None, last: Position) -> tuple[Power, ...]:
        """Return those who were in the game at its end, as far as the file tells."""
        if ending in {None, Ending.ABORTED}:
            return ()
        vote = self.seasons[-1].DrawVote
        if vote is not UNSET and vote.Passed and vote.PlayersInDraw is not UNSET:
            return tuple(map(self.names.power, vote.PlayersInDraw))
        told = self.game.ResultSummary
        if told is not UNSET:
            named = {self.names.power(each): line for each, line in told.items()}
            return tuple(
                power
                for power in self.variant.map.powers
                if power in named and named[power].InGameAtEnd
            )
        alive = [p for p in self.variant.map.powers if last.centres_of(p)]
        largest = max(alive, key=lambda p: len(last.centres_of(p)), default=None)
        return (largest,) if ending is Ending.SOLO and largest else tuple(alive)

    def _sittings(self) -> Iterator[Sitting]:
        for country, player in (self.game.Players or {}).items():
            name, _, version = player.rpartition(" ")
            power = self.names.power(country)
            yield Sitting(power, name or player, version if name else "", 0.0)

    def _votes(self) -> Iterator[DrawVote]:
        """Yield the vote of who proposed each draw."""
        for season in self.seasons:
            vote = season.DrawVote
            if vote is not UNSET and vote.ProposedBy is not UNSET:
                turn: Turn = turn_of(season.Phase)
                power = self.names.power(vote.ProposedBy)
                yield DrawVote(turn, power, None, withdrawn=False, seconds=0.0)

    def _metadata(self, record: GameRecord) -> Mapping[str, str]:
        usual = defaults(record)
        told = {key: _text(getattr(self.game, key)) for key in KEPT}
        found = {key: text for key, text in told.items() if text}
        kept = {key: text for key, text in found.items() if usual.get(key) != text}
        theirs = _text(self.game.ScoringSystem)
        scoring = self.note["scoring"] if self.note else OUR_NAMES.get(theirs, theirs)
        if scoring and scoring != "sum_of_squares":
            kept["scoring_system"] = scoring
        return kept


def _is_unplayed(season: Season) -> bool:
    """Return whether the last season of a file is where the game stands."""
    return season.Status != COMPLETED and not season.Orders


def _text(value: str | UnsetType) -> str:
    return "" if isinstance(value, UnsetType) else value


def _started(game: Game) -> float:
    """Return the beginning of the first day, if it is told as a date."""
    told = _text(game.DateBegan) or _text(game.DatePlayed)
    try:
        day = date.fromisoformat(told)
    except ValueError:
        return 0.0
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
