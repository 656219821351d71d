"""Reads JSON with one object per phase, from dipcc, the `diplomacy` package or us.

Accepts all harmless variants: messages as an array or an object, `null` orders, no
results, no COMPLETED phase, time stamps in any unit, WAIVE. Refuses what is impossible
on the board; the error names the phase, what was found and what was expected.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from daide_server.board.map import Phase, Position, Turn, Variant, VariantError
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import ConvoyedMove, Move, Order, Waive
from daide_server.board.results import Report
from daide_server.formats.errors import FormatError, decoded, expect_utf8, within
from daide_server.formats.format import FindVariant
from daide_server.records.consequences import Consequences, reports_of
from daide_server.records.record import (
    FOREIGN_EDITION,
    DrawVote,
    GameRecord,
    Kept,
    Message,
    PlayedTurn,
    PressOrVote,
)

from .dialect import in_our_words
from .extension import (
    from_extension,
    inferred,
    kept_in,
    left_at,
    note_named,
    rules_kept,
    tallies_in,
)
from .lenient_orders import AmbiguousOrderError, LenientOrderReader
from .map_names import (
    COMPLETED_PHASE,
    Names,
    names_of,
    phase_turn,
)
from .metadata import metadata_in, with_own_words
from .order_texts import ONE_CONSEQUENCE, consequences_in
from .position_state import StateTables, position_of, units_by_text
from .press_messages import (
    press_and_votes_in,
    seconds_of,
    since,
)
from .shapes import (
    OutlineGame,
    OutlinePhase,
    PhaseExtension,
    QuickGame,
    QuickPhase,
    QuickState,
    ReadGame,
    ReadPhase,
    messages_in,
    retreats_in,
)


def position_in(names: Names, turn: Turn, phase: ReadPhase) -> Position:
    """Return the position that *phase* shows."""
    state = phase.state
    with within(phase.name):
        tables = StateTables(state.units, state.centers, retreats_in(phase))
        return position_of(names, turn, tables)


def final_position(names: Names, turn: Turn, phase: ReadPhase) -> Position:
    """Return the position after the end of the game, without retreats."""
    units = {
        power: [text for text in texts if not text.startswith("*")]
        for power, texts in phase.state.units.items()
    }
    with within(phase.name):
        return position_of(names, turn, StateTables(units, phase.state.centers))


def played(
    variant: Variant, position: Position, phase: ReadPhase, since: float | None
) -> PlayedTurn:
    """Return the turn that *phase* records, from *position*."""
    names = names_of(variant.map)
    with within(phase.name):
        orders = _orders(variant, position, phase)
        results = _results(names, position, orders, phase)
        reports = reports_of(position, orders, results)
        tallies = tallies_in(names, phase.daide.players if phase.daide else None)
        noted = _noted(names, phase, reports)
        return PlayedTurn(position, orders, noted, since, tallies)


def _noted(
    names: Names, phase: ReadPhase, reports: tuple[Report, ...]
) -> tuple[Report, ...]:
    """Return *reports* with the notes of the key `daide` in place of `void`."""
    notes = phase.daide.notes if phase.daide else {}
    if not notes:
        return reports
    return tuple(
        replace(report, result=note_named(notes[text], "daide.notes"))
        if (text := names.unit_text(_unit(report))) in notes
        else report
        for report in reports
    )


def _unit(report: Report) -> Unit:
    assert not isinstance(report.order, Waive), "no words are on a waive"
    return report.order.unit


def _orders(
    variant: Variant, position: Position, phase: ReadPhase
) -> tuple[Order, ...]:
    names, extension, kind = names_of(variant.map), phase.daide, position.turn.phase
    units = {unit.location.province: unit for unit in position.units}
    found, written = list[Order](), list[str]()
    for power_text, texts in (phase.orders or {}).items():
        if not texts and power_text in names.absent:
            continue
        power = names.power(power_text)
        given: Sequence[str] = texts or ()
        if "" in given:
            given = [*filter(None, given)]
        try:
            found += names.orders(given, power, units, kind)
        except FormatError:
            reader = _LenientReader(variant, position, power, units)
            found += map(reader.order, given)
        written += given
    if extension is None:
        return tuple(found)
    if ConvoyedMove in map(type, found):
        found = [
            _as_written(names, extension, order, text)
            if isinstance(order, ConvoyedMove)
            else order
            for order, text in zip(found, written, strict=True)
        ]
    for power_text, count in extension.waives.items():
        found += [Waive(names.power(power_text))] * count
    return tuple(found)


class _LenientReader(Struct, frozen=True):
    """Reads the orders of one power, of which some are not as programs write them."""

    variant: Variant
    position: Position
    power: Power
    units: Mapping[Province, Unit]

    def order(self, text: str) -> Order:
        """Return the order in *text*; raises `FormatError` if there is none.

        Raises `AmbiguousOrderError` if the text can mean several orders.
        """
        names, phase = names_of(self.variant.map), self.position.turn.phase
        try:
            return names.order(text, self.power, self.units, phase)
        except FormatError as error:
            return self._as_people_write(text, error)

    def _as_people_write(self, text: str, error: FormatError) -> Order:
        """Return the order that people mean by *text*; raise *error* if it is none."""
        try:
            lenient = LenientOrderReader(self.variant, self.position)
            return lenient.order(text, self.power)
        except AmbiguousOrderError:
            raise
        except FormatError:
            raise error from None


def _as_written(
    names: Names, extension: PhaseExtension, order: ConvoyedMove, text: str
) -> Order:
    """Return *order* as our own writer wrote it.

    Our writer always writes VIA, and the route under `daide`; other files omit both.
    """
    if not text.endswith("VIA"):
        return Move(order.unit, order.destination)
    seas = extension.routes.get(names.unit_text(order.unit))
    if seas is None:
        return order
    return replace(order, route=tuple(names.location(sea).province for sea in seas))


def _results(
    names: Names, position: Position, orders: Sequence[Order], phase: ReadPhase
) -> list[tuple[Unit, Consequences]]:
    """Return the consequences of each unit; some files have numbers before the words.

    A repeated build or removal is void, but the first one is carried out, which the
    empty word says.
    """
    units = _units_by_text(names, position, orders, phase)
    adjusting = position.turn.phase is Phase.ADJUSTMENTS
    return [
        # Most orders succeed, which has no words.
        (
            units[text],
            ONE_CONSEQUENCE.get(words) or _consequences(words, adjusting=adjusting)
            if words
            else (),
        )
        for text, words in (phase.results or {}).items()
        if text in units
    ]


def _consequences(words: Sequence[str], *, adjusting: bool) -> Consequences:
    if adjusting and "" in words:
        return ()
    return consequences_in([word.rpartition(":")[2] for word in words])


def _units_by_text(
    names: Names, position: Position, orders: Sequence[Order], phase: ReadPhase
) -> dict[str, Unit]:
    """Return the units that the results of a phase may name, by their text."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return units_by_text(names, phase.state.units)
        case Phase.RETREATS:
            return {names.unit_text(unit): unit for unit in position.dislodged}
        case Phase.ADJUSTMENTS:
            built = [order.unit for order in orders if not isinstance(order, Waive)]
            made = {names.unit_text(unit): unit for unit in built}
            return units_by_text(names, phase.state.units) | made


