"""A loaded game: who is to play on, before it goes on.

Message Syntax: SVE, LOD, IAM. Whoever says NME is offered the game by LOD once it
has the map, and returns to its power by IAM; who refuses leaves a power in civil
disorder. IAM without NME will do as well. The game goes on when every power that had a
client has one again, or a client for each of the others has refused; with somebody
back it may be told not to wait for ever.
"""

from daide_server.language.messages import (
    Accepted,
    InDisorder,
    LoadGame,
    MapName,
    Name,
    Rejected,
)
from daide_server.language.tokens import Tokens

from .effects import Effect, Tell
from .events import ClientId, Seconds
from .pausing import end_pause
from .stages import Stage
from .state import GameState, Loading


def load(state: GameState, name: str, now: Seconds) -> list[Effect]:
    """Stand still and wait for clients: all that there were are gone."""
    awaited = state.present() or state.survivors
    for client in state.joined():
        state.seating.leave(client)
        state.deadlines.forget(client)
    for seat in state.seating:
        seat.in_disorder = False
        state.desk.go(seat.power)
    state.observers.clear()
    state.last_heard.clear()
    state.missed.clear()
    state.votes.clear()
    if state.stage is Stage.PLAYING:
        state.enter(Stage.PAUSED)
        state.deadlines.stop(now)
    state.wakes_at = None
    state.loading = Loading(name, awaited)
    return []


def offer(
    state: GameState, client: ClientId, said: Name, as_sent: Tokens
) -> list[Effect]:
    """Accept a client by NME, if a power lacks one."""
    loading = state.loading
    if loading is None or not state.has_offer:
        return [Tell((client,), (Rejected(as_sent),))]
    loading.offers[client] = said
    return [Tell((client,), (Accepted(as_sent), MapName(state.variant.name)))]


def accept_map(state: GameState, client: ClientId) -> list[Effect]:
    """Ask a client to load the game, instead of HLO."""
    assert state.loading is not None
    return [Tell((client,), (LoadGame(state.loading.name),))]


def refuse(state: GameState, client: ClientId, now: Seconds) -> list[Effect]:
    """Do without a client that cannot load the game."""
    assert state.loading is not None
    state.loading.offers.pop(client, None)
    state.loading.refused += 1
    return settle(state, now)


def settle(state: GameState, now: Seconds) -> list[Effect]:
    """Go on if all have answered; until then, wait a while for the others."""
    loading = state.loading
    if loading is None:
        return []
    if not state.present():
        state.wakes_at = None
        return []
    if len(loading.awaited - state.present()) <= loading.refused:
        return go_on(state, now)
    if state.wakes_at is None and state.policy.load_seconds is not None:
        state.wakes_at = now + state.policy.load_seconds
    return []


def go_on(state: GameState, now: Seconds) -> list[Effect]:
    """Play on: who is not there is in civil disorder until it returns."""
    state.loading = None
    told = end_pause(state, now)
    audience = state.audience()
    effects: list[Effect] = []
    for power in state.variant.map.powers:
        if power in state.survivors - state.present():
            state.seating[power].in_disorder = True
            effects.append(Tell(audience, (InDisorder(power),)))
    return effects + told
