"""Reads JSON with one object per phase, from dipcc, the `diplomacy` package or us.

Accepts all harmless variants: messages as an array or an object, `null` orders, no
results, no COMPLETED phase, time stamps in any unit, WAIVE. Refuses what is impossible
on the board; the error names the phase, what was found and what was expected.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Turn, Variant, VariantError
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import ConvoyedMove, Move, Order, Waive, by_unit
from daide_server.board.results import OrderNote, Report
from daide_server.daide.commands import FREE_TEXT_LEVEL
from daide_server.records import record as records
from daide_server.records.consequences import Consequences, reports_of
from daide_server.records.formats import errors
from daide_server.records.formats.format import FindVariant

from . import extension
from .lenient_orders import AmbiguousOrderError, LenientOrderReader
from .map_names import COMPLETED_PHASE, consequences_in, names_of, phase_turn
from .package_names import OUR_BOARDS, in_our_words
from .position_state import position_of
from .press_messages import press_and_votes_in, seconds_of, since
from .shapes import PhaseExtension, ReadGame, ReadPhase, messages_in, retreats_in

_DECODER = msgspec.json.Decoder(ReadGame)


def read(text: str | bytes, variants: FindVariant) -> records.GameRecord:
    """Return the record that the file *text* holds.

    *variants* finds the variant that the file names. Raises `FormatError` if the
    file is no record that can be read.
    """
    text = in_our_words(text)
    try:
        return _record(errors.decoded(text, _DECODER), variants)
    except (errors.FormatError, UnicodeDecodeError):
        # Other errors than of the whole shape have no place.
        errors.expect_utf8(text)
        raise


def _record(game: ReadGame, variants: FindVariant) -> records.GameRecord:
    try:
        variant = variants(_variant_name(game))
    except VariantError as error:
        raise errors.FormatError(f"map: {error}") from None
    record = _Reader(game, variant).record()
    if game.daide is not None:
        record = extension.from_extension(record, names_of(variant.map), game.daide)
    elif any(phase.name == COMPLETED_PHASE for phase in game.phases):
        record = extension.inferred(record)
    return extension.with_own_words(record, game)


def _edition(game: ReadGame) -> str:
    """Return the edition of the program that wrote the file.

    The `diplomacy` package has a hash of the board in each state.
    """
    hashed = game.phases[-1].state.zobrist_hash is not UNSET
    return "diplomacy" if hashed else records.FOREIGN_EDITION


def _variant_name(game: ReadGame) -> str:
    if game.daide is None:
        return OUR_BOARDS.get(game.map, game.map)
    return game.daide.variant or game.map


class _Reader:
    """Makes the record of one file."""

    def __init__(self, game: ReadGame, variant: Variant) -> None:
        self.game = game
        self.variant = variant
        self.names = names_of(variant.map)
        self.phases, self.end = _in_order(game.phases)
        self.all: list[tuple[Turn | None, ReadPhase]] = [*self.phases]
        self.all += [] if self.end is None else [(None, self.end)]
        self.started = _started(game)
        self.times = self._times()

    def record(self) -> records.GameRecord:
        """Return the record without the data of the key `daide`."""
        positions = [self._position(turn, phase) for turn, phase in self.phases]
        count = len(positions) - self._is_last_unplayed(positions)
        turns = tuple(
            self._played(position, phase, since)
            for position, (_, phase), since in zip(
                positions[:count], self.phases[:count], self.times[:count], strict=True
            )
        )
        last, since = self._last(positions[count:])
        sent = tuple(self._press_and_votes())
        messages = tuple(each for each in sent if isinstance(each, records.Message))
        # Press of other servers is free text.
        level = FREE_TEXT_LEVEL if messages else 0
        return records.GameRecord(
            id=self.game.id or self.game.game_id or "",
            variant=self.variant,
            edition=_edition(self.game),
            level=level,
            started=self.started,
            turns=turns,
            messages=messages,
            votes=tuple(each for each in sent if isinstance(each, records.DrawVote)),
            last=last,
            last_since=since,
            metadata=extension.metadata_in(self.game),
            foreign=self.game.daide is None,
            kept=self._kept(level),
        )

    # Positions

    def _position(self, turn: Turn, phase: ReadPhase) -> Position:
        state = phase.state
        with errors.within(phase.name):
            retreats = retreats_in(phase)
            return position_of(self.names, turn, state.units, state.centers, retreats)

    def _final(self, turn: Turn, phase: ReadPhase) -> Position:
        """Return the position after the end of the game, without retreats."""
        units = {
            power: [text for text in texts if not text.startswith("*")]
            for power, texts in phase.state.units.items()
        }
        with errors.within(phase.name):
            return position_of(self.names, turn, units, phase.state.centers)

    def _is_last_unplayed(self, positions: Sequence[Position]) -> bool:
        """Return whether the last turn of the file was not processed."""
        if not positions or self.end is None:
            return bool(positions)
        turn, phase = self.phases[-1]
        if phase.daide is not None:
            return not phase.daide.played
        if any((phase.orders or {}).values()) or phase.results:
            return False
        return replace(self._final(turn, self.end), turn=turn) == positions[-1]

    def _last(self, unplayed: Sequence[Position]) -> tuple[Position, float | None]:
        """Return the position after all turns, and when its turn began."""
        if unplayed:
            self._check_end(unplayed[0])
            return unplayed[0], self.times[len(self.phases) - 1]
        assert self.end is not None, "without an end the last turn is unplayed"
        turn = self.phases[-1][0].next() if self.phases else self.variant.start.turn
        if self.game.daide is not None and self.game.daide.last:
            with errors.within("daide.last"):
                turn = phase_turn(self.game.daide.last)
        return self._final(turn, self.end), self.times[-1]

    def _check_end(self, unplayed: Position) -> None:
        """Raise `FormatError` if the end shows another board than the unplayed turn."""
        if self.end is None:
            return
        if self._final(unplayed.turn, self.end) != replace(unplayed, dislodged={}):
            message = (
                f"{COMPLETED_PHASE}: other units or centers found than in "
                f"{self.phases[-1][1].name}, expected the same: nothing was played"
            )
            raise errors.FormatError(message)

    # Turns: orders and their results

    def _played(
        self, position: Position, phase: ReadPhase, since: float | None
    ) -> records.PlayedTurn:
        """Return the turn that *phase* records, from *position*."""
        daide = phase.daide
        with errors.within(phase.name):
            orders = self._orders(position, phase)
            results = self._results(position, orders, phase)
            reports = reports_of(position, orders, results)
            players = daide.players if daide else None
            tallies = extension.tallies_in(self.names, players)
            noted = self._noted(reports, daide.notes if daide else {})
            return records.PlayedTurn(position, orders, noted, since, tallies)

    def _noted(
        self, reports: tuple[Report, ...], notes: Mapping[str, str]
    ) -> tuple[Report, ...]:
        """Return *reports* with *notes*, those of the key `daide`, for `void`."""
        if not notes:
            return reports
        return tuple(
            replace(each, result=errors.member(OrderNote, notes[text], "daide.notes"))
            if (text := self.names.unit_text(_unit(each))) in notes
            else each
            for each in reports
        )

    def _orders(self, position: Position, phase: ReadPhase) -> tuple[Order, ...]:
        names, daide = self.names, phase.daide
        units = {unit.location.province: unit for unit in position.units}
        found: list[Order] = []
        for power_text, texts in (phase.orders or {}).items():
            if not texts and power_text in names.absent:
                continue
            power = names.power(power_text)
            for text in filter(None, texts or ()):
                order = self._order(text, power, position, units)
                if daide and isinstance(order, ConvoyedMove):
                    order = self._as_written(order, text, daide)
                found.append(order)
        for power_text, count in (daide.waives if daide else {}).items():
            found += [Waive(names.power(power_text))] * count
        return tuple(found)

    def _order(
        self,
        text: str,
        power: Power,
        position: Position,
        units: Mapping[Province, Unit],
    ) -> Order:
        """Return the order in *text*, as programs or people write it.

        Raises `FormatError` if there is none, and `AmbiguousOrderError` if it can mean
        several.
        """
        try:
            return self.names.order(text, power, units, position.turn.phase)
        except errors.FormatError as error:
            try:
                return LenientOrderReader(self.variant, position).order(text, power)
            except AmbiguousOrderError:
                raise
            except errors.FormatError:
                raise error from None

    def _as_written(
        self, order: ConvoyedMove, text: str, daide: PhaseExtension
    ) -> Order:
        """Return *order* as our own writer wrote it.

        It always writes VIA, and the route under `daide`; other files omit both.
        """
        if not text.endswith("VIA"):
            return Move(order.unit, order.destination)
        seas = daide.routes.get(self.names.unit_text(order.unit))
        if seas is None:
            return order
        route = tuple(self.names.location(sea).province for sea in seas)
        return replace(order, route=route)

    def _results(
        self, position: Position, orders: Sequence[Order], phase: ReadPhase
    ) -> list[tuple[Unit, Consequences]]:
        units = position.units
        if position.turn.phase is Phase.RETREATS:
            units = tuple(position.dislodged)
        elif position.turn.phase is Phase.ADJUSTMENTS:
            units += tuple(by_unit(orders))
        by_text = {self.names.unit_text(unit): unit for unit in units}
        adjusting = position.turn.phase is Phase.ADJUSTMENTS
        return [
            # Most orders succeed, which has no words.
            (by_text[text], _consequences(words, adjusting=adjusting) if words else ())
            for text, words in (phase.results or {}).items()
            if text in by_text
        ]

    # Press, and times

    def _press_and_votes(self) -> Iterator[records.PressOrVote]:
        turns = {phase.name: turn for turn, phase in self.all}
        for _, phase in self.all:
            yield from press_and_votes_in(
                self.names, turns, phase.name, messages_in(phase), self.started
            )

    def _times(self) -> list[float | None]:
        """Return since when each phase was played, the one called COMPLETED last.

        The time in a state of the `diplomacy` package is that of the end of its phase.
        """
        left = [None, *(extension.left_at(phase) for _, phase in self.all)]
        return [
            self._since(phase, before)
            for (_, phase), before in zip(self.all, left, strict=False)
        ]

    def _since(self, phase: ReadPhase, before: float | None) -> float | None:
        """Return when *phase* began; *before* is when the phase before it was left."""
        if phase.daide is not None:
            return phase.daide.seconds
        stamp = before if phase.phase_start_time is None else phase.phase_start_time
        return since(stamp, self.started)

    def _kept(self, level: int) -> records.ForeignData:
        """Return the data of another program's file that a record lacks."""
        if self.game.daide is not None and not self.game.daide.foreign:
            return records.ForeignData()
        found = {
            turn: kept for turn, phase in self.all if (kept := extension.kept_in(phase))
        }
        return records.ForeignData(found, extension.rules_kept(self.game.rules, level))


