"""The ladder: the next line-up of a tournament without an end, where bots come and go.

A pure decision: the same ratings and the same draws give the same line-up. The plan of
a ladder is the decisions that were stored, each a block of its own.
"""

from collections.abc import Mapping, Sequence
from math import exp, inf

from daide_server.classes import frozen

from .balance import LineUp
from .chance import NumberStream, derived
from .description import TournamentDescription
from .designs import Design
from .plan import Plan, plan


@frozen
class LadderBot:
    """What the next line-up depends on, for one bot.

    `width` is that of its rating's interval, `None` before there is one. `held` counts
    its games per seat, `met` those with each other bot.
    """

    bot: int
    skill: float = 0.0
    width: float | None = None
    held: tuple[int, ...] = ()
    met: Mapping[int, int] = {}

    @property
    def games(self) -> int:
        """In how many seats it has played."""
        return sum(self.held)

    @property
    def uncertainty(self) -> tuple[float, int]:
        """The width of the interval, then the negative number of games."""
        return (inf if self.width is None else self.width, -self.games)


def next_line_up(bots: Sequence[LadderBot], seats: int, draws: NumberStream) -> LineUp:
    """Return who holds which seat in the next game of a ladder.

    The bot with the widest interval plays against those whose games tell most about
    it: of similar skill, with wide intervals, rarely met. Each takes the seat that it
    had least. With fewer bots than seats all play, in copies.

    Raises `ValueError` without any bot.
    """
    if not bots:
        message = "a ladder needs a bot to play"
        raise ValueError(message)
    order = list(range(len(bots)))
    draws.shuffle(order)
    drawn = [bots[at] for at in order]
    first = max(drawn, key=lambda bot: bot.uncertainty)
    others = sorted(
        (bot for bot in drawn if bot is not first),
        key=lambda bot: _worth(first, bot),
        reverse=True,
    )
    ranked = [first, *others]
    players = [ranked[at % len(ranked)] for at in range(seats)]
    return _seated(players, draws)


def ladder_draws(seed: int, game: int) -> NumberStream:
    """Return the draws for the line-up of *game* of a ladder."""
    return NumberStream(derived(seed, "ladder", game))


def ladder_plan(
    description: TournamentDescription, decisions: Sequence[LineUp]
) -> Plan:
    """Return the plan of a ladder so far: *decisions* in the order of the games."""
    seats = len(description.powers)
    blocks = tuple((line_up,) for line_up in decisions)
    design = Design(len(description.bots), seats, blocks)
    return Plan(description, design, len(blocks), len(blocks))


def plan_of(described: TournamentDescription, decisions: Sequence[LineUp]) -> Plan:
    """Return the plan of *described*; that of a ladder is its *decisions*."""
    if described.is_ladder:
        return ladder_plan(described, decisions)
    return plan(described)


def _worth(first: LadderBot, other: LadderBot) -> float:
    """Return how much a game of *first* with *other* may tell, in no unit."""
    closeness = exp(-abs(first.skill - other.skill))
    novelty = 1 / (1 + first.met.get(other.bot, 0))
    return closeness * novelty * (2.0 if other.width is None else 1 + other.width)


def _seated(players: Sequence[LadderBot], draws: NumberStream) -> LineUp:
    """Return *players* in the seats that each had least, the first choosing first."""
    free = list(range(len(players)))
    draws.shuffle(free)
    taken: dict[int, int] = {}
    for player in players:
        held = player.held or (0,) * len(players)
        seat = min(free, key=held.__getitem__)
        free.remove(seat)
        taken[seat] = player.bot
    return tuple(taken[seat] for seat in range(len(players)))
