"""A bot's program: its command line and environment, its digest, and its sandbox.

The sandbox is bubblewrap (`bwrap`), if a trial of it succeeds. A bot in it has a
separate process namespace: all its processes end with its game, and with a worker that
is killed. It sees the system read-only, without the tournament, other bots, and what
`hide` lists. It can write to its folders and its own /tmp, where its program and
interpreter stay visible. If it speaks JSON lines, it has no network. Without a sandbox
a bot is a process group whose first process ends with its worker.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from errno import EACCES, ENOENT
from functools import cache
from pathlib import Path

from attrs import evolve

import daide_server

from .bot_settings import AS_RUN, AUTO, BWRAP, NO_SANDBOX, BotSettings
from .errors import RunningError
from .game_task import SeatTask

LARGEST = 256 << 20
"""Bytes of a file that is hashed; a larger one, such as a model, counts by size and
time."""


def program_digest(program: BotSettings) -> str | None:
    """Return the digest of *program*; `None` if its command names no file here.

    For a built-in bot it is our version. All words of a command that are files count,
    such as the script of `python mybot.py`.
    """
    if program.builtin:
        return f"daide-server {daide_server.__version__}"
    files = _files(program.command, Path(program.folder))
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(_content_digest(path))
    return digest.hexdigest() if files else None


def _content_digest(path: Path) -> bytes:
    state = path.stat()
    if state.st_size > LARGEST:
        return f"{state.st_size} {state.st_mtime_ns}".encode()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"not readable"


HOST = "127.0.0.1"
"""Bots and their game are on one machine; a numeric address needs no resolver."""
INHERITED = ("PATH", "HOME", "LANG")
"""Variables that every bot gets from the worker's environment."""
EVERYTHING = "*"
"""Passes all variables of the worker's environment."""
TEMPORARY_FOLDER = "tmp"
"""The subfolder for temporary files in the folder of a seat."""
BRIDGE = ("-m", "daide_server", "bridge", "--server")


def usage_file(folder: Path) -> Path:
    """Return the file in which a bridge notes the usage of the bot of a seat."""
    return folder.with_suffix(".usage")


def command_line(seat: SeatTask, game: int, port: int, folder: Path) -> list[str]:
    """Return the command line for the bot of *seat*, beginning with its wrapper.

    *folder* is the seat's. For a bot that speaks JSON lines, the bridge is outside of
    the sandbox. Raises `OSError` and `RunningError`.
    """
    program = seat.program
    values = {
        "host": HOST,
        "port": str(port),
        "seed": str(seat.seed),
        "name": program.name,
        "power": seat.power,
        "game": str(game),
        "folder": str(folder),
    }
    command = sandboxed(
        [fill_in(word, values) for word in program.command], program, folder
    )
    if program.speaks == "lines":
        used = f"--usage={usage_file(folder)}"
        options = (f"{HOST}:{port}", f"--seed={seat.seed}", used)
        command = [sys.executable, *BRIDGE, *options, "--", *command]
    return [*program.wrapper, *command]


def fill_in(word: str, values: Mapping[str, str]) -> str:
    """Return *word* with the placeholders replaced; other braces are unchanged."""
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def environment(program: BotSettings, folder: Path) -> dict[str, str]:
    """Return the whole environment of a bot; its values are never stored."""
    names = {*INHERITED, *program.pass_variables}
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in names or EVERYTHING in names
    }
    own = {"TMPDIR": str(folder / TEMPORARY_FOLDER)}
    return {**passed, **own, **dict(program.environment)}


