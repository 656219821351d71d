"""Carries out what a game decided: sends, admits, closes connections."""

from collections.abc import Callable, Sequence
from typing import Final

from daide_server.board.names import Power
from daide_server.game.effects import (
    Admit,
    CloseClient,
    Effect,
    Record,
    Refuse,
    ReportRecordFull,
    Send,
)
from daide_server.game.events import ClientId
from daide_server.game.game_state import GameState
from daide_server.game.seating import ClientRole
from daide_server.lobby.directory import GameId
from daide_server.records.entries import RecordEntry

from .events import ClientDropped, RecordFull
from .game_setup import GameServices
from .session_phases import Rank

WITHOUT_MAP: Final = {
    ClientRole.JOINED,
    ClientRole.OBSERVER,
    ClientRole.LOAD_PENDING,
}
"""What a client is that has yet to accept the map, when it is let in."""


class EffectCarrier:
    """The way from the effects of a game to its clients."""

    def __init__(
        self,
        number: GameId,
        state: GameState,
        services: GameServices,
        record: Callable[[RecordEntry], None],
    ) -> None:
        """Hand entries of the record to *record*."""
        self._number: Final = number
        self._state: Final = state
        self._clients: Final = services.clients
        self._emit: Final = services.events
        self._record: Final = record

    def carry_out(self, effects: Sequence[Effect]) -> None:
        """Send and record; close connections after all that they are sent."""
        closing: list[ClientId] = []
        for effect in effects:
            # Nearly all effects are these two.
            if isinstance(effect, Send):
                self._clients.send(effect.clients, effect.messages, self._number)
                continue
            if isinstance(effect, Record):
                self._record(effect.entry)
                continue
            match effect:
                case Admit(client=client, role=role, power=power):
                    rank, awaits_map = self._rank(role, power), role in WITHOUT_MAP
                    self._clients.admit(client, rank, awaits_map=awaits_map)
                case Refuse():
                    pass  # the dispatcher reports why
                case CloseClient(client=client, reason=reason):
                    closing.append(client)
                    if reason:
                        self._emit(ClientDropped(client, reason))
                case ReportRecordFull(power=power):
                    self._emit(RecordFull(self._number, power))
        if closing:
            self._clients.finish(closing)

    def _rank(self, role: ClientRole, power: Power | None) -> Rank:
        if role is ClientRole.JOINED:
            # It may have no power until the game begins.
            return Rank.SEATED
        if power is None:
            return Rank.GUEST
        return Rank.PLAYING if self._state.is_running else Rank.SEATED
