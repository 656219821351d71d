"""A bot: its settings, from a tournament's file or a command line.

    dumb                            a built-in bot
    ./mybot -i{host} -p{port}       a program that speaks DAIDE over TCP
    cmd=./mybot -i{host} -p{port}   the same
    lines:./mybot.py                a program that speaks JSON lines
    2 x ./mybot -i{host} -p{port}   two copies of it

A program of a command line is started in the current folder, without a shell.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from attrs import evolve, frozen

from daide_server.errors import meant
from daide_server.settings import kinds
from daide_server.settings.descriptor import setting, switch

from .errors import BotWordsError, RunningError

BUILT_IN = ("hold", "rand", "dumb")
"""The names of `daide_server.bots.built_in`, which is slow to import."""
BEST_FIRST = BUILT_IN[::-1]
"""The same in the order of texts for users."""
LOCAL_EXECUTOR = "local"
AUTO = "auto"
BWRAP = "bwrap"
NO_SANDBOX = "none"
AS_RUN = "as run"
SECRETS = (
    *("~/.ssh", "~/.gnupg", "~/.password-store", "~/.local/share/keyrings"),
    *("~/.aws", "~/.azure", "~/.config/gcloud", "~/.kube", "~/.docker"),
    *("~/.netrc", "~/.git-credentials", "~/.config/gh", "~/.pypirc", "~/.npmrc"),
    *("~/.config/containers", "/run/user", "/run/docker.sock"),
)
"""Keys and credentials of the user, and services that act on the user's behalf."""
MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30
UNITS = {"KiB": 1 << 10, "MiB": MEBIBYTE, "GiB": GIBIBYTE}
Variables = tuple[tuple[str, str], ...]
"""Environment variables: names and values."""
MOST_GIBIBYTES = 1_000_000
"""The system accepts no limit of 2^63 bytes."""


def _size(value: object) -> int:
    amount, _, unit = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if unit not in UNITS or not amount.isdecimal():
        raise kinds.ValueRefused(value)
    most = MOST_GIBIBYTES * GIBIBYTE
    # Python refuses to convert more than a few thousand digits.
    if len(amount) > len(str(most)) or int(amount) * UNITS[unit] > most:
        raise kinds.ValueRefused(value)
    return int(amount) * UNITS[unit]


def _size_text(size: int) -> str:
    unit = next(name for name in reversed(UNITS) if size % UNITS[name] == 0)
    return f"{size // UNITS[unit]} {unit}"


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return _without_nul(tuple(shlex.split(value)))
        except ValueError as error:
            raise kinds.ValueRefused(value) from error
    return _without_nul(kinds.texts("WORDS").read(value))


