"""Before a renewal: the new program replays all games, in a process of its own.

The child gets the same command line and a copy of the games, and serves nobody. It
ends with 0 if it comes to the same games as the server; its last line is the reason
if not, else what will make the renewal slow.
"""

import os
import sys
from pathlib import Path
from typing import Final

import trio

from daide_server.server.handover import Handover, decode_handover, encode_handover
from daide_server.storage.variants import find_variant

from .journal_reader import JournalReader
from .memory_file import memory_file, read_all
from .settings import ServerSettings
from .taking_over import replay_games

REHEARSAL_SECONDS: Final = 120.0
"""How long a rehearsal may take."""
VARIABLE: Final = "DAIDE_SERVER_HANDOVER"
"""Names the descriptor of what was handed over, and what to do with it."""
REHEARSE: Final = "rehearse"
RESUME: Final = "resume"


class RenewalError(Exception):
    """The program cannot be renewed; the message says why."""


def command_line() -> list[str]:
    """Return the program and the arguments with which this process was started."""
    return [sys.executable, *sys.orig_argv[1:]]


def environment(what: str, descriptor: int) -> dict[str, str]:
    """Return the environment of a new program that is to take something up."""
    return {**os.environ, VARIABLE: f"{what}:{descriptor}"}


def received() -> tuple[str, Handover] | None:
    """Return what another program left to this one, and what to do with it, once.

    Raises `HandoverError`.
    """
    found = os.environ.pop(VARIABLE, None)
    if found is None:
        return None
    what, _, descriptor = found.partition(":")
    fd = int(descriptor)
    try:
        return what, decode_handover(read_all(fd))
    finally:
        os.close(fd)


async def rehearse(games: Handover, command: list[str]) -> str:
    """Let *command* replay *games*; return what will make the renewal slow, if any.

    Raises `RenewalError` if that fails or takes too long.
    """
    fd = memory_file("daide-server-rehearsal", encode_handover(games))
    try:
        with trio.move_on_after(REHEARSAL_SECONDS):
            done = await trio.run_process(
                command,
                executable=command[0],
                env=environment(REHEARSE, fd),
                pass_fds=(fd,),
                capture_stdout=True,
                capture_stderr=True,
                check=False,
            )
            if done.returncode:
                raise RenewalError(_reason(done.returncode, done.stdout, done.stderr))
            return _last_line(done.stdout)
    except OSError as error:
        message = f"{command[0]}: {error.strerror or error}"
        raise RenewalError(message) from error
    finally:
        os.close(fd)
    message = f"the new program took more than {REHEARSAL_SECONDS:g} s to replay all"
    raise RenewalError(message)


def _reason(code: int, output: bytes, errors: bytes) -> str:
    said = _last_line(output) or _last_line(errors) or "it said nothing"
    return f"the new program fails with {code}: {said}"


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def answer_rehearsal(settings: ServerSettings, handover: Handover) -> tuple[int, str]:
    """Replay the games of *handover*; return the exit code and the last line."""
    variant = find_variant(settings.board.variant)
    _, wrong = replay_games(JournalReader(settings, variant), handover.games)
    if wrong:
        number, reason = next(iter(wrong.items()))
        return (
            1,
            f"{len(wrong)} of {len(handover.games)} games; game {number}: {reason}",
        )
    return 0, _slowness()


def _slowness() -> str:
    """Return why the new program will start slowly; empty if it will not."""
    bare = [
        name
        for name, module in list(sys.modules.items())
        if name.startswith("daide_server") and not _is_compiled(module)
    ]
    if not bare:
        return ""
    return f"{len(bare)} modules have no compiled file (.pyc)"


def _is_compiled(module: object) -> bool:
    cached = getattr(module, "__cached__", None)
    return cached is None or Path(cached).exists()
