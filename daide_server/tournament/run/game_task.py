"""The input of a worker for one game of a tournament, and its output."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import TypeGuard

from attrs import frozen

from daide_server.board.names import Power
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, TURN_SECONDS, either, one_of
from daide_server.tournament import game_outcomes
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.game_outcomes import Attempt, GameOutcome, VoidGame

from .bot_settings import ANY_NUMBER, BotSettings

SERVER_LOG = "server.log"
"""The name of the server's log among the logs of a game."""
SLOW_START = "not ready in time: "
"""The beginning of the reason of a game that is void because a bot was slow."""
BENCHED = "not started: it has forfeited too often"
AT_FAULT = "not started: it has ended the workers of its games"
"""The reasons of forfeits of bots that are replaced by a holding bot."""


@frozen
class SeatTask:
    """The bot of one seat; `stand_in`: why a holding bot plays instead, if it does."""

    power: Power
    bot: int
    program: BotSettings
    seed: int
    stand_in: str = ""


def dealt(
    powers: Iterable[Power], programs: Iterable[BotSettings], chance: Random
) -> dict[Power, SeatTask]:
    """Return the seats of *powers* for bots in order, with seeds from *chance*."""
    return {
        power: SeatTask(power, bot, program, chance.randrange(1 << SEED_BITS))
        for bot, (power, program) in enumerate(zip(powers, programs, strict=True))
    }


@frozen(kw_only=True)
class TroubleLimits:
    """When a bot has forfeited, and what follows: the settings of `[trouble]`."""

    start_seconds: float = setting(
        SECONDS, 60.0, "Seconds from the start of a bot until it has its seat."
    )
    stalled_seconds: float = setting(
        either(TURN_SECONDS, 0.0, 0.0),
        60.0,
        "Without deadlines: a bot that owes orders for this long has hung; 0: never.",
    )
    away_seconds: float = setting(
        SECONDS,
        60.0,
        "Seconds without a connection after which a bot has forfeited; with deadlines "
        "half of the limit, if that is less.",
    )
    late_turns: int = setting(
        COUNT, 3, "With deadlines: late turns in a row that are a forfeit."
    )
    crash: str = setting(
        one_of(("play on", "void")),
        "play on",
        "After a crash of a bot: its units hold and the game counts as a forfeit (play "
        "on), or the game is repeated (void).",
    )
    retries: int = setting(
        ANY_NUMBER,
        2,
        "How often a void game is repeated, with the same bots, seats and seeds.",
    )
    bench_after: int = setting(
        ANY_NUMBER,
        5,
        "After this number of forfeits in a row a bot gets no more games; 0: never.",
    )


@frozen
class GameTask:
    """One attempt at one game.

    `game` has the server's settings that differ from its defaults, by section and key
    as in its file. `seed` determines what the game itself draws. `is_alone`: bots are
    started one by one, because one was not ready in time before (`is_slow_start`); if
    one is late again, it has forfeited. `is_trial`: there is only one seat, and the
    game ends as soon as its bot has started; it is void if the bot fails to start.
    """

    tournament: str
    attempt: Attempt
    seats: tuple[SeatTask, ...]
    seed: int
    game: Mapping[str, Mapping[str, object]] = {}
    is_alone: bool = False
    is_trial: bool = False
    limits: TroubleLimits = TroubleLimits()
    logs: str = "trouble"


def is_slow_start(outcome: GameOutcome) -> TypeGuard[VoidGame]:
    """Return whether the game must be repeated with `is_alone`."""
    return isinstance(outcome, VoidGame) and outcome.reason.startswith(SLOW_START)


@frozen
class GameReport:
    """The result of an attempt.

    `record` is the record as dipcc JSON (`None`: there is none). `logs` are files for
    the game's folder of logs, by name. `has_started`: the bot of a trial has started.
    """

    outcome: GameOutcome
    record: bytes | None = None
    logs: Mapping[str, str] = {}
    has_started: bool = False


def write_logs(report: GameReport, folder: Path) -> None:
    """Write the logs of *report*, each file atomically; raises `OSError`."""
    from daide_server.library.archive import replace  # noqa: PLC0415 - slow: formats

    for name, content in report.logs.items():
        # Reports come from other machines, so a name must not be a path.
        path = folder / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content.encode(errors="replace"))


def unfinished(attempt: Attempt) -> GameReport:
    """Return the report of an *attempt* that was aborted."""
    return GameReport(game_outcomes.UnfinishedGame(attempt.game, attempt.number))


def void(attempt: Attempt, reason: str, suspects: tuple[int, ...] = ()) -> GameReport:
    """Return the report of an *attempt* that failed through no fault of a bot."""
    return GameReport(VoidGame(attempt.game, attempt.number, reason, suspects))
