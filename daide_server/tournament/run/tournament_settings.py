"""The settings of a tournament, and of its games' servers.

All keys of `tournament.toml`, each with its help.
"""

from typing import get_args

from attrs import evolve, frozen

from daide_server.board.map import Variant
from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.scoring.systems import SYSTEMS
from daide_server.server.settings import TABLE, BoardSettings, ServerSettings
from daide_server.settings import kinds
from daide_server.settings.descriptor import component, setting, switch
from daide_server.settings.table import SettingsTable
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.description import StopRule
from daide_server.tournament.designs import DesignGoal, DesignKind

from . import bot_settings
from .game_task import GameTask, TroubleLimits

MOST_GAMES = 1_000_000
"""The maximum number of games: a plan of a million takes half a minute to read."""


@frozen(kw_only=True)
class NameSettings:
    """The name of a tournament, and its seed."""

    name: str = setting(
        bot_settings.GIVEN_NAME, "cup", "The tournament's name, in its reports."
    )
    seed: int = setting(
        kinds.whole(0, (1 << SEED_BITS) - 1, metavar="NUMBER"),
        1,
        "Determines everything random: line-ups, seats, {seed} of each bot.",
    )


@frozen(kw_only=True)
class DesignSettings:
    """Which games are played, and how many at the same time."""

    kind: DesignKind = setting(
        kinds.one_of(get_args(DesignKind)),
        "line-ups",
        "Which bots meet: line-ups (balanced), one-against-six (each pair), fixed "
        "(one line-up), or ladder (endless).",
    )
    games: int = setting(
        kinds.whole(1, MOST_GAMES),
        42,
        "Number of games, rounded up to complete blocks.",
    )
    goal: DesignGoal = setting(
        kinds.one_of(get_args(DesignGoal)),
        "rounds",
        "What to balance first: rounds (short blocks), pairs (all meet equally often), "
        "or everything (pairs in every two seats, too).",
    )
    both_ways: bool = switch("One against six: also the reverse of each pair.")
    seats: tuple[str, ...] = setting(
        bot_settings.NAMES,
        (),
        "The bots of a fixed line-up by name, in the order of the powers; by default "
        "the bots in turn.",
    )
    opponent: str = setting(
        bot_settings.TEXT_OR_NONE,
        "",
        "One against six: the bot that has the other six seats in every game; by "
        "default every pair plays.",
    )
    at_once: int = setting(
        bot_settings.ANY_NUMBER, 0, "Games at the same time; 0: one for each core."
    )


@frozen(kw_only=True)
class ScoringSettings:
    """How games are scored."""

    rank_by: str = setting(
        kinds.one_of(SYSTEMS, metavar="SYSTEM"),
        "sum_of_squares",
        "The scoring system of the ranking; `daide-server score --help` lists them.",
    )
    also: tuple[str, ...] = setting(
        bot_settings.NAMES, (), "Other systems that the report shows."
    )
    forfeit_score: str = setting(
        kinds.one_of(("zero", "as played")),
        "zero",
        "The score of a forfeited seat: zero, or as played; the others score as usual.",
    )


@frozen(kw_only=True)
class KeptLogs:
    """Which games leave logs in the folder."""

    keep: str = setting(
        kinds.one_of(("trouble", "all", "none")),
        "trouble",
        "Games whose logs are kept: those with failures (trouble), all, or none.",
    )


@frozen(kw_only=True)
class RunSettings:
    """Where and how the games are run."""

    executor: str = setting(
        kinds.text("EXECUTOR", "an executor"),
        bot_settings.LOCAL_EXECUTOR,
        "local, or module:function that returns a concurrent.futures.Executor.",
        option="--executor",
    )
    sandbox: str = setting(
        kinds.one_of((bot_settings.AUTO, bot_settings.BWRAP, bot_settings.NO_SANDBOX)),
        bot_settings.AUTO,
        "The sandbox of bots that are commands: bwrap (separate processes, no files of "
        "others), none, or auto: bwrap where it works.",
    )
    hide: tuple[str, ...] = setting(
        bot_settings.NAMES,
        bot_settings.SECRETS,
        "Files and folders hidden from bots in a sandbox, besides the tournament and "
        "other bots.",
    )
    pass_variables: tuple[str, ...] = setting(
        bot_settings.NAMES, (), "Environment variables that all bots get.", key="pass"
    )


@frozen(kw_only=True)
class TournamentSettings:
    """All settings of a tournament except its bots."""

    names: NameSettings = component(NameSettings, "", "The tournament")
    design: DesignSettings = component(DesignSettings, "design", "Which games")
    stop: StopRule = component(StopRule, "stop", "When to stop early")
    scoring: ScoringSettings = component(ScoringSettings, "scoring", "Scores")
    limits: TroubleLimits = component(
        TroubleLimits, "trouble", "When a bot has forfeited, and what follows"
    )
    logs: KeptLogs = component(KeptLogs, "logs", "Logs")
    run: RunSettings = component(RunSettings, "run", "Where games are played")
    board: BoardSettings = component(BoardSettings, "game", "The board")
    policy: ServerPolicy = component(ServerPolicy, "game", "Rules of the games")
    options: GameOptions = component(
        GameOptions, "game", "The options of HLO: level of press, deadlines in seconds"
    )


@frozen(kw_only=True)
class BotSection:
    """The settings of one `[[bot]]`."""

    bot: bot_settings.BotSettings = component(bot_settings.BotSettings, "bot", "A bot")


STORE_IS_GONE = "results are in results.db of the folder"
TOURNAMENT_TABLE = SettingsTable(TournamentSettings, {"run.store": STORE_IS_GONE})
BOT_TABLE = SettingsTable(BotSection)

USUAL_YEARS = 10
"""The maximum number of years of a game, unless the file has a year limit."""
TOURNAMENT_DEFAULTS = TournamentSettings(
    # Games of tournaments have no observers, and no queries after the end.
    policy=evolve(ServerPolicy(), admin_allowed=False, post_game_seconds=0.1)
)
"""The defaults of settings that the file omits."""


# The settings of a game's server


YEARS = 34
"""Years after the first one at which a game ends by default."""
FIXED = TABLE.read(
    {
        "server": {"games": 1},
        # No observers, and no communication outside of the record.
        "game": {"admin_allowed": False},
        # A killed worker voids its game anyway.
        "journal": {"durability": "none"},
    },
    "tournament",
)
USUAL = TABLE.read({"game": {"post_game_seconds": 0.1}}, "tournament")
"""The defaults of a tournament that differ from those of `serve`."""


def game_settings(task: GameTask) -> ServerSettings:
    """Return the settings of the server; raises `SettingsError`."""
    given = TABLE.read(task.game, "[game]")
    settings = TABLE.compose(USUAL, given, FIXED)
    policy = settings.policy
    if policy.hung_after is None and task.limits.stalled_seconds:
        policy = evolve(policy, hung_after=task.limits.stalled_seconds)
    return evolve(
        settings, policy=policy, chance=evolve(settings.chance, seed=task.seed)
    )


def bounded(settings: ServerSettings, variant: Variant) -> ServerSettings:
    """Return *settings* with a year limit, without which holding bots never end."""
    if settings.policy.year_limit is not None:
        return settings
    year = variant.start.turn.year + YEARS
    return evolve(settings, policy=evolve(settings.policy, year_limit=year))
