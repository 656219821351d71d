"""dipcc's JSON, a `diplomacy` saved game or our own file, as a game record.

Lenient where files differ harmlessly: messages as an array or an object, `null`
orders, no results, no COMPLETED phase, time stamps in any unit, WAIVE. Strict where a
file says something impossible: the error names the phase, what was found and what was
expected.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from attrs import evolve
from msgspec import Struct

from daide_server.board.names import Power, Unit
from daide_server.board.orders import ConvoyedMove, Move, Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.records.entries import Ending
from daide_server.records.formats.errors import FormatError
from daide_server.records.record import (
    DrawVote,
    GameRecord,
    Message,
    PlayedTurn,
    Sitting,
)

from .names import COMPLETED, Names, names_of, phase_turn
from .press import ReadMessage, said_in, seconds_of
from .results import reports_of
from .state import position_of
from .writing import GameExtras, PhaseExtras

FOREIGN_EDITION: Final = "dipcc"
FOREIGN_PRESS_LEVEL: Final = 8000
"""Free text, which is what other servers' press is."""
SAME_MAP: Final = {"fva": "standard", "standard_france_austria": "standard"}
"""Maps of other programs that differ from ours in their start only."""
DERIVED_METADATA: Final = {
    "has_draw_votes",
    "draw_type",
    "daide_level",
    "rules_edition",
    "end_reason",
}


class ReadState(Struct):
    """The state of a phase: the keys that are looked at."""

    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    retreats: dict[str, dict[str, list[str]] | list[str]] = {}


class ReadPhase(Struct):
    """A phase: the keys that are looked at."""

    name: str
    state: ReadState
    orders: dict[str, list[str] | None] | None = None
    results: dict[str, list[str]] | None = None
    messages: list[ReadMessage] | dict[str, ReadMessage] | None = None
    phase_start_time: float | None = None
    daide: PhaseExtras | None = None


class ReadGame(Struct):
    """A file: the keys that are looked at."""

    phases: list[ReadPhase]
    id: str | None = None
    game_id: str | None = None
    map: str = "standard"
    metadata: dict[str, object] | None = None
    rules: list[str] = []
    daide: GameExtras | None = None


_DECODER: Final = msgspec.json.Decoder(ReadGame)


def read(text: str | bytes, variants: Callable[[str], Variant]) -> GameRecord:
    """Return the record that the file *text* holds.

    *variants* finds the variant that the file names. Raises `FormatError` if the
    file is no record that can be read.
    """
    try:
        game = _DECODER.decode(text)
        variant = variants(SAME_MAP.get(game.map, game.map))
    except msgspec.DecodeError as error:
        raise FormatError(_plain(str(error))) from None
    except VariantError as error:
        message = f"map: {error}"
        raise FormatError(message) from None
    return _Reader(game, variant).record()


def _plain(message: str) -> str:
    """Return msgspec's message on one line, with the place first."""
    what, _, where = message.replace("\n", " ").partition(" - at ")
    return f"{where.strip('`')}: {what}" if where else what