def _without_nul(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return *words* without NUL, which would truncate them."""
    if any("\0" in word for word in words):
        raise kinds.ValueRefused(words)
    return words


def _variables(value: object) -> Variables:
    if not isinstance(value, Mapping):
        raise kinds.ValueRefused(value)
    for name, text in value.items():
        if not name or "=" in name or not isinstance(text, str):
            raise kinds.ValueRefused(value)
    _without_nul((*value, *value.values()))
    return tuple(value.items())


GIVEN_NAME = kinds.text("NAME", "a name")
BYTE_SIZE = kinds.Kind(
    f"a size such as 512 MiB or 2 GiB, to {MOST_GIBIBYTES} GiB",
    _size,
    _size_text,
    "SIZE",
)
WORDS = kinds.Kind(
    "a command: a text, or a list of its words, with no NUL", _words, tuple, "WORDS"
)
NAMES = kinds.texts("NAMES")
VARIABLES = kinds.Kind(
    "a table of texts by name, with no = in a name and no NUL",
    _variables,
    dict,
    "VARIABLES",
)
ANY_NUMBER = kinds.whole(0)
TEXT_OR_NONE = kinds.either(kinds.text("TEXT"), "", "")
ANCHOR_POINTS = 10_000
"""The limit of an anchor's rating: beyond it, probabilities are not representable."""
RATING_OR_NONE = kinds.either(
    kinds.number(-ANCHOR_POINTS, ANCHOR_POINTS, unit="points"), "", None
)


@frozen(kw_only=True)
class BotSettings:
    """One bot: `[[bot]]`, or words of a command line.

    Either `builtin` is the name of a built-in bot, or `command` a program. To start it,
    `folder` must be absolute, and `hide` is what its sandbox hides.
    """

    name: str = setting(GIVEN_NAME, "bot", "Its name in the table.")
    builtin: str = setting(
        TEXT_OR_NONE,
        "",
        f"A built-in bot: {', '.join(BEST_FIRST[:-1])} or {BEST_FIRST[-1]}; or else a "
        "command:",
    )
    command: tuple[str, ...] = setting(
        WORDS,
        (),
        "Program and arguments; {host} {port} {seed} {name} {power} {game} {folder} "
        "are filled in.",
    )
    speaks: str = setting(
        kinds.one_of(("daide", "lines")), "daide", "daide: over TCP; lines: JSON lines."
    )
    folder: str = setting(
        kinds.FOLDER, ".", "Its working directory, relative to the folder of this file."
    )
    environment: Variables = setting(
        VARIABLES, (), "Its environment variables; the values are never stored."
    )
    pass_variables: tuple[str, ...] = setting(
        NAMES,
        (),
        "Names of your variables that it gets, such as OPENAI_API_KEY; * for all.",
        key="pass",
    )
    wrapper: tuple[str, ...] = setting(
        WORDS, (), 'Words before the command, such as ["sudo", "-u", "bot"].'
    )
    sandbox: str = setting(
        kinds.one_of((AS_RUN, AUTO, BWRAP, NO_SANDBOX)),
        AS_RUN,
        "Its sandbox: auto, bwrap, none, or as run: that of [run].",
    )
    bind: tuple[str, ...] = setting(
        NAMES, (), "Files and folders that are visible and writable in its sandbox."
    )
    devices: bool = switch("Its sandbox has the devices, such as GPUs.")
    network: bool = switch("Network access for a bot that speaks lines.")
    at_once: int = setting(
        ANY_NUMBER, 0, "Maximum copies at the same time; 0: any number."
    )
    memory: int = setting(
        BYTE_SIZE, 2 * GIBIBYTE, "Maximum memory of its processes; more is a forfeit."
    )
    disk: int = setting(
        BYTE_SIZE, GIBIBYTE, "Maximum bytes in its folders; more is a forfeit."
    )
    anchor: float | None = setting(
        RATING_OR_NONE,
        None,
        "A fixed rating in points of Elo's scale, to which the ratings of other bots "
        "are fitted.",
    )
    retired: bool = switch("In a ladder: it plays no more games.")
    hide: tuple[str, ...] = SECRETS


COPIES = re.compile(r"\s*(\d{1,3})\s+x\s+(.*)", re.DOTALL)
COMMAND = "cmd="
LINES = "lines:"
PORT_WORD = "{port}"
MAX_COPIES = 100
INTERPRETERS = re.compile(
    r"(python[\d.]*|java|node|sh|bash|perl|ruby|mono|dotnet|env|wine)"
)
"""A bot run by one of these has the name of the file that is run."""
SCRIPTS = re.compile(r"[^\s=:]+\.(py|js|mjs|jar|dll|exe|pl|rb|sh)")
"""Words after an interpreter that are a file name, not a class or option."""


def read_bots(all_words: Iterable[str]) -> tuple[BotSettings, ...]:
    """Return the bots of all words, with copies numbered; raises `BotWordsError`."""
    counted = (read_bot(words) for words in all_words)
    copies = [bot for bot, count in counted for _ in range(count)]
    return tuple(distinct_names(copies))


def read_bot(words: str) -> tuple[BotSettings, int]:
    """Return a bot and the number of its copies; raises `BotWordsError`.

    Programs are started in the current folder, with the network: whoever names a bot on
    a command line could run it as well.
    """
    count, rest = 1, words.strip()
    counted = COPIES.fullmatch(rest)
    if counted is not None:
        count, rest = int(counted[1]), counted[2].strip()
    if not 1 <= count <= MAX_COPIES:
        message = f"found {count} copies in {words!r}, expected 1 to {MAX_COPIES}"
        raise BotWordsError(message)
    return _program(rest), count


def _program(words: str) -> BotSettings:
    if words in BUILT_IN:
        return BotSettings(name=words, builtin=words)
    speaks = "lines" if words.startswith(LINES) else "daide"
    command = _split(words.removeprefix(LINES).removeprefix(COMMAND))
    _check(words, command, speaks)
    return BotSettings(
        name=bot_name(command),
        command=command,
        speaks=speaks,
        folder=str(Path.cwd()),
        network=speaks == "lines",
    )


def _split(words: str) -> tuple[str, ...]:
    try:
        found = tuple(shlex.split(words))
    except ValueError as error:
        message = f"found {words!r}: {error}, expected the words of a command"
        raise BotWordsError(message) from error
    if not found:
        raise BotWordsError(f"found no command, expected {_expected()}")
    return found


def _check(words: str, command: Sequence[str], speaks: str) -> None:
    """Raise `BotWordsError` for a misspelt name, and for a bot without a port."""
    program = command[0]
    is_path = os.sep in program or "{" in program
    if not is_path and shutil.which(program) is None:
        message = f"found {words!r}, expected {_expected()}{meant(program, BUILT_IN)}"
        raise BotWordsError(message)
    if speaks == "daide" and not any(PORT_WORD in word for word in command):
        message = (
            f"found no {PORT_WORD} in {words!r}, expected it where the port of the "
            f"server goes, as in -p{PORT_WORD}"
        )
        raise BotWordsError(message)


def _expected() -> str:
    return f"one of {', '.join(BUILT_IN)}, or a command such as ./mybot -p{PORT_WORD}"


def bot_name(command: Sequence[str]) -> str:
    """Return the name of a bot from its command: that of its program."""
    return _without_suffix(_interpreted(command) or command[0]) or "bot"


def files_to_run(command: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command that must be files: program and script."""
    program, script = command[0], _interpreted(command) or ""
    is_path = os.sep in program and "{" not in program
    is_script = "{" not in script and SCRIPTS.fullmatch(script) is not None
    return (program,) * is_path + (script,) * is_script


def expect_there(bot: BotSettings) -> None:
    """Raise `RunningError` if a file of the command of *bot* does not exist."""
    for each in missing(bot):
        raise RunningError(f"bot {bot.name}: found no {each}, expected one")


def missing(bot: BotSettings) -> Iterator[str]:
    """Yield the files of the command of *bot* that do not exist."""
    if not bot.command:
        return
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
    """Return the file that the interpreter of a command runs, if it is one."""
    if not INTERPRETERS.fullmatch(PurePath(command[0]).name):
        return None
    words = (word for word in command[1:] if not word.startswith(("-", "{")))
    return next(words, None)


def _without_suffix(file: str) -> str:
    """Return a file name without .exe, .py or .jar; `python2.7` has no suffix."""
    path = PurePath(file)
    return path.stem if path.suffix[1:].isalpha() else path.name


def distinct_names(programs: Sequence[BotSettings]) -> list[BotSettings]:
    """Return *programs* with different names for different ones."""
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