# Outlines: what scores need of a file, that is owners, the last positions, the ending

LAST_PHASES: Final = 2
"""How many phases are read as a whole, besides the one called COMPLETED."""

_GAME: Final = msgspec.json.Decoder(OutlineGame)
_OUTLINE: Final = msgspec.json.Decoder(OutlinePhase)
_WHOLE_OUTLINE: Final = msgspec.json.Decoder(QuickPhase)


def outline_game(text: str | bytes) -> QuickGame | None:
    """Return the game in *text*, its earlier phases with owners only.

    `None` for a file with a fault, or whose phases are not in order: that has to be
    read as a whole.
    """
    try:
        game = _GAME.decode(text)
        outlines = list(map(_OUTLINE.decode, game.phases))
        whole = _first_whole(outlines)
        phases = list(map(_with_owners, outlines[:whole]))
        phases += map(_WHOLE_OUTLINE.decode, game.phases[whole:])
    except (msgspec.DecodeError, UnicodeDecodeError, FormatError):
        return None
    return QuickGame(**(asdict(game) | {"phases": phases}))


def _first_whole(outlines: Sequence[OutlinePhase]) -> int:
    """Return the index of the first phase that is read as a whole.

    Raises `FormatError` if the phases are not in order of time.
    """
    is_over = bool(outlines) and outlines[-1].name == COMPLETED_PHASE
    count = len(outlines) - is_over
    turns = [phase_turn(each.name) for each in outlines[:count]]
    if not all(one < other for one, other in pairwise(turns)):
        message = "phases: found another order than that of time"
        raise FormatError(message)
    return max(0, count - LAST_PHASES)


def _with_owners(outline: OutlinePhase) -> QuickPhase:
    state = QuickState(units={}, centers=outline.state.centers)
    return QuickPhase(outline.name, state)


