"""`daide-server health` of a real server whose journal cannot be written."""

import errno
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.storage import journal_file
from tests.support.peers import Running, running

pytestmark = pytest.mark.end_to_end


async def health(server: Running, *words: str) -> tuple[int, str]:
    """Return the exit code of a check, and what it says of a failure."""
    command = ["health", server.address, *words]
    done = await trio.to_thread.run_sync(CliRunner().invoke, main, command)
    return done.exit_code, done.stderr


async def test_a_server_is_ready_when_its_journal_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk makes it wait, and it goes on when there is room again."""

    def full(fd: int, data: bytes) -> None:
        del fd, data
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = str(tmp_path / "journal")
    async with running(tmp_path, durability="process", journal=journal) as server:
        assert await health(server, "--ready") == (0, "")
        seats = await server.players()
        with monkeypatch.context() as disk:
            disk.setattr(journal_file, "write_all", full)
            await seats["FRA"].say("NOT (GOF)")
            for words in ((), ("--ready",)):
                code, reason = await health(server, *words, "--timeout", "0.3")
                assert code == 1
                assert reason == "daide-server: no RM from the server: timed out\n"
        assert await health(server, "--ready", "--timeout", "10") == (0, "")
        await seats["FRA"].hears("YES (NOT (GOF))")
