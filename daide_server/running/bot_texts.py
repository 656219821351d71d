"""Bots of the command line as sections of a tournament's file."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from .bot_words import files_to_run, read_bot
from .errors import RunningError
from .game_task import BotProgram
from .tournament_settings import BotSettings


def bot_of(words: str) -> BotSettings:
    """Return the bot that *words* name: a built-in one, or a command.

    A command is started in the current folder. Raises `BotWordsError`, and
    `RunningError` for several copies: designs say how many there are in a game.
    """
    program, copies = read_bot(words)
    if copies != 1:
        message = (
            f"bot: found {words!r}, expected one copy: the design decides how many"
        )
        raise RunningError(message)
    _expect_there(program)
    return BotSettings(
        name=program.name,
        builtin=program.builtin or "",
        command=program.command,
        speaks=program.speaks,
        folder=program.folder,
    )


def _expect_there(bot: BotProgram) -> None:
    """Raise `RunningError` if a file that the command of a bot runs is not there.

    It would forfeit every game.
    """
    for file in files_to_run(bot.command) if bot.command else ():
        # A script need not be executable.
        mode = os.X_OK if file == bot.command[0] else os.R_OK
        if shutil.which(Path(bot.folder) / file, mode) is None:
            message = f"bot: found no program {file!r} in {bot.folder}, expected one"
            raise RunningError(message)


def named_bots(texts: Iterable[str]) -> tuple[BotSettings, ...]:
    """Return the bots of *texts*, with numbers behind names that occur twice."""
    bots: list[BotSettings] = []
    names: list[str] = []
    for bot in map(bot_of, texts):
        names.append(bot.name)
        same = names.count(bot.name)
        bots.append(evolve(bot, name=f"{bot.name}-{same}") if same > 1 else bot)
    return tuple(bots)