FOREIGN_PRESS_LEVEL: Final = 8000
"""The level of free text, such as the press of other servers."""
OUR_BOARDS: Final = {
    "standard_age_of_empires": "age_of_empires",
    "standard_age_of_empires_2": "age_of_empires_2",
    "standard_fleet_rome": "fleet_rome",
    "standard_france_austria": "fva",
    "standard_germany_italy": "gvi",
}
"""Our boards that the `diplomacy` package knows by other names."""
_QUICK: Final = msgspec.json.Decoder(QuickGame)
_WHOLE: Final = msgspec.json.Decoder(ReadGame)


def read(text: str | bytes, variants: FindVariant) -> GameRecord:
    """Return the record that the file *text* holds.

    *variants* finds the variant that the file names. Raises `FormatError` if the
    file is no record that can be read.
    """
    text = in_our_words(text)
    try:
        return _record(_QUICK.decode(text), variants)
    except (msgspec.DecodeError, UnicodeDecodeError, FormatError):
        # Other errors than of the whole shape have no place.
        expect_utf8(text)
        return _record(decoded(text, _WHOLE), variants)


def read_outline(text: str | bytes, variants: FindVariant) -> GameRecord:
    """Return what `Format.read_outline` says of the file *text*; raises as `read`."""
    text = in_our_words(text)
    game = outline_game(text)
    if game is not None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, FormatError):
            return _record(game, variants, is_outline=True)
    return read(text, variants)


def _record(
    game: ReadGame, variants: FindVariant, *, is_outline: bool = False
) -> GameRecord:
    try:
        variant = variants(_variant_name(game))
    except VariantError as error:
        message = f"map: {error}"
        raise FormatError(message) from None
    record = _Reader(game, variant, is_outline=is_outline).record()
    if game.daide is not None:
        record = from_extension(record, names_of(variant.map), game.daide)
    elif any(phase.name == COMPLETED_PHASE for phase in game.phases):
        record = inferred(record)
    return with_own_words(record, game)


def _edition(game: ReadGame) -> str:
    """Return the edition of the program that wrote the file.

    The `diplomacy` package has a hash of the board in each state.
    """
    hashed = game.phases[-1].state.zobrist_hash is not UNSET
    return "diplomacy" if hashed else FOREIGN_EDITION


def _variant_name(game: ReadGame) -> str:
    if game.daide is None:
        return OUR_BOARDS.get(game.map, game.map)
    return game.daide.variant or game.map