TRIAL_SECONDS = 10.0
BWRAP_COMMAND = (
    *(BWRAP, "--unshare-pid", "--unshare-ipc", "--die-with-parent"),
    *("--cap-drop", "ALL", "--ro-bind", "/", "/", "--proc", "/proc"),
    # Otherwise a bot that runs as root could reconfigure the system.
    *("--ro-bind-try", "/proc/sys", "/proc/sys"),
    *("--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"),
)
NO_NETWORK = ("--unshare-net",)
NO_DEVICES = ("--dev", "/dev")
DEVICES = ("--dev-bind", "/dev", "/dev")
OWN_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - covered
"""Folders shared by all users; a bot in a sandbox has its own folder instead."""
TOURNAMENT_FILE = "tournament.toml"
TOURNAMENT_PARTS = (
    *(TOURNAMENT_FILE, "results.db", "results.db-wal", "results.db-shm"),
    *("games", "logs", "report", "running", "run.lock", "edit.lock"),
)
"""Parts of a tournament's folder that are hidden from a bot in that folder itself."""
PROGRAM_FOLDERS = frozenset({"bin", "Scripts"})
SHEBANG_BYTES = 256


@cache
def bwrap_problem() -> str:
    """Return why `bwrap` cannot be used on this machine; empty if it can."""
    if shutil.which(BWRAP) is None:
        return "bwrap is not installed"
    command = (*BWRAP_COMMAND, *NO_DEVICES, *NO_NETWORK, "true")
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            command, capture_output=True, timeout=TRIAL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    reason = done.stderr.decode(errors="replace").strip()
    return f"bwrap failed: {reason}" if done.returncode else ""


def sandbox_of(program: BotSettings) -> str:
    """Return the sandbox of *program* on this machine: `bwrap` or `none`.

    A wrapper replaces the sandbox unless `bwrap` is set. Empty for a built-in bot.
    Raises `RunningError`.
    """
    if program.builtin:
        return ""
    wanted = program.sandbox
    if wanted in {AUTO, AS_RUN}:
        return NO_SANDBOX if program.wrapper or bwrap_problem() else BWRAP
    if wanted == BWRAP and bwrap_problem():
        raise RunningError(f'{program.name}: sandbox = "{BWRAP}": {bwrap_problem()}')
    return wanted


def sandboxed(command: Sequence[str], program: BotSettings, folder: Path) -> list[str]:
    """Return the words that start *command* in the sandbox of *program*.

    *folder* is that of its seat, used as its home and /tmp. Raises `OSError` if the
    command cannot be started.
    """
    if sandbox_of(program) == NO_SANDBOX:
        return list(command)
    own = Path(program.folder).resolve()
    check_startable(command, own)
    has_network = program.network or program.speaks != "lines"
    home = dict(program.environment).get("HOME", str(folder))
    return [
        *BWRAP_COMMAND,
        *(DEVICES if program.devices else NO_DEVICES),
        *(() if has_network else NO_NETWORK),
        *_mounts(command, program, folder.resolve()),
        *(() if program.devices else ("--remount-ro", "/dev")),
        *("--chdir", str(own), "--setenv", "HOME", home, "--"),
        *command,
    ]


def _mounts(
    command: Sequence[str], program: BotSettings, folder: Path
) -> Iterator[str]:
    """Yield the options that hide and show folders; deeper ones come later and win."""
    own = Path(program.folder).resolve()
    empty, temporary = folder / "empty", folder / TEMPORARY_FOLDER
    for path in (empty, temporary):
        path.mkdir(exist_ok=True)
    mounts: dict[Path, tuple[str, Path]] = {}
    hidden = (*program.hide, tempfile.gettempdir(), str(folder.parent))
    for path in _existing(hidden):
        hides = ("--bind", empty) if path.is_dir() else ("--ro-bind", Path(os.devnull))
        mounts[path] = hides
    covers = {*mounts, *_existing(OWN_TEMPORARY)}
    for path in _needed(command, own):
        if path not in covers and not covers.isdisjoint(path.parents):
            mounts[path] = "--ro-bind", path
    if own != Path(own.anchor):
        # The tournament's own folder has a store that nobody else may write to.
        is_writable = not (own / TOURNAMENT_FILE).exists()
        mounts[own] = "--bind" if is_writable else "--ro-bind", own
    mounts |= dict.fromkeys(_existing(OWN_TEMPORARY), ("--bind", temporary))
    mounts |= {path: ("--bind", path) for path in (folder, *_existing(program.bind))}
    for path in sorted(mounts, key=lambda each: len(each.parts)):
        option, source = mounts[path]
        above = next((each for each in path.parents if each in mounts), None)
        is_hidden = above is not None and mounts[above][1] in {empty, temporary}
        # Nothing is hidden twice, or shown though it is visible.
        if (option == "--bind" and source == path) or (source == path) == is_hidden:
            yield from (option, str(source), str(path))


