"""A loaded game, until its players are back.

Message Syntax: SVE, LOD, IAM. A client that sends NME is asked by LOD to load the game
once it has the map, and returns to its power by IAM; one that refuses leaves a power in
civil disorder. IAM without NME is accepted too. The game goes on when every power that
had a client has one again, or as many clients have refused as powers lack one; a limit
in the server's policy bounds the wait once somebody is back.
"""

from daide_server.language.messages import (
    AcceptMap,
    LoadGame,
    MapName,
    Name,
    RefuseLoad,
)

from .absence import declare_disorder, resume
from .clock import Timeout
from .effects import Admit, Effect
from .events import Seconds
from .game_state import GameState
from .load_offers import LoadOffers
from .refusals import JoinRefusal
from .request import Request
from .stages import Cause


def load(state: GameState, name: str, now: Seconds) -> list[Effect]:
    """Stop the clock and wait for clients: the connections of before are gone.

    A game that has not begun, or is over, waits for no client.
    """
    if not state.is_running:
        return []
    awaited = state.present() or state.turn.survivors
    for client in state.joined():
        state.seating.leave(client)
        state.observers.leave(client)
        state.clock.forget(client)
    for seat in state.seating:
        seat.regain_control()
        state.turn.orders.go(seat.power)
    state.turn.votes.clear()
    state.enter_loading(LoadOffers(name, awaited), now)
    return []


def offer(state: GameState, offers: LoadOffers, request: Request[Name]) -> list[Effect]:
    """Accept a client by NME, if a power lacks one."""
    if not state.takes_players:
        return request.refuse(JoinRefusal.NO_OPEN_SEAT)
    offers.add(request.client, request.message)
    admitted = Admit(request.client, state.role_of(request.client), None)
    return [admitted, *request.accept(MapName(state.variant.name))]


def ask_to_load(offers: LoadOffers, request: Request[AcceptMap]) -> list[Effect]:
    """Send LOD to a client that has the map, in place of HLO."""
    return request.answer(LoadGame(offers.name))


def refuse(state: GameState, request: Request[RefuseLoad]) -> list[Effect]:
    """Do without a client that cannot load the game: REJ (LOD)."""
    if state.loading is None:
        return []
    state.loading.refuse(request.client)
    return proceed(state, state.loading, request.now)


def proceed(state: GameState, offers: LoadOffers, now: Seconds) -> list[Effect]:
    """Go on if all have answered; until then, wait for the others."""
    present = state.present()
    if not present:
        state.clock.stop_waiting()
        return []
    if offers.are_settled(present):
        return go_on(state, Cause.LOAD_COMPLETE, now)
    if not state.clock.is_waiting:
        state.clock.wait_for(Timeout.LOAD, now)
    return []


def go_on(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """Play on; powers without a client are in civil disorder until one returns."""
    announced = resume(state, cause, now)
    absent = state.turn.survivors - state.present()
    effects: list[Effect] = []
    for power in state.in_order(absent):
        effects += declare_disorder(state, power)
    return effects + announced
