"""Bots that are added to the file of a ladder, or retired in it."""

import re
from pathlib import Path
from typing import Final

from attrs import evolve

from daide_server.storage.archive import replace
from daide_server.storage.texts import read_text

from .bot_texts import bot_of
from .errors import TournamentFolderError
from .new_tournament import bot_section
from .tournament_file import TOURNAMENT_FILE, read_tournament

BOT_HEAD: Final = re.compile(r"(?m)^\[\[bot\]\][^\n]*\n")


def add_bot(folder: Path, words: str, name: str = "") -> str:
    """Add the bot of *words* to the file in *folder* and return its name.

    Raises `SettingsError` or `TournamentFolderError` if it cannot be added.
    """
    file = read_tournament(folder / TOURNAMENT_FILE)
    _check_ladder(folder, file.settings.design.kind)
    bot = bot_of(words)
    bot = evolve(bot, name=name or bot.name)
    if any(each.name == bot.name for each in file.bots):
        message = (
            f"{folder}: found a bot {bot.name!r}, expected another name; see --name"
        )
        raise TournamentFolderError(message)
    path = folder / TOURNAMENT_FILE
    text = read_text(path).rstrip() + "\n\n" + bot_section(bot)
    replace(path, text.encode())
    return bot.name


def retire_bot(folder: Path, name: str) -> None:
    """Mark the bot *name* in the file in *folder* as retired.

    Raises `TournamentFolderError` if there is none.
    """
    path = folder / TOURNAMENT_FILE
    file = read_tournament(path)
    _check_ladder(folder, file.settings.design.kind)
    names = [bot.name for bot in file.bots]
    if name not in names:
        message = f"{path}: found no bot {name!r}, expected one of {', '.join(names)}"
        raise TournamentFolderError(message)
    text = read_text(path)
    head = list(BOT_HEAD.finditer(text))[names.index(name)]
    before, section, after = _parts(text, head.end())
    section = re.sub(r"(?m)^retired *=.*\n", "", section)
    replace(path, f"{before}retired = true\n{section}{after}".encode())


def _parts(text: str, start: int) -> tuple[str, str, str]:
    """Return *text* before *start*, the section that begins there, and the rest."""
    end = re.search(r"(?m)^\[", text[start:])
    stop = len(text) if end is None else start + end.start()
    return text[:start], text[start:stop], text[stop:]


def _check_ladder(folder: Path, kind: str) -> None:
    if kind != "ladder":
        message = f"{folder}: found [design] kind {kind!r}, expected 'ladder'"
        raise TournamentFolderError(message)