def _existing(names: Sequence[str]) -> Iterator[Path]:
    """Yield those files and folders of *names* that exist."""
    for name in names:
        path = Path(name).expanduser()
        with suppress(OSError):
            if path.exists():
                yield path.resolve()


def check_startable(command: Sequence[str], folder: Path) -> None:
    """Raise the `OSError` with which starting *command* would fail here."""
    word = command[0]
    program = Path(shutil.which(word) or word) if os.sep not in word else folder / word
    if program.is_file() and not os.access(program, os.X_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), word)
    if not all(each.exists() for each in (folder, program, *_interpreter(program))):
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), word)


def _needed(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the paths that *command* needs: its files, interpreters, and PATH.

    Also this package and its Python, so that a bot can call `daide-server`.
    """
    yield Path(daide_server.__file__).resolve().parent
    yield from _existing((sys.prefix, sys.base_prefix))
    for entry in _existing(os.get_exec_path()):
        yield _home_of(entry)
    waiting, seen = [*_files(command, folder)], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen or not os.path.isfile(path):  # noqa: PTH113
            continue
        seen.add(path)
        place = path.parent.resolve()
        home = _home_of(place)
        yield from (place / path.name, home)
        if path.is_symlink():
            waiting.append(place / path.readlink())
        yield from _base_of(home)
        waiting += _interpreter(path)


def _home_of(folder: Path) -> Path:
    """Return the folder with everything that belongs to the programs in *folder*."""
    return folder.parent if folder.name in PROGRAM_FOLDERS else folder


def _interpreter(path: Path) -> list[Path]:
    """Return the interpreter in the first line of a script."""
    with suppress(OSError), path.open("rb") as file:
        first = file.readline(SHEBANG_BYTES).decode(errors="replace")
        if first.startswith("#!"):
            words = first.removeprefix("#!").split()
            found = shutil.which(words[-1]) if words else None
            return [Path(each) for each in (*words[:1], *([found] if found else ()))]
    return []


def _base_of(environment: Path) -> Iterator[Path]:
    """Yield the folder of the Python that *environment* is based on, if it is one."""
    with suppress(OSError):
        for line in (environment / "pyvenv.cfg").read_text("utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home":
                yield Path(value.strip()).resolve().parent


def with_hidden(
    programs: Sequence[BotSettings], tournament: Path
) -> tuple[BotSettings, ...]:
    """Return *programs* with the tournament and the others hidden from each.

    Folders that contain the bot's own folder are not hidden.
    """
    homes = [Path(each.folder).resolve() for each in programs]
    files = [_own_files(each) for each in programs]
    found = []
    for program, home, own in zip(programs, homes, files, strict=True):
        inside = TOURNAMENT_PARTS if home == tournament else ("",)
        others = zip(programs, homes, strict=True)
        hidden = [
            *(tournament / name for name in inside),
            *(
                at
                for each, at in others
                if each.command and not home.is_relative_to(at)
            ),
            *sorted(frozenset().union(*files) - own),
        ]
        names = dict.fromkeys(map(str, hidden))
        found.append(evolve(program, hide=(*program.hide, *names)))
    return tuple(found)


def _own_files(program: BotSettings) -> frozenset[Path]:
    """Return the files in a bot's folder that its command names, not those of PATH."""
    folder = Path(program.folder).resolve()
    named = _named(program.command, folder)
    return frozenset(path for path in named if path.is_relative_to(folder))


def _files(command: Sequence[str], folder: Path) -> set[Path]:
    """Return the program of *command*, and the files that it names."""
    found = shutil.which(command[0])
    return _named((*([found] if found else ()), *command), folder)


def _named(words: Sequence[str], folder: Path) -> set[Path]:
    # Returns false for invalid names and inaccessible files.
    return {path for word in words if os.path.isfile(path := folder / word)}  # noqa: PTH113
