"""The games of a tournament, as a function of its description; the next of a ladder.

Games and blocks are numbered from 1. A void game is repeated with the same line-up,
seats and seeds, so nothing here depends on an attempt. A ladder has no end: its plan is
the stored decisions, each a block, and each follows from ratings and draws.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import exp, inf

from attrs import frozen

from .chance import NumberStream, derived, derived_seed, permutation
from .description import TournamentDescription, design_of
from .designs import Balance, Design, LineUp, balance


@frozen
class PlannedGame:
    """A game to be played: the bot of each seat, and every seed.

    `bots` has the number of the bot of each seat, in the order of the description's
    powers; `bot_seeds` a seed for each.
    """

    number: int
    block: int
    bots: tuple[int, ...]
    seed: int
    bot_seeds: tuple[int, ...]


@frozen
class Plan:
    """All games of a tournament, in the order in which they begin."""

    description: TournamentDescription
    design: Design
    blocks: int
    games: int

    def game(self, number: int) -> PlannedGame:
        """Return game *number*; raises `IndexError` if there is none."""
        block, bots = self._dealt(number)
        seed, drawn = self.description.seed, number
        if self.description.design.opponent is not None:
            # The games of all bots that play alone in one seat have the same seeds.
            drawn = -(-number // (len(self.description.bots) - 1))
        return PlannedGame(
            number=number,
            block=block,
            bots=bots,
            seed=derived_seed(seed, "game", drawn),
            bot_seeds=tuple(
                derived_seed(seed, "bot", drawn, seat) for seat in range(len(bots))
            ),
        )

    def bots(self, number: int) -> LineUp:
        """Return the bot of each seat of game *number*."""
        return self._dealt(number)[1]

    def _dealt(self, number: int) -> tuple[int, LineUp]:
        """Return the block and the bots of game *number*."""
        if not 1 <= number <= self.games:
            raise IndexError(f"no game {number}: the plan has 1 to {self.games}")
        cycle, left = divmod(number - 1, self.design.cycle_games)
        block = bisect_right(self.design.block_starts, left) - 1
        line_up = self.design.blocks[block][left - self.design.block_starts[block]]
        labels = self._labels(cycle)
        bots = tuple(labels[bot] for bot in line_up)
        return cycle * len(self.design.blocks) + block + 1, bots

    def all_games(self) -> Iterator[PlannedGame]:
        """Return all games in their order."""
        return map(self.game, range(1, self.games + 1))

    def block_games(self, block: int) -> range:
        """Return the numbers of the games of *block*; none in an empty plan."""
        if not self.design.blocks:
            return range(1, 1)
        cycle, at = divmod(block - 1, len(self.design.blocks))
        before = cycle * self.design.cycle_games + 1
        starts = self.design.block_starts
        return range(before + starts[at], before + starts[at + 1])

    def balance(self) -> Balance:
        """Return how balanced the games are."""
        line_ups = (game.bots for game in self.all_games())
        return balance(line_ups, len(self.description.bots), self.design.seats)

    def _labels(self, cycle: int) -> tuple[int, ...]:
        """Return which bot has each number of the design, drawn for each cycle."""
        bots = len(self.description.bots)
        if not self.design.is_relabelled:
            return tuple(range(bots))
        return permutation(bots, self.description.seed, "labels", cycle)


def plan_of(
    description: TournamentDescription, decisions: Sequence[LineUp] = ()
) -> Plan:
    """Return the plan of *description*, with its games rounded up to complete blocks.

    For a ladder it is the *decisions* so far, in the order of the games. Raises
    `DescriptionError` if it cannot be played.
    """
    design = design_of(description, decisions)
    is_ladder = description.is_ladder
    games = len(decisions) if is_ladder else description.design.games
    cycles, left = divmod(games, max(1, design.cycle_games))
    whole = bisect_left(design.block_starts, left)
    return Plan(
        description,
        design,
        blocks=cycles * len(design.blocks) + whole,
        games=cycles * design.cycle_games + design.block_starts[whole],
    )


@frozen
class LadderBot:
    """The data of one bot on which the next line-up depends.

    `width` is that of its rating's interval; `None` if there is none yet.
    """

    bot: int
    skill: float = 0.0
    width: float | None = None


def next_line_up(
    bots: Sequence[LadderBot], before: Balance, draws: NumberStream
) -> LineUp:
    """Return the bot of each seat in the next game of a ladder, from one bot or more.

    The bot with the widest interval plays against those whose games tell most about it:
    of similar skill, with wide intervals, rarely met in the games *before*. Each takes
    the seat that it has had least. With fewer bots than seats all play, in copies.
    """
    order = list(range(len(bots)))
    draws.shuffle(order)
    drawn = [bots[at] for at in order]
    first = max(drawn, key=lambda bot: _uncertainty(bot, before))
    others = sorted(
        (bot for bot in drawn if bot is not first),
        key=lambda bot: _worth(first, bot, before),
        reverse=True,
    )
    ranked = [first, *others]
    players = [ranked[at % len(ranked)] for at in range(before.seats)]
    return _seated(players, before, draws)


def ladder_draws(seed: int, game: int) -> NumberStream:
    """Return the draws for the line-up of *game* of a ladder."""
    return NumberStream(derived(seed, "ladder", game))


def _uncertainty(bot: LadderBot, before: Balance) -> tuple[float, int]:
    """Return the width of the interval, then minus the number of seats it has had."""
    seats = sum(before.held[bot.bot, seat] for seat in range(before.seats))
    return (inf if bot.width is None else bot.width, -seats)


def _worth(first: LadderBot, other: LadderBot, before: Balance) -> float:
    """Return the relative information of a game of *first* with *other*."""
    closeness = exp(-abs(first.skill - other.skill))
    pair = min(first.bot, other.bot), max(first.bot, other.bot)
    novelty = 1 / (1 + before.met[pair])
    return closeness * novelty * (2.0 if other.width is None else 1 + other.width)


def _seated(
    players: Sequence[LadderBot], before: Balance, draws: NumberStream
) -> LineUp:
    """Return *players* in the seats that each has had least, the first one first."""
    free = list(range(len(players)))
    draws.shuffle(free)
    taken: dict[int, int] = {}
    for player in players:
        held = {seat: before.held[player.bot, seat] for seat in free}
        seat = min(free, key=held.__getitem__)
        free.remove(seat)
        taken[seat] = player.bot
    return tuple(taken[seat] for seat in range(len(players)))
