"""The file of a new tournament: every key with its value, and what it means."""

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from daide_server.settings.descriptor import Setting
from daide_server.settings.documents import toml_document

from .tournament_settings import (
    BOT_TABLE,
    TOURNAMENT_DEFAULTS,
    TOURNAMENT_TABLE,
    BotSection,
    BotSettings,
    NameSettings,
    TournamentSettings,
)

FILE_HEAD: Final = """\
# A tournament: which bots play which games, and what counts. Playable as it is:
#
#   daide-server tournament plan {folder}     what will be played
#   daide-server tournament check {folder}    start each bot once
#   daide-server tournament run {folder}      play; the same command goes on later
#
# Keys that are left out have the value that stands here. Games, at_once, scoring, stop
# and retries may be changed later; bots, game, design and seed need a new folder.

"""
BOTS_HEAD: Final = """
# --- The bots, as many as you like --------------------------------------------------
"""
OWN_BOT_HEAD: Final = """
# Your own bot: take the "# " away from here on, and what you do not need.

"""
REST_HEAD: Final = """
# --- Scores, trouble, and the rules of the games -------------------------------------

"""
FIELD: Final = ("dumb", "rand", "hold")
OWN_BOT: Final = BotSettings(name="mine", command=("./mybot", "-i{host}", "-p{port}"))
YEAR_LIMIT: Final = 1910


def new_file(name: str, seed: int, folder: str) -> str:
    """Return the file of a tournament *name* in *folder*: 42 games of our own bots.

    The folder is as a shell takes it, on one line.
    """
    usual = TOURNAMENT_DEFAULTS
    settings = evolve(
        usual,
        names=NameSettings(name=name, seed=seed),
        policy=evolve(usual.policy, year_limit=YEAR_LIMIT),
    )
    first = tuple(row for row in TOURNAMENT_TABLE.rows if _is_first(row))
    rest = tuple(row for row in TOURNAMENT_TABLE.rows if not _is_first(row))
    bots = "".join(f'\n[[bot]]\nname = "{bot}"\nbuiltin = "{bot}"\n' for bot in FIELD)
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


def _is_first(row: Setting) -> bool:
    """Tell whether a setting stands before the bots."""
    return row.component.section in {"", "design"}


def _document(rows: tuple[Setting, ...], settings: object) -> str:
    return toml_document(
        rows, lambda row: row.value_in(settings), lambda row: row.descriptor.help
    )


def match_file(settings: TournamentSettings, bots: Iterable[BotSettings]) -> str:
    """Return the file of a tournament, only with the keys that are not usual."""
    rows = tuple(
        row
        for row in TOURNAMENT_TABLE.rows
        if row.value_in(settings) != row.value_in(TOURNAMENT_DEFAULTS)
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