def _unit(report: Report) -> Unit:
    assert not isinstance(report.order, Waive), "no words are on a waive"
    return report.order.unit


def _consequences(words: Sequence[str], *, adjusting: bool) -> Consequences:
    """Return the consequences that *words* say; some have numbers before them.

    A repeated build or removal is void, but the first one is carried out, which the
    empty word says.
    """
    if adjusting and "" in words:
        return ()
    return consequences_in(word.rpartition(":")[2] for word in words)


def _in_order(
    phases: Sequence[ReadPhase],
) -> tuple[list[tuple[Turn, ReadPhase]], ReadPhase | None]:
    """Return the phases by time, and the one called COMPLETED."""
    if not phases:
        raise errors.FormatError("phases: found none, expected one at least")
    ends = [phase for phase in phases if phase.name == COMPLETED_PHASE]
    if len(ends) > 1:
        raise errors.FormatError(
            f"phases: found {len(ends)} called COMPLETED, expected one"
        )
    # Of several phases with one name, dipcc takes the last one as well.
    found: dict[Turn, ReadPhase] = {}
    for number, phase in enumerate(phases):
        if phase.name != COMPLETED_PHASE:
            with errors.within(f"phases[{number}].name"):
                found[phase_turn(phase.name)] = phase
    return [(turn, found[turn]) for turn in sorted(found)], ends[0] if ends else None


def _started(game: ReadGame) -> float:
    """Return the first time in the file, in seconds since 1970; 0 if there is none."""
    if game.daide is not None:
        return game.daide.started
    stamps: list[float | None] = []
    for phase in game.phases:
        stamps += [phase.phase_start_time, extension.left_at(phase)]
        stamps += [message.time_sent for message in messages_in(phase)]
    known = [seconds_of(stamp) for stamp in stamps if stamp is not None]
    return min(known, default=0.0)
