"""Reads JSON with one object per phase, from dipcc, the `diplomacy` package or us.

Accepts all harmless variants: messages as an array or an object, `null` orders, no
results, no COMPLETED phase, time stamps in any unit, WAIVE. Refuses what is impossible
on the board; the error names the phase, what was found and what was expected.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from attrs import evolve

from daide_server.board.position import Position
from daide_server.board.turns import Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.formats.decode_errors import decoded
from daide_server.formats.errors import FormatError
from daide_server.formats.format import FindVariant
from daide_server.records.record import (
    FOREIGN_EDITION,
    DrawVote,
    GameRecord,
    Message,
    PlayedTurn,
    PressOrVote,
)

from .extension import from_extension, inferred
from .map_names import COMPLETED_PHASE, Names, names_of, phase_turn
from .metadata import metadata_in
from .phase_reading import final_position, played, position_in
from .press_messages import press_and_votes_in, seconds_of
from .shapes import ReadGame, ReadPhase, messages_in

FOREIGN_PRESS_LEVEL: Final = 8000
"""The level of free text, such as the press of other servers."""
SAME_MAP: Final = {"fva": "standard", "standard_france_austria": "standard"}
"""Maps of other programs that differ from one of ours only in the first position."""
_DECODER: Final = msgspec.json.Decoder(ReadGame)


def read(
    text: str | bytes, variants: FindVariant, *, is_outline: bool = False
) -> GameRecord:
    """Return the record that the file *text* holds; an outline has no orders.

    *variants* finds the variant that the file names. Raises `FormatError` if the
    file is no record that can be read.
    """
    try:
        game = decoded(text, _DECODER)
        variant = variants(_variant_name(game))
    except VariantError as error:
        message = f"map: {error}"
        raise FormatError(message) from None
    record = _Reader(game, variant, is_outline=is_outline).record()
    if game.daide is not None:
        return from_extension(record, names_of(variant.map), game.daide)
    completed = any(phase.name == COMPLETED_PHASE for phase in game.phases)
    return inferred(record) if completed else record


def _variant_name(game: ReadGame) -> str:
    if game.daide is None:
        return SAME_MAP.get(game.map, game.map)
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

    def record(self) -> GameRecord:
        """Return the record without the data of the key `daide`."""
        positions = [
            position_in(self.names, turn, phase) for turn, phase in self.phases
        ]
        count = len(positions) - self._is_last_unplayed(positions)
        turns = tuple(
            self._played(position, phase)
            for position, (_, phase) in zip(
                positions[:count], self.phases[:count], strict=True
            )
        )
        last, since = self._last(positions[count:])
        sent = () if self.is_outline else tuple(self._press_and_votes())
        messages = tuple(each for each in sent if isinstance(each, Message))
        return GameRecord(
            id=self.game.id or self.game.game_id or "",
            variant=self.variant,
            edition=FOREIGN_EDITION,
            level=FOREIGN_PRESS_LEVEL if messages else 0,
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
        )

    def _played(self, position: Position, phase: ReadPhase) -> PlayedTurn:
        since = self._since(phase)
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
        return evolve(after, turn=turn) == positions[-1]

    def _last(self, unplayed: Sequence[Position]) -> tuple[Position, float]:
        """Return the position after all turns, and since when it stood."""
        if unplayed:
            self._check_end(unplayed[0])
            return unplayed[0], self._since(self.phases[-1][1])
        assert self.end is not None, "without an end the last turn is unplayed"
        turn = self.phases[-1][0].next() if self.phases else self.variant.start.turn
        if self.game.daide is not None and self.game.daide.last:
            turn = phase_turn(self.game.daide.last)
        return final_position(self.names, turn, self.end), self._since(self.end)

    def _check_end(self, unplayed: Position) -> None:
        """Raise `FormatError` if the end shows another board than the unplayed turn."""
        if self.end is None:
            return
        end = final_position(self.names, unplayed.turn, self.end)
        if end != evolve(unplayed, dislodged={}):
            message = (
                f"{COMPLETED_PHASE}: other units or centers found than in "
                f"{self.phases[-1][1].name}, expected the same: nothing was played"
            )
            raise FormatError(message)

    def _press_and_votes(self) -> Iterator[PressOrVote]:
        for turn, phase in self.phases:
            yield from press_and_votes_in(
                self.names, turn, messages_in(phase), self.started
            )
        if self.end is not None:
            yield from press_and_votes_in(
                self.names, None, messages_in(self.end), self.started
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
    ends = [phase for phase in phases if phase.name == COMPLETED_PHASE]
    turns = [
        (phase_turn(phase.name), phase)
        for phase in phases
        if phase.name != COMPLETED_PHASE
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
    """Return when the game began, in seconds since 1970; 0 if it is not in the file."""
    if game.daide is not None:
        return game.daide.started
    stamps = [
        phase.phase_start_time
        for phase in game.phases
        if phase.phase_start_time is not None
    ] + [message.time_sent for phase in game.phases for message in messages_in(phase)]
    return seconds_of(min(stamps)) if stamps else 0.0
