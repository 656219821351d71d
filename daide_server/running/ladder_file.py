"""Bots that are added to the file of a ladder, or retired in it.

The file is people's own: its text is kept as it is, but for what is added. What the
new text says is compared with what was wanted before it is written.
"""

import fcntl
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve

from daide_server.settings.table import SettingsError
from daide_server.storage.archive import replace
from daide_server.storage.texts import TomlError, parsed_toml, read_text

from .bot_texts import bot_of
from .errors import TournamentFolderError
from .new_tournament import bot_section
from .tournament_file import (
    TOURNAMENT_FILE,
    TournamentFile,
    read_tournament,
    tournament_from,
)
from .tournament_settings import BotSettings

EDIT_LOCK: Final = "edit.lock"
BOT_HEAD: Final = re.compile(r"(?m)^[ \t]*\[\[[ \t]*bot[ \t]*\]\][^\n]*(\n|$)")
ANY_HEAD: Final = re.compile(r"(?m)^[ \t]*\[")
RETIRED: Final = re.compile(r"""(?m)^[ \t]*(retired|"retired"|'retired')[ \t]*=.*\n""")


def add_bot(folder: Path, words: str, name: str = "") -> str:
    """Add the bot of *words* to the file in *folder* and return its name.

    Raises `SettingsError` or `TournamentFolderError` if it cannot be added.
    """
    with _editing(folder) as file:
        bot = bot_of(words)
        bot = evolve(bot, name=name or bot.name)
        if any(each.name == bot.name for each in file.bots):
            message = (
                f"{folder}: found a bot {bot.name!r}, expected another name; see --name"
            )
            raise TournamentFolderError(message)
        text = read_text(_file(folder)).rstrip() + "\n\n" + bot_section(bot)
        _write(folder, text, evolve(file, bots=(*file.bots, bot)))
    return bot.name


def retire_bot(folder: Path, name: str) -> None:
    """Mark the bot *name* in the file in *folder* as retired.

    Raises `TournamentFolderError` if there is none.
    """
    with _editing(folder) as file:
        names = [bot.name for bot in file.bots]
        if name not in names:
            known = ", ".join(names)
            message = f"{_file(folder)}: found no bot {name!r}, expected one of {known}"
            raise TournamentFolderError(message)
        number = names.index(name)
        text = _retired(read_text(_file(folder)), number)
        _write(folder, text, evolve(file, bots=_with_retired(file.bots, number)))


def _with_retired(bots: Sequence[BotSettings], number: int) -> tuple[BotSettings, ...]:
    return tuple(
        evolve(bot, retired=True) if at == number else bot
        for at, bot in enumerate(bots)
    )


def _retired(text: str, number: int) -> str:
    """Return *text* with the key in its section of that *number*, if there is one."""
    heads = list(BOT_HEAD.finditer(text))
    if number >= len(heads):
        return text
    start = heads[number].end()
    following = ANY_HEAD.search(text, start)
    end = len(text) if following is None else following.start()
    section = RETIRED.sub("", text[start:end])
    return f"{text[:start]}retired = true\n{section}{text[end:]}"


def _write(folder: Path, text: str, wanted: TournamentFile) -> None:
    """Write the file of a ladder, unless its new *text* says not what is *wanted*."""
    path = _file(folder)
    try:
        found = tournament_from(parsed_toml(text, path), path)
    except (SettingsError, TomlError):
        found = None
    if found is None or (found.settings, found.bots) != (wanted.settings, wanted.bots):
        message = (
            f"{path}: found bots that are not sections [[bot]] as the documents show "
            "them, expected such; nothing was changed: write this bot, or its key "
            "retired = true, yourself"
        )
        raise TournamentFolderError(message)
    replace(path, text.encode())


@contextmanager
def _editing(folder: Path) -> Iterator[TournamentFile]:
    """Give what the file of a ladder says, while nobody else changes it.

    Raises `TournamentFolderError` if it is of another kind.
    """
    read_tournament(_file(folder))
    lock = os.open(folder / EDIT_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = read_tournament(_file(folder))
        kind = file.settings.design.kind
        if kind != "ladder":
            message = f"{folder}: found [design] kind {kind!r}, expected 'ladder'"
            raise TournamentFolderError(message)
        yield file
    finally:
        os.close(lock)


def _file(folder: Path) -> Path:
    return folder / TOURNAMENT_FILE
