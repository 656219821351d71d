"""What went wrong in a tournament: each forfeit and each void game, in plan order."""

from collections.abc import Iterator
from typing import Literal

from daide_server.board.names import Power
from daide_server.classes import frozen

from .game_outcomes import Attempt, Ledger, PlayedGame, VoidGame

IncidentKind = Literal["forfeit", "void", "stand-in"]


@frozen
class Incident:
    """A forfeit, a void game, or a seat that a stand-in played from the start.

    `bot` and `power` are `None` for a void game, which is nobody's fault. `turn` is
    `None` before the first. `afterwards` says what became of a void game, `output` is
    the end of what the bot printed.
    """

    kind: IncidentKind
    attempt: Attempt
    reason: str
    bot: str | None = None
    power: Power | None = None
    turn: str | None = None
    output: str = ""
    afterwards: str = ""


def incidents(ledger: Ledger) -> Iterator[Incident]:
    """Yield the incidents in all games that were played or void, by game."""
    for game in sorted({*ledger.played, *ledger.voids}):
        for void in ledger.voids.get(game, ()):
            yield _void(ledger, void)
        if game in ledger.played:
            yield from _of_seats(ledger, ledger.played[game])


def _void(ledger: Ledger, void: VoidGame) -> Incident:
    played = ledger.played.get(void.game)
    if played is not None:
        afterwards = f"played in attempt {played.attempt}"
    elif ledger.is_settled(void.game):
        afterwards = "given up after its retries"
    else:
        afterwards = "to be played again"
    attempt = Attempt(void.game, void.attempt)
    return Incident("void", attempt, void.reason, afterwards=afterwards)


def _of_seats(ledger: Ledger, played: PlayedGame) -> Iterator[Incident]:
    attempt = Attempt(played.game, played.attempt)
    for seat in played.seats:
        bot = ledger.plan.description.bots[seat.bot].name
        if seat.forfeit is not None:
            reason, output = seat.forfeit.reason, seat.forfeit.output
            turn = seat.forfeit.turn
            yield Incident("forfeit", attempt, reason, bot, seat.power, turn, output)
        elif seat.stand_in:
            reason = "a bot that holds played in its place"
            yield Incident("stand-in", attempt, reason, bot, seat.power)
