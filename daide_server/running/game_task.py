"""What a worker needs to play one game of a tournament, and what it gives back."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Final

from attrs import frozen

from daide_server.board.names import Power
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, TURN_SECONDS, either, one_of
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.game_outcomes import (
    Attempt,
    GameOutcome,
    UnfinishedGame,
    VoidGame,
)

from .bot_settings import ANY_NUMBER, BotSettings

SERVER_LOG: Final = "server.log"
"""Among the logs of a game."""
SLOW_START: Final = "not ready in time: "
"""Begins the reason of a void game whose bot has one more start."""
STARTED: Final = "its bot has started"
"""The reason of a trial that went well."""
BENCHED: Final = "not started: it has forfeited too often"
AT_FAULT: Final = "not started: it has ended the workers of its games"
"""The reasons of the forfeit of a bot that is replaced by one that holds."""


@frozen
class SeatTask:
    """The bot of one seat; `stand_in`: why a bot that holds plays instead, if so."""

    power: Power
    bot: int
    program: BotSettings
    seed: int
    stand_in: str = ""


def dealt(
    powers: Iterable[Power], programs: Iterable[BotSettings], chance: Random
) -> dict[Power, SeatTask]:
    """Return seats of *powers*, of as many bots in order, with seeds by *chance*."""
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
        "Without deadlines: a bot that owes orders for so long has hung; 0: never.",
    )
    away_seconds: float = setting(
        SECONDS,
        60.0,
        "A bot whose connection stays away for so long has forfeited; with deadlines "
        "half of the limit, if that is less.",
    )
    late_turns: int = setting(
        COUNT, 3, "So many late turns in a row are a forfeit, with deadlines."
    )
    crash: str = setting(
        one_of(("play on", "void")),
        "play on",
        "When a bot has crashed: its units hold and the game counts, with the forfeit "
        "noted (play on), or the game is played again (void).",
    )
    retries: int = setting(
        ANY_NUMBER,
        2,
        "So often a void game is played again, with the same bots, seats and seeds.",
    )
    bench_after: int = setting(
        ANY_NUMBER,
        5,
        "After this number of forfeits in a row a bot gets no more games; 0: never.",
    )


@frozen
class GameTask:
    """One attempt at one game.

    `game` has the settings of the server that differ from its defaults, by section
    and key as in its file. `seed` decides what the game itself draws. `is_alone`:
    bots are started one after the other, because one was not ready in time before
    (`is_slow_start`); one that is late again has forfeited. `is_trial`: only one seat
    is there, and all is over, as a void game, when its bot has started or has not.
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


def is_slow_start(outcome: GameOutcome) -> bool:
    """Return whether the game is to be played again with `is_alone`."""
    return isinstance(outcome, VoidGame) and outcome.reason.startswith(SLOW_START)


@frozen
class GameReport:
    """What became of an attempt.

    `record` is the record as dipcc JSON (`None`: there is none). `logs` are files for
    the game's folder of logs, by name.
    """

    outcome: GameOutcome
    record: bytes | None = None
    logs: Mapping[str, str] = {}


def write_logs(report: GameReport, folder: Path) -> None:
    """Write the logs of *report*, each file whole or not at all; raises `OSError`."""
    from daide_server.storage.archive import replace  # noqa: PLC0415 - slow: formats

    for name, content in report.logs.items():
        # Reports come from other machines: a name is no path.
        path = folder / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content.encode(errors="replace"))


def unfinished(attempt: Attempt) -> GameReport:
    """Return the report of an *attempt* that was broken off."""
    return GameReport(UnfinishedGame(attempt.game, attempt.number))


def void(attempt: Attempt, reason: str, suspects: tuple[int, ...] = ()) -> GameReport:
    """Return the report of an *attempt* that failed, by no fault of a bot."""
    return GameReport(VoidGame(attempt.game, attempt.number, reason, suspects))
