"""Tournaments whose games are drawn, not played: centres go to bots by strength."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import evolve

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.description import (
    DesignChoice,
    Entrant,
    TournamentDescription,
)
from daide_server.tournament.game_outcomes import (
    Forfeit,
    GameOutcome,
    Ledger,
    PlayedGame,
    SeatOutcome,
)
from daide_server.tournament.plan import Plan, PlannedGame, plan_of
from daide_server.usage import ThinkTimes, think_times

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))
CENTRES = 34
SOLO = 18
START = (3, 3, 3, 3, 3, 4, 3)
YEARS = 10
NO_ANCHORS: Mapping[int, float] = {}

Change = Callable[[PlayedGame], PlayedGame]


def ledger(plan: Plan, outcomes: Iterable[GameOutcome]) -> Ledger:
    """Return the ledger of *outcomes*, in the order in which they were stored."""
    result = Ledger(plan)
    for outcome in outcomes:
        result.add(outcome)
    return result


def described(
    count: int = 7, games: int = 42, **others: object
) -> TournamentDescription:
    """Return a tournament of *count* bots; *others* are what else differs."""
    entrants = tuple(Entrant(f"bot{at}") for at in range(count))
    base = TournamentDescription(
        "cup", 1, POWERS, entrants, design=DesignChoice(games=games)
    )
    return evolve(base, **others)  # type: ignore[arg-type]


def played(game: PlannedGame, attempt: int = 1) -> PlayedGame:
    """Return *game* as `drawn_game` draws it for equal bots, in an *attempt*."""
    return evolve(drawn_game(game, (1.0,) * (1 + max(game.bots))), attempt=attempt)


def all_played(of: Plan, strengths: Sequence[float]) -> Ledger:
    """Return the ledger of all games *of* a plan, as they are drawn."""
    return ledger(of, [drawn_game(game, strengths) for game in of.all_games()])


def played_ledger(
    *,
    games: int,
    strengths: Sequence[float] = (1,) * 3,
    names: Sequence[str] = (),
    played: int | None = None,
    change: Change = lambda game: game,
) -> Ledger:
    """Return the ledger of the first *played* of *games* (`None`: all)."""
    bots = tuple(map(Entrant, names or [f"bot{at}" for at in range(len(strengths))]))
    of = plan_of(described(games=games, name="winter cup", bots=bots))
    numbers = range(1, (of.games if played is None else played) + 1)
    games_played = (drawn_game(of.game(number), strengths) for number in numbers)
    return ledger(of, map(change, games_played))


def ladder_ledger(
    *, games: int, strengths: Sequence[float], anchors: Mapping[int, float] = NO_ANCHORS
) -> Ledger:
    """Return the ledger of a ladder of *games*, whose line-ups go round the bots."""
    count = len(strengths)
    bots = tuple(Entrant(f"bot{at}", anchor=anchors.get(at)) for at in range(count))
    seats = range(len(POWERS))
    decisions = [
        tuple((game * 3 + seat) % count for seat in seats) for game in range(games)
    ]
    of = plan_of(
        described(name="ladder", bots=bots, design=DesignChoice(kind="ladder")),
        decisions,
    )
    numbers = range(1, games + 1)
    return ledger(of, [drawn_game(of.game(number), strengths) for number in numbers])


def forfeited(number: int, reason: str) -> Change:
    """Return a change: the first seat of game *number* was forfeited."""

    def change(game: PlayedGame) -> PlayedGame:
        if game.game != number:
            return game
        forfeit = Forfeit("F1903M", reason, "Traceback (most recent call last)")
        seats = (evolve(game.seats[0], forfeit=forfeit), *game.seats[1:])
        return evolve(game, seats=seats)

    return change


def drawn_game(game: PlannedGame, strengths: Sequence[float]) -> PlayedGame:
    """Return *game* with centres and times by chance, the same for the same game."""
    draws = NumberStream(game.seed)
    weights = [strengths[bot] * (0.3 + draws.unit()) for bot in game.bots]
    years = [_centres(weights, at / YEARS) for at in range(YEARS + 1)]
    by_power = dict(zip(POWERS, zip(*years, strict=True), strict=True))
    seats = zip(game.bots, POWERS, strict=True)
    return PlayedGame(
        game.number,
        1,
        result_with({power: counts[-1] for power, counts in by_power.items()}),
        tuple(
            SeatOutcome(bot, power, "1.0", think_times=_times(draws))
            for bot, power in seats
        ),
        by_power,
    )


def result_with(centres: dict[Power, int]) -> GameResult:
    """Return the result of ten years that end with *centres*."""
    return GameResult(
        centres=centres,
        eliminated={power: 1905 for power, count in centres.items() if not count},
        soloist=next(
            (power for power, count in centres.items() if count >= SOLO), None
        ),
        draw=frozenset(),
        first_year=1901,
        last_year=1900 + YEARS,
        supply=CENTRES,
    )


def _centres(weights: Sequence[float], part: float) -> list[int]:
    """Return centres between those of the start and those by squared *weights*."""
    squares = [weight**2.5 for weight in weights]
    wanted = [CENTRES * square / sum(squares) for square in squares]
    mixed = [
        begin + part * (end - begin) for begin, end in zip(START, wanted, strict=True)
    ]
    counts = [round(each) for each in mixed]
    # Rounded, they may be more or fewer than there are.
    counts[counts.index(max(counts))] += round(sum(mixed)) - sum(counts)
    return counts


def _times(draws: NumberStream) -> ThinkTimes:
    return think_times([0.01 + draws.unit() for _ in range(3)])
