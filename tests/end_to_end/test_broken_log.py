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
    folder: Path, *words: str, stderr: int | None, **how: object
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a server that logs everything to *stderr*; it is killed in the end."""
    command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
    command += ["--records", str(folder / "records"), "--year-limit", "1901"]
    command += ["--journal", str(folder / "journal")]
    command += ["--games", "1", "--post-game-seconds", "0", "--log-level", "debug"]
    with subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=stderr,
        **how,  # type: ignore[call-overload]
    ) as process:
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


def is_complete(folder: Path) -> bool:
    """Return whether the record of the only game is there, to its end."""
    (record,) = recorded(folder / "records")
    return bool(record["phases"][-1]["name"] == "COMPLETED")


async def test_a_full_disk_stops_nothing(tmp_path: Path, standard: Variant) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    with serving(tmp_path, stderr=full) as process:
        os.close(full)
        await play(process, standard, nothing)
    assert process.returncode == 0
    assert is_complete(tmp_path)


async def test_a_closed_standard_error_stops_nothing(
    tmp_path: Path, standard: Variant
) -> None:
    """And no socket or record gets what was meant for it."""
    close = partial(os.close, 2)
    with serving(tmp_path, stderr=None, preexec_fn=close) as process:
        await play(process, standard, nothing)
    assert process.returncode == 0
    assert is_complete(tmp_path)


async def test_a_reader_that_stops_stops_nothing(
    tmp_path: Path, standard: Variant
) -> None:
    """Much more is logged than the pipe holds; the end waits a second for it."""
    reader, writer = os.pipe()
    with serving(tmp_path, stderr=writer) as process:
        os.close(writer)
        await play(process, standard, nothing)
    assert process.returncode == 0
    assert len(os.read(reader, 2 * PIPE_BYTES)) > PIPE_BYTES // 2
    os.close(reader)
    assert is_complete(tmp_path)


async def test_a_reader_that_goes_away_stops_nothing(
    tmp_path: Path, standard: Variant
) -> None:
    reader, writer = os.pipe()
    with serving(tmp_path, stderr=writer) as process:
        os.close(writer)
        left = [reader]

        def go_away() -> None:
            if left:
                os.close(left.pop())

        await play(process, standard, go_away)
    assert process.returncode == 0
    assert is_complete(tmp_path)


async def test_a_limit_on_the_size_of_files_stops_nothing(
    tmp_path: Path, standard: Variant
) -> None:
    """The log reaches it; the record is small enough."""
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (150_000, 150_000))
    path = tmp_path / "log"
    words = ("--log-file", str(path))
    with serving(
        tmp_path, *words, stderr=subprocess.DEVNULL, preexec_fn=limit
    ) as process:
        await play(process, standard, nothing)
    assert process.returncode == 0
    assert path.stat().st_size == 150_000
    assert is_complete(tmp_path)


async def test_a_blocked_log_does_not_delay_a_signal(
    tmp_path: Path, standard: Variant
) -> None:
    """SIGTERM ends the server, though nobody reads what it logs."""
    reader, writer = os.pipe()
    with serving(tmp_path, stderr=writer) as process:
        os.close(writer)
        stop = partial(process.send_signal, signal.SIGTERM)
        await play(process, standard, stop, turns=1)
    assert process.returncode == 0
    os.close(reader)


async def test_the_log_is_moved_and_opened_anew(
    tmp_path: Path, standard: Variant
) -> None:
    """As logrotate does; no line is in both files, and every line is whole."""
    path, moved = tmp_path / "log", tmp_path / "log.1"

    def rotate() -> None:
        if not moved.exists():
            path.rename(moved)
            process.send_signal(signal.SIGHUP)

    words = ("--log-file", str(path), "--log-format", "logfmt", "--log-level", "info")
    with serving(tmp_path, *words, stderr=subprocess.DEVNULL) as process:
        await play(process, standard, rotate)
    before, after = moved.read_text().splitlines(), path.read_text().splitlines()
    assert any("event=game.started" in line for line in before)
    assert any("event=server.stopped" in line for line in after)
    line = re.compile(r"timestamp=\S+ level=\w+ event=\S+.*")
    assert all(line.fullmatch(each) for each in (*before, *after))


async def test_every_line_about_a_player_says_who_it_is(
    tmp_path: Path, standard: Variant
) -> None:
    """And a HUH is a warning, once in a turn, and counted at its end."""
    path = tmp_path / "log"
    words = ("--log-file", str(path), "--log-level", "info")
    with serving(tmp_path, *words, stderr=subprocess.DEVNULL) as process:
        await play(process, standard, nothing)
    lines = path.read_text().splitlines()
    about = [line for line in lines if " client=" in line]
    assert all(" address=127.0.0.1" in line for line in about)
    for power in map(Power, POWERS):
        of_power = [line for line in lines if f" power={power} " in line]
        assert all(" game=1 " in line and " name=peer" in line for line in of_power)
        warned = [line for line in of_power if "syntax.refused" in line]
        counted = [line for line in of_power if "orders.counted" in line]
        assert len(warned) == len(counted) == 2
