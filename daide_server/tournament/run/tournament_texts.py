"""Tournament files as text: new ones, those of matches, and edits of ladders.

A file belongs to its author: the text is kept as it is except for additions to a
ladder. Before a new text is written, it is parsed and compared with the intended
change.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve

from daide_server.library.archive import replace
from daide_server.library.texts import parsed_toml, read_text
from daide_server.settings.descriptor import Setting
from daide_server.settings.table import SettingsError, toml_document

from . import tournament_settings
from .bot_program import TOURNAMENT_FILE
from .bot_settings import BEST_FIRST, BotSettings, expect_there, read_bot
from .errors import RunningError
from .tournament_file import TournamentFile, read_tournament, tournament_from
from .tournament_settings import BOT_TABLE, BotSection, TournamentSettings

FILE_HEAD = """\
# A tournament: which bots play which games, and how they are scored. To run it:
#
#   daide-server tournament plan {folder}     what will be played
#   daide-server tournament check {folder}    start each bot once
#   daide-server tournament run {folder}      play; run it again to resume
#
# Keys that you omit keep the value shown here. Games, at_once, scoring, stop and
# retries may be changed later; bots, game, design and seed need a new folder.

"""
BOTS_HEAD = """
# --- The bots, as many as you like --------------------------------------------------
"""
OWN_BOT_HEAD = """
# Your own bot: remove the "# " from here on, and all keys that you do not need.

"""
REST_HEAD = """
# --- Scores, failures, and the rules of the games ------------------------------------