class _Reader:
    """Makes the record of one file."""

    def __init__(self, game: ReadGame, variant: Variant, *, is_outline: bool) -> None:
        self.game = game
        self.is_outline = is_outline
        self.variant = variant
        self.names: Names = names_of(variant.map)
        self.phases, self.end = _in_order(game.phases)
        self.started = _started(game)
        self.times = self._times()

    def record(self) -> GameRecord:
        """Return the record without the data of the key `daide`."""
        positions = [
            position_in(self.names, turn, phase) for turn, phase in self.phases
        ]
        count = len(positions) - self._is_last_unplayed(positions)
        turns = tuple(
            self._played(position, phase, since)
            for position, (_, phase), since in zip(
                positions[:count], self.phases[:count], self.times[:count], strict=True
            )
        )
        last, since = self._last(positions[count:])
        sent = () if self.is_outline else tuple(self._press_and_votes())
        messages = tuple(each for each in sent if isinstance(each, Message))
        level = FOREIGN_PRESS_LEVEL if messages else 0
        return GameRecord(
            id=self.game.id or self.game.game_id or "",
            variant=self.variant,
            edition=_edition(self.game),
            level=level,
            started=self.started,
            sittings=(),
            turns=turns,
            messages=messages,
            votes=tuple(each for each in sent if isinstance(each, DrawVote)),
            ending=None,
            winners=(),
            last=last,
            last_since=since,
            ended=None,
            metadata=metadata_in(self.game),
            foreign=self.game.daide is None,
            kept=self._kept(level),
        )

    def _played(
        self, position: Position, phase: ReadPhase, since: float | None
    ) -> PlayedTurn:
        if self.is_outline:
            return PlayedTurn(position, (), (), since)
        return played(self.variant, position, phase, since)

    def _is_last_unplayed(self, positions: Sequence[Position]) -> bool:
        """Return whether the last turn of the file was not processed."""
        if not positions or self.end is None:
            return bool(positions)
        turn, phase = self.phases[-1]
        if phase.daide is not None:
            return not phase.daide.played
        if any((phase.orders or {}).values()) or phase.results:
            return False
        after = final_position(self.names, turn, self.end)
        return replace(after, turn=turn) == positions[-1]

    def _last(self, unplayed: Sequence[Position]) -> tuple[Position, float | None]:
        """Return the position after all turns, and since when it stood."""
        if unplayed:
            self._check_end(unplayed[0])
            return unplayed[0], self.times[len(self.phases) - 1]
        assert self.end is not None, "without an end the last turn is unplayed"
        turn = self.phases[-1][0].next() if self.phases else self.variant.start.turn
        if self.game.daide is not None and self.game.daide.last:
            with within("daide.last"):
                turn = phase_turn(self.game.daide.last)
        return final_position(self.names, turn, self.end), self.times[-1]

    def _check_end(self, unplayed: Position) -> None:
        """Raise `FormatError` if the end shows another board than the unplayed turn."""
        if self.end is None:
            return
        end = final_position(self.names, unplayed.turn, self.end)
        if end != replace(unplayed, dislodged={}):
            message = (
                f"{COMPLETED_PHASE}: other units or centers found than in "
                f"{self.phases[-1][1].name}, expected the same: nothing was played"
            )
            raise FormatError(message)

    def _press_and_votes(self) -> Iterator[PressOrVote]:
        phases = [phase for _, phase in self.phases]
        turns: dict[str, Turn | None] = {each.name: turn for turn, each in self.phases}
        if self.end is not None:
            phases.append(self.end)
            turns[COMPLETED_PHASE] = None
        for phase in phases:
            yield from press_and_votes_in(
                self.names, turns, phase.name, messages_in(phase), self.started
            )

    def _times(self) -> list[float | None]:
        """Return since when each phase was played, the one called COMPLETED last.

        The time in a state of the `diplomacy` package is that of the end of its phase.
        """
        phases = [phase for _, phase in self.phases]
        phases += [self.end] if self.end is not None else []
        left = [None, *map(left_at, phases)]
        return [
            self._since(phase, before)
            for phase, before in zip(phases, left, strict=False)
        ]

    def _since(self, phase: ReadPhase, before: float | None) -> float | None:
        """Return when *phase* began; *before* is when the phase before it was left."""
        if phase.daide is not None:
            return phase.daide.seconds
        stamp = before if phase.phase_start_time is None else phase.phase_start_time
        return since(stamp, self.started)

    def _kept(self, level: int) -> Kept:
        """Return what another program's file says beyond a record."""
        if self.game.daide is not None and not self.game.daide.foreign:
            return Kept()
        phases: list[tuple[Turn | None, ReadPhase]] = [*self.phases]
        phases += [(None, self.end)] if self.end is not None else []
        found = {turn: kept for turn, phase in phases if (kept := kept_in(phase))}
        return Kept(found, rules_kept(self.game.rules, level))


def _in_order(
    phases: Sequence[ReadPhase],
) -> tuple[list[tuple[Turn, ReadPhase]], ReadPhase | None]:
    """Return the phases by time, and the one called COMPLETED."""
    if not phases:
        message = "phases: found none, expected one at least"
        raise FormatError(message)
    # Of several phases with one name, dipcc takes the last one as well.
    by_name = {phase.name: phase for phase in phases}
    end = by_name.pop(COMPLETED_PHASE, None)
    ends = sum(phase.name == COMPLETED_PHASE for phase in phases)
    if ends > 1:
        message = f"phases: found {ends} called COMPLETED, expected one"
        raise FormatError(message)
    try:
        turns = [(phase_turn(name), phase) for name, phase in by_name.items()]
    except FormatError:
        _refuse_name(phases)
        raise
    turns.sort(key=lambda pair: pair[0])
    return turns, end


def _refuse_name(phases: Sequence[ReadPhase]) -> None:
    """Raise `FormatError` for the first phase whose name is none, with its place."""
    for number, phase in enumerate(phases):
        if phase.name != COMPLETED_PHASE:
            with within(f"phases[{number}].name"):
                phase_turn(phase.name)


def _started(game: ReadGame) -> float:
    """Return the first time in the file, in seconds since 1970; 0 if there is none."""
    if game.daide is not None:
        return game.daide.started
    stamps: list[float | None] = []
    for phase in game.phases:
        stamps += [phase.phase_start_time, left_at(phase)]
        stamps += [message.time_sent for message in messages_in(phase)]
    known = [seconds_of(stamp) for stamp in stamps if stamp is not None]
    return min(known, default=0.0)
