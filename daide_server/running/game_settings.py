"""The settings of the server of one game of a tournament, and of its place in time."""

from typing import Final

from attrs import evolve

from daide_server.app.making import GameMaker, begun
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.board.variant import Variant
from daide_server.storage.variants import find_variant

from .game_task import GameTask

YEARS: Final = 34
"""How many years after the first one a game ends, unless a year limit is given."""
FIXED: Final = TABLE.read(
    {
        "server": {"games": 1},
        # Nobody who watches is let in, and nobody talks past the record.
        "game": {"admin_allowed": False},
        # A killed worker voids its game anyway.
        "journal": {"durability": "none"},
    },
    "tournament",
)
USUAL: Final = TABLE.read({"game": {"post_game_seconds": 0.1}}, "tournament")
"""Where a tournament's games differ from those of `serve` unless it says otherwise."""


def game_maker(task: GameTask) -> GameMaker:
    """Return what makes the game of *task*.

    Raises `SettingsError`, `StartError` and `VariantError` if its settings are wrong.
    """
    settings = game_settings(task)
    variant = find_variant(settings.board.variant)
    variant = begun(settings, variant)
    settings = _bounded(settings, variant)
    game, number = task.attempt.game, task.attempt.number
    metadata = {
        "tournament": task.tournament,
        "game": str(game),
        "attempt": str(number),
    }
    record = f"{task.tournament}-{game:06}"
    return GameMaker(settings, variant, lambda _: record, metadata)


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


def _bounded(settings: ServerSettings, variant: Variant) -> ServerSettings:
    """Return *settings* with a year limit: bots that hold would go on for ever."""
    if settings.policy.year_limit is not None:
        return settings
    year = variant.start.turn.year + YEARS
    return evolve(settings, policy=evolve(settings.policy, year_limit=year))