class _Reader:
    """One file on its way to a record."""

    def __init__(self, game: ReadGame, variant: Variant) -> None:
        self.game = game
        self.variant = variant
        self.names: Names = names_of(variant.map)
        self.turns, self.end = _in_order(game.phases)
        self.started = _started(game)

    def record(self) -> GameRecord:
        positions = [self._position(turn, phase) for turn, phase in self.turns]
        unplayed = self._is_last_unplayed(positions)
        count = len(positions) - unplayed
        last, since = self._last(positions, unplayed=unplayed)
        messages, votes = self._said()
        record = GameRecord(
            id=self.game.id or self.game.game_id or "",
            variant=self.variant,
            edition=FOREIGN_EDITION,
            level=FOREIGN_PRESS_LEVEL if messages else 0,
            started=self.started,
            sittings=(),
            turns=tuple(
                self._played(position, phase)
                for position, (_, phase) in zip(
                    positions[:count], self.turns, strict=False
                )
            ),
            messages=messages,
            votes=votes,
            ending=None,
            winners=(),
            last=last,
            last_since=since,
            ended=None,
            metadata=_metadata(self.game.metadata or {}),
            foreign=self.game.daide is None,
        )
        if self.game.daide is not None:
            return _told(record, self.names, self.game.daide)
        return _guessed(record) if self.end else record

    def _is_last_unplayed(self, positions: Sequence[Position]) -> bool:
        """Return whether the last turn of the file was not processed."""
        if not self.turns or self.end is None:
            return bool(self.turns)
        turn, phase = self.turns[-1]
        if phase.daide is not None:
            return not phase.daide.played
        if any((phase.orders or {}).values()) or phase.results:
            return False
        after = self._position(turn, self.end)
        return after.units == positions[-1].units and not positions[-1].dislodged

    def _last(
        self, positions: Sequence[Position], *, unplayed: bool
    ) -> tuple[Position, float]:
        """Return the position after all turns, and since when it stood."""
        if unplayed:
            return positions[-1], self._since(self.turns[-1][1])
        if self.end is None:
            message = "phases: found none, expected one at least"
            raise FormatError(message)
        turn = self.turns[-1][0].next() if self.turns else self.variant.start.turn
        return self._position(turn, self.end), self._since(self.end)

    def _position(self, turn: Turn, phase: ReadPhase) -> Position:
        state = phase.state
        try:
            retreats = _by_power(state) if phase is not self.end else {}
            position = position_of(
                self.names,
                turn if phase is not self.end else Turn(turn.season, turn.year),
                _without_stars(state.units) if phase is self.end else state.units,
                state.centers,
                retreats,
            )
        except FormatError as error:
            message = f"{phase.name}: {error}"
            raise FormatError(message) from None
        return position

    def _played(self, position: Position, phase: ReadPhase) -> PlayedTurn:
        try:
            orders = tuple(self._orders(position, phase))
            results = self._results(position, orders, phase.results or {})
        except FormatError as error:
            message = f"{phase.name}: {error}"
            raise FormatError(message) from None
        reports = reports_of(position, orders, results)
        return PlayedTurn(position, orders, reports, self._since(phase))

    def _orders(self, position: Position, phase: ReadPhase) -> Iterator[Order]:
        units = {unit.province: unit for unit in position.units}
        routes = phase.daide.routes if phase.daide else {}
        for power_text, texts in (phase.orders or {}).items():
            power = self.names.power(power_text)
            for text in filter(None, texts or ()):
                order = self.names.order(text, power, units, position.turn.phase)
                if phase.daide is not None and isinstance(order, ConvoyedMove):
                    order = self._as_written(order, text, routes)
                yield order

    def _as_written(
        self, order: ConvoyedMove, text: str, routes: Mapping[str, list[str]]
    ) -> Order:
        """Return the order that our own writer meant; it always writes VIA."""
        if not text.endswith("VIA"):
            return Move(order.unit, order.destination)
        seas = routes.get(self.names.unit_text(order.unit))
        if seas is None:
            return order
        route = tuple(self.names.location(sea).province for sea in seas)
        return evolve(order, route=route)

    def _results(
        self,
        position: Position,
        orders: Sequence[Order],
        results: Mapping[str, Sequence[str]],
    ) -> dict[Unit, list[str]]:
        """Return the words on each unit; codes before a word are dropped."""
        powers = {
            self.names.unit_text(unit): unit
            for unit in (*position.units, *position.dislodged)
        }
        if position.turn.phase is Phase.RETREATS:
            powers = {self.names.unit_text(unit): unit for unit in position.dislodged}
        for order in orders:
            if position.turn.phase is Phase.ADJUSTMENTS and hasattr(order, "unit"):
                powers[self.names.unit_text(order.unit)] = order.unit
        return {
            powers[text]: [word.rpartition(":")[2] for word in words if word]
            for text, words in results.items()
            if text in powers
        }

    def _said(self) -> tuple[tuple[Message, ...], tuple[DrawVote, ...]]:
        phases: list[tuple[Turn | None, ReadPhase]] = [*self.turns]
        if self.end is not None:
            phases.append((None, self.end))
        said = [
            each
            for turn, phase in phases
            for each in said_in(
                self.names, turn, _messages(phase.messages), self.started
            )
        ]
        return (
            tuple(each for each in said if isinstance(each, Message)),
            tuple(each for each in said if isinstance(each, DrawVote)),
        )

    def _since(self, phase: ReadPhase) -> float:
        if phase.daide is not None:
            return phase.daide.seconds
        if phase.phase_start_time is None:
            return 0.0
        return max(0.0, seconds_of(phase.phase_start_time) - self.started)


