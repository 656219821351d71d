"""Bots as the command line has them: a built-in name, or a command in one text."""

from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from daide_server.bots.catalogue import BOTS
from daide_server.settings.kinds import ValueRefused
from daide_server.settings.table import SettingsError

from .tournament_settings import WORDS, BotSettings


def bot_of(words: str) -> BotSettings:
    """Return the bot that *words* start: a built-in name, or a command.

    A command is started in the current folder. Raises `SettingsError`.
    """
    speaks = "lines" if words.startswith("lines:") else "daide"
    words = words.removeprefix("lines:").strip()
    if words in BOTS:
        return BotSettings(name=words, builtin=words)
    try:
        command = WORDS.read(words)
    except ValueRefused:
        command = ()
    if not command:
        known = ", ".join(BOTS)
        message = f"bot: found {words!r}, expected a command or one of {known}"
        raise SettingsError(message)
    return BotSettings(
        name=Path(command[0]).stem,
        command=command,
        speaks=speaks,
        folder=str(Path.cwd()),
    )


def named_bots(texts: Iterable[str]) -> tuple[BotSettings, ...]:
    """Return the bots of *texts*, with numbers behind names that occur twice."""
    bots: list[BotSettings] = []
    for text in texts:
        bot = bot_of(text)
        same = sum(each.name.partition(" ")[0] == bot.name for each in bots)
        bots.append(evolve(bot, name=f"{bot.name} {same + 1}") if same else bot)
    return tuple(bots)
