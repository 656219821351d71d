"""A log that cannot be written costs lines, and never the game or the end of it.

Each is a server of its own, whose standard error is broken in some way from the start
or in the middle. Seven clients play on; the log has more lines than a pipe holds.
"""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

import pytest
import trio

from daide_server.board.map import Variant
from daide_server.board.names import Power
from tests.end_to_end.playing import recorded
from tests.support.peers import POWERS, Clients, holds

pytestmark = pytest.mark.end_to_end

PATIENCE = 60.0
PIPE_BYTES = 65536
TURNS = 2
CHATTER = "MAP " * 5000
"""A message that is answered by HUH; at debug it fills some ten kB of log."""


@contextmanager
def serving(
    folder: Path,
    *words: str,
    **how: Any,  # noqa: ANN401 - as Popen takes it
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a server that logs everything; it is killed in the end."""
    command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
    command += ["--records", str(folder / "records"), "--year-limit", "1901"]
    command += ["--journal", str(folder / "journal")]
    command += ["--games", "1", "--post-game-seconds", "0", "--log-level", "debug"]
    with subprocess.Popen([*command, *words], stdout=subprocess.PIPE, **how) as process:
        try:
            yield process
        finally:
            process.kill()


async def play(
    process: "subprocess.Popen[bytes]",
    standard: Variant,
    between: Callable[[], object],
    turns: int = TURNS,
) -> None:
    """Play *turns*, with much to log; call *between* after each turn.

    Waits until the server has ended: after all turns by itself, with OFF.
    """
    assert process.stdout is not None
    line = await trio.to_thread.run_sync(process.stdout.readline)
    address = line.decode().removeprefix("listening on ").strip()
    clients = Clients(address)
    with trio.fail_after(PATIENCE):
        seats = await clients.players()
        for _ in range(turns):
            for power, peer in seats.items():
                await peer.say(CHATTER, holds(standard.start, power))
            for peer in seats.values():
                await peer.hear_until("NOW")
            between()
        for peer in seats.values() if turns == TURNS else ():
            await peer.hear_until("OFF")
        await clients.hang_up()
        await trio.to_thread.run_sync(process.wait)


def nothing() -> None:
    """Change nothing between the turns."""


@pytest.mark.parametrize(
    "kind", ["full disk", "closed", "reader stops", "reader goes away", "size of files"]
)
async def test_a_log_that_cannot_be_written_stops_nothing(
    kind: str, tmp_path: Path, standard: Variant
) -> None:
    """No socket or record gets what was meant for it; the end waits a second for it."""
    words, log, between = list[str](), tmp_path / "log", nothing
    with files() as (reader, writer, full):
        how: dict[str, Any] = {"stderr": writer}
        match kind:
            case "full disk":
                how = {"stderr": full}
            case "closed":
                how = {"stderr": None, "preexec_fn": partial(os.close, 2)}
            case "reader goes away":
                between = reader.close
            case "reader stops":
                pass
            case _:  # "size of files"
                limit = resource.RLIMIT_FSIZE, (150_000, 150_000)
                how = {"preexec_fn": partial(resource.setrlimit, *limit)}
                how, words = how | {"stderr": None}, ["--log-file", str(log)]
        with serving(tmp_path, *words, **how) as process:
            writer.close()
            await play(process, standard, between)
        assert process.returncode == 0
        (record,) = recorded(tmp_path / "records")
        assert record["phases"][-1]["name"] == "COMPLETED"
        if kind == "reader stops":
            read = os.read(reader.fileno(), 2 * PIPE_BYTES)
            assert len(read) > PIPE_BYTES // 2, "much more was logged"
        assert kind != "size of files" or log.stat().st_size == 150_000


@contextmanager
def files() -> Iterator[tuple[IO[bytes], IO[bytes], IO[bytes]]]:
    """Give the ends of a pipe, which may be closed before, and a disk that is full."""
    ends = map(os.fdopen, os.pipe(), ("rb", "wb"))
    full_disk = Path("/dev/full")
    with next(ends) as reader, next(ends) as writer, full_disk.open("wb") as full:
        yield reader, writer, full


async def test_a_blocked_log_does_not_delay_a_signal(
    tmp_path: Path, standard: Variant
) -> None:
    """SIGTERM ends the server, though nobody reads what it logs."""
    with files() as (_, writer, _), serving(tmp_path, stderr=writer) as process:
        writer.close()
        stop = partial(process.send_signal, signal.SIGTERM)
        await play(process, standard, stop, turns=1)
    assert process.returncode == 0


async def test_the_log_is_moved_and_says_of_every_line_who_it_is_about(
    tmp_path: Path, standard: Variant
) -> None:
    """As logrotate does; no line is in both files, and every line is whole.

    A HUH is a warning, once in a turn, and counted at its end.
    """
    path, moved = tmp_path / "log", tmp_path / "log.1"

    def rotate() -> None:
        if not moved.exists():
            path.rename(moved)
            process.send_signal(signal.SIGHUP)

    words = ("--log-file", str(path), "--log-level", "info")
    with serving(tmp_path, *words, stderr=subprocess.DEVNULL) as process:
        await play(process, standard, rotate)
    before, after = moved.read_text().splitlines(), path.read_text().splitlines()
    assert any("event=game.started" in line for line in before)
    assert any("event=server.stopped" in line for line in after)
    lines = [*before, *after]
    whole = re.compile(r"timestamp=\S+ level=\w+ event=\S+.*")
    assert all(whole.fullmatch(line) for line in lines)
    about = [line for line in lines if " client=" in line]
    assert all(" address=127.0.0.1" in line for line in about)
    for power in map(Power, POWERS):
        of_power = [line for line in lines if f" power={power} " in line]
        assert all(" game=1 " in line and " name=peer" in line for line in of_power)
        warned = [line for line in of_power if "syntax.refused" in line]
        counted = [line for line in of_power if "orders.counted" in line]
        assert len(warned) == len(counted) == 2
