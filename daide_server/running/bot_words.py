"""Bots as words on the command line: one reader for all commands.

    dumb                                   a built-in bot
    ./mybot -i{host} -p{port}              a program that speaks DAIDE over TCP
    cmd=./mybot -i{host} -p{port}          the same
    lines:./mybot.py                       a program that speaks JSON lines
    2 x ./mybot -i{host} -p{port}          two copies of it

A program is started in the current folder, without a shell; words are quoted as there.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

from attrs import evolve

from daide_server.bots.built_in import BOTS
from daide_server.errors import meant

from .bot_settings import BotSettings
from .errors import BotWordsError, RunningError

COPIES: Final = re.compile(r"\s*(\d{1,3})\s+x\s+(.*)", re.DOTALL)
COMMAND: Final = "cmd="
LINES: Final = "lines:"
PORT_WORD: Final = "{port}"
MAX_COPIES: Final = 100
INTERPRETERS: Final = re.compile(
    r"(python[\d.]*|java|node|sh|bash|perl|ruby|mono|dotnet|env|wine)"
)
"""A bot that one of these runs is called as the file that is run."""
SCRIPTS: Final = re.compile(r"[^\s=:]+\.(py|js|mjs|jar|dll|exe|pl|rb|sh)")
"""Words that are the name of a file, and no class or setting, behind an interpreter."""


def read_bots(all_words: Iterable[str]) -> tuple[BotSettings, ...]:
    """Return the bots of all words, copies as often as they are asked for.

    Different programs of one name are numbered. Raises `BotWordsError`.
    """
    counted = (read_bot(words) for words in all_words)
    copies = [bot for bot, count in counted for _ in range(count)]
    return tuple(distinct_names(copies))


def read_bot(words: str, folder: Path | None = None) -> tuple[BotSettings, int]:
    """Return a bot, and how many copies of it; raises `BotWordsError`.

    Programs are started in *folder*; if none is given, in the current one. They have
    the network: whoever names a bot on a command line could run it as well.
    """
    count, rest = 1, words.strip()
    counted = COPIES.fullmatch(rest)
    if counted is not None:
        count, rest = int(counted[1]), counted[2].strip()
    if not 1 <= count <= MAX_COPIES:
        message = f"found {count} copies in {words!r}, expected 1 to {MAX_COPIES}"
        raise BotWordsError(message)
    return _program(rest, str((folder or Path()).absolute())), count


def _program(words: str, folder: str) -> BotSettings:
    if words in BOTS:
        return BotSettings(name=words, builtin=words)
    speaks = "lines" if words.startswith(LINES) else "daide"
    command = _split(words.removeprefix(LINES).removeprefix(COMMAND))
    _check(words, command, speaks)
    return BotSettings(
        name=bot_name(command),
        command=command,
        speaks=speaks,
        folder=folder,
        network=speaks == "lines",
    )


def _split(words: str) -> tuple[str, ...]:
    try:
        found = tuple(shlex.split(words))
    except ValueError as error:
        message = f"found {words!r}: {error}, expected the words of a command"
        raise BotWordsError(message) from error
    if not found:
        message = f"found no command, expected {_expected()}"
        raise BotWordsError(message)
    return found


def _check(words: str, command: Sequence[str], speaks: str) -> None:
    """Raise `BotWordsError` for a misspelt name, and for a bot without a port."""
    program = command[0]
    is_path = os.sep in program or "{" in program
    if not is_path and shutil.which(program) is None:
        message = f"found {words!r}, expected {_expected()}{meant(program, BOTS)}"
        raise BotWordsError(message)
    if speaks == "daide" and not any(PORT_WORD in word for word in command):
        message = (
            f"found no {PORT_WORD} in {words!r}, expected it where the port of the "
            f"server goes, as in -p{PORT_WORD}"
        )
        raise BotWordsError(message)


def _expected() -> str:
    return f"one of {', '.join(BOTS)}, or a command such as ./mybot -p{PORT_WORD}"


def bot_name(command: Sequence[str]) -> str:
    """Return what the bot of a command is called: its program's name."""
    return _without_suffix(_interpreted(command) or command[0]) or "bot"


def files_to_run(command: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command that must be files, or it cannot run.

    A program that is named by its path, and the script of an interpreter.
    """
    program, script = command[0], _interpreted(command) or ""
    is_path = os.sep in program and "{" not in program
    is_script = "{" not in script and SCRIPTS.fullmatch(script) is not None
    return (program,) * is_path + (script,) * is_script


def expect_there(bot: BotSettings) -> None:
    """Raise `RunningError` if what the command of *bot* runs is not there.

    It would forfeit every game.
    """
    missing = next(_missing(bot), None) if bot.command else None
    if missing is not None:
        message = f"bot {bot.name}: found no {missing}, expected one"
        raise RunningError(message)


def _missing(bot: BotSettings) -> Iterator[str]:
    folder, first = Path(bot.folder), (*bot.wrapper, *bot.command)[0]
    if not folder.is_dir():
        yield f"folder {folder}"
    is_path, path = os.sep in first or "{" in first, dict(bot.environment).get("PATH")
    if not is_path and shutil.which(first, path=path) is None:
        yield f"program {first!r} in PATH"
    for file in files_to_run(bot.command):
        # A script need not be executable.
        mode = os.X_OK if file == bot.command[0] else os.R_OK
        if shutil.which(folder / file, mode) is None:
            yield f"program {file!r} in {folder}"


def _interpreted(command: Sequence[str]) -> str | None:
    """Return what the interpreter of a command is given to run, if it is one."""
    if not INTERPRETERS.fullmatch(PurePath(command[0]).name):
        return None
    words = (word for word in command[1:] if not word.startswith(("-", "{")))
    return next(words, None)


def _without_suffix(file: str) -> str:
    """Return the name of a file without .exe, .py or .jar; `python2.7` has none."""
    path = PurePath(file)
    return path.stem if path.suffix[1:].isalpha() else path.name


def distinct_names(programs: Sequence[BotSettings]) -> list[BotSettings]:
    """Return *programs* so that different ones have different names."""
    names: dict[str, list[BotSettings]] = {}
    found = []
    for program in programs:
        known = names.setdefault(program.name, [])
        if program not in known:
            known.append(program)
        number = known.index(program) + 1
        name = program.name if number == 1 else f"{program.name}-{number}"
        found.append(evolve(program, name=name))
    return found
