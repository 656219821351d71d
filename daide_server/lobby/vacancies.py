"""Which seats of a running game may be taken by IAM. Message Syntax: IAM, NME."""

from collections.abc import Iterable

from daide_server.board.names import Power
from daide_server.game.game import Game


def may_have_vacancy(game: Game) -> bool:
    """Return whether *game* has a seat for IAM, or gets one without a client leaving.

    Where silent clients may be replaced every seat is one.
    """
    state = game.state
    if state.policy.takeover_after is not None:
        return True
    is_full = len(state.seating.occupied) == len(state.variant.map.powers)
    return state.is_running and not is_full


def may_be_claimed(game: Game, power: Power) -> bool:
    """Return whether *game* may have a seat of *power* for IAM."""
    state = game.state
    if not state.is_running or power not in state.variant.map.power_index:
        return False
    return (
        state.seating[power].client is None or state.policy.takeover_after is not None
    )


def has_left(name: str, games: Iterable[Game]) -> bool:
    """Return whether a name `POW:Name` is that of a player who left its seat.

    Clients that were started to rejoin send IAM only after their NME was refused.
    """
    power, colon, bare = name.partition(":")
    return bool(colon) and any(_was_held(game, Power(power), bare) for game in games)


def _was_held(game: Game, power: Power, name: str) -> bool:
    """Return whether a player of that name left the seat of *power* in *game*."""
    state = game.state
    if not state.is_running or power not in state.variant.map.power_index:
        return False
    seat = state.seating[power]
    return seat.client is None and seat.name.removeprefix(f"{power}:") == name