"""
OWN_BOT = BotSettings(name="mine", command=("./mybot", "-i{host}", "-p{port}"))
YEAR_LIMIT = 1910


def new_file(name: str, seed: int, folder: str) -> str:
    """Return the file of a new tournament of 42 games; *folder* is shell-quoted."""
    usual = tournament_settings.TOURNAMENT_DEFAULTS
    settings = evolve(
        usual,
        names=tournament_settings.NameSettings(name=name, seed=seed),
        policy=evolve(usual.policy, year_limit=YEAR_LIMIT),
    )
    rows = tournament_settings.TOURNAMENT_TABLE.rows
    first = tuple(row for row in rows if row.component.section in {"", "design"})
    rest = tuple(row for row in rows if row not in first)
    bots = "".join(
        f'\n[[bot]]\nname = "{bot}"\nbuiltin = "{bot}"\n' for bot in BEST_FIRST
    )
    return "".join(
        (
            FILE_HEAD.format(folder=folder),
            _document(first, settings),
            BOTS_HEAD,
            bots,
            _own_bot(),
            REST_HEAD,
            _document(rest, settings),
        )
    )


def _document(rows: tuple[Setting, ...], settings: object) -> str:
    return toml_document(rows, lambda row: row.value_in(settings), lambda row: row.help)


def match_file(settings: TournamentSettings, bots: Iterable[BotSettings]) -> str:
    """Return a tournament file that has only the keys that differ from the defaults."""
    usual = tournament_settings.TOURNAMENT_DEFAULTS
    rows = tuple(
        row
        for row in tournament_settings.TOURNAMENT_TABLE.rows
        if row.value_in(settings) != row.value_in(usual)
    )
    return "\n".join([_document(rows, settings), *map(bot_section, bots)])


def bot_section(bot: BotSettings) -> str:
    """Return the section of *bot*, with the keys that differ from their defaults."""
    rows = tuple(
        row
        for row in BOT_TABLE.rows
        if row.key == "name" or row.value_in(BotSection(bot=bot)) != row.default
    )
    return _sections(rows, bot)


def _own_bot() -> str:
    rows = tuple(row for row in BOT_TABLE.rows if row.key != "builtin")
    lines = _sections(rows, OWN_BOT).splitlines()
    return OWN_BOT_HEAD + "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _sections(rows: tuple[Setting, ...], bot: BotSettings) -> str:
    return _document(rows, BotSection(bot=bot)).replace(
        "[bot]\n\n# A bot\n\n", "[[bot]]\n"
    )


def named_bots(texts: Iterable[str]) -> tuple[BotSettings, ...]:
    """Return the bots of *texts*, with numbers after names that occur twice.

    Commands are started in the current folder. Raises `BotWordsError`, and
    `RunningError` for several copies: the design determines the number of copies in a
    game.
    """
    bots: list[BotSettings] = []
    names: list[str] = []
    for words in texts:
        bot, copies = read_bot(words)
        if copies != 1:
            expected = "expected one copy: the design decides how many"
            raise RunningError(f"bot: found {words!r}, {expected}")
        expect_there(bot)
        names.append(bot.name)
        same = names.count(bot.name)
        bots.append(evolve(bot, name=f"{bot.name}-{same}") if same > 1 else bot)
    return tuple(bots)


EDIT_LOCK = "edit.lock"
BOT_HEAD = re.compile(r"(?m)^[ \t]*\[\[[ \t]*bot[ \t]*\]\][^\n]*(\n|$)")
ANY_HEAD = re.compile(r"(?m)^[ \t]*\[")
RETIRED = re.compile(r"""(?m)^[ \t]*(retired|"retired"|'retired')[ \t]*=.*\n""")


def add_bot(folder: Path, words: str, name: str = "") -> str:
    """Add the bot of *words* to the ladder in *folder* and return its name."""
    with _editing(folder) as file:
        (bot,) = named_bots([words])
        bot = evolve(bot, name=name or bot.name, network=False)
        if any(each.name == bot.name for each in file.bots):
            message = (
                f"{folder}: found a bot {bot.name!r}, expected another name; see --name"
            )
            raise RunningError(message)
        text = read_text(folder / TOURNAMENT_FILE).rstrip() + "\n\n" + bot_section(bot)
        _write(folder, text, evolve(file, bots=(*file.bots, bot)))
    return bot.name


def retire_bot(folder: Path, name: str) -> None:
    """Mark the bot *name* of the ladder in *folder* as retired."""
    path = folder / TOURNAMENT_FILE
    with _editing(folder) as file:
        names = [bot.name for bot in file.bots]
        if name not in names:
            known = ", ".join(names)
            message = f"{path}: found no bot {name!r}, expected one of {known}"
            raise RunningError(message)
        bots = [
            evolve(bot, retired=bot.retired or bot.name == name) for bot in file.bots
        ]
        text = _retired(read_text(path), names.index(name))
        _write(folder, text, evolve(file, bots=tuple(bots)))


def _retired(text: str, number: int) -> str:
    """Return *text* with the key in the section with this *number*, if it exists."""
    heads = list(BOT_HEAD.finditer(text))
    if number >= len(heads):
        return text
    start = heads[number].end()
    following = ANY_HEAD.search(text, start)
    end = len(text) if following is None else following.start()
    section = RETIRED.sub("", text[start:end])
    return f"{text[:start]}retired = true\n{section}{text[end:]}"


def _write(folder: Path, text: str, wanted: TournamentFile) -> None:
    """Write the file of a ladder, if its new *text* means what is *wanted*."""
    path = folder / TOURNAMENT_FILE
    try:
        found = tournament_from(parsed_toml(text, path, SettingsError), path)
    except SettingsError:
        found = None
    if found is None or (found.settings, found.bots) != (wanted.settings, wanted.bots):
        message = (
            f"{path}: found bots that are not sections [[bot]] as the documents show "
            "them, expected such; nothing was changed: write this bot, or its key "
            "retired = true, yourself"
        )
        raise RunningError(message)
    replace(path, text.encode())


@contextmanager
def _editing(folder: Path) -> Iterator[TournamentFile]:
    """Lock the file of a ladder, and yield its content; refuse other designs."""
    read_tournament(folder / TOURNAMENT_FILE)
    lock = os.open(folder / EDIT_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = read_tournament(folder / TOURNAMENT_FILE)
        kind = file.settings.design.kind
        if kind != "ladder":
            message = f"{folder}: found [design] kind {kind!r}, expected 'ladder'"
            raise RunningError(message)
        yield file
    finally:
        os.close(lock)