def _in_order(
    phases: Sequence[ReadPhase],
) -> tuple[list[tuple[Turn, ReadPhase]], ReadPhase | None]:
    """Return the phases by time, and the one called COMPLETED."""
    if not phases:
        message = "phases: found none, expected one at least"
        raise FormatError(message)
    ends = [phase for phase in phases if phase.name == COMPLETED]
    turns = [
        (phase_turn(phase.name), phase) for phase in phases if phase.name != COMPLETED
    ]
    turns.sort(key=lambda pair: pair[0])
    if len(ends) > 1:
        message = f"phases: found {len(ends)} called COMPLETED, expected one"
        raise FormatError(message)
    for (earlier, _), (later, phase) in pairwise(turns):
        if earlier == later:
            message = f"phases: found two called {phase.name}, expected one"
            raise FormatError(message)
    return turns, ends[0] if ends else None


def _started(game: ReadGame) -> float:
    """Return when the game began, as far as the file tells."""
    if game.daide is not None:
        return game.daide.started
    stamps = [
        phase.phase_start_time
        for phase in game.phases
        if phase.phase_start_time is not None
    ] + [
        message.time_sent
        for phase in game.phases
        for message in _messages(phase.messages)
    ]
    return seconds_of(min(stamps)) if stamps else 0.0


def _messages(
    messages: list[ReadMessage] | dict[str, ReadMessage] | None,
) -> list[ReadMessage]:
    if isinstance(messages, dict):
        return list(messages.values())
    return messages or []


def _by_power(state: ReadState) -> dict[str, dict[str, list[str]]]:
    """Return the retreats by power.

    dipcc's own document shows them by unit only; the starred unit tells the power.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for key, value in state.retreats.items():
        if isinstance(value, dict):
            found[key] = value
            continue
        for power, units in state.units.items():
            if f"*{key}" in units:
                found.setdefault(power, {})[key] = value
    return found


def _without_stars(units: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {
        power: [text for text in texts if not text.startswith("*")]
        for power, texts in units.items()
    }


def _metadata(metadata: Mapping[str, object]) -> dict[str, str]:
    """Return what the record does not say by itself."""
    return {
        key: value
        for key, value in metadata.items()
        if isinstance(value, str)
        and key not in DERIVED_METADATA
        and not key.startswith("agent_")
    }


def _told(record: GameRecord, names: Names, extras: GameExtras) -> GameRecord:
    """Return *record* with what our own key tells of the game."""
    try:
        ending = None if extras.ending is None else Ending(extras.ending)
    except ValueError:
        expected = ", ".join(each.value for each in Ending)
        message = f"daide.ending: found {extras.ending!r}, expected one of {expected}"
        raise FormatError(message) from None
    return evolve(
        record,
        edition=extras.edition,
        level=extras.level,
        ending=ending,
        winners=tuple(map(names.power, extras.winners)),
        ended=extras.ended,
        sittings=tuple(
            Sitting(
                names.power(each.power),
                each.name,
                each.version,
                each.since,
                each.until,
            )
            for each in extras.agents
        ),
    )


def _guessed(record: GameRecord) -> GameRecord:
    """Return *record* with the ending that its last position shows."""
    alive = [
        power
        for power in record.variant.map.powers
        if not record.last.is_eliminated(power)
    ]
    solo = [power for power in alive if _has_won(record, power)]
    ending = Ending.SOLO if solo else Ending.DRAW
    return evolve(
        record, ending=ending, winners=tuple(solo or alive), ended=record.last_since
    )


def _has_won(record: GameRecord, power: Power) -> bool:
    return len(record.last.centres_of(power)) >= record.variant.map.majority
