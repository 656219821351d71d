"""What is acknowledged is in force after a kill, wherever the file is cut."""

import errno
import os
import tempfile
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.lobby.directory import GameId
from daide_server.storage import journal_file
from daide_server.storage.variants import load_variant
from tests.support.journalled import (
    InForce,
    JournalledClient,
    JournalledServer,
    in_force,
    journalled,
)

SAID = (
    "SUB ((FRA AMY PAR) HLD)",
    "SUB ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)",
    "SUB ((ENG FLT LON) HLD) ((ENG FLT EDI) HLD) ((ENG AMY LVP) HLD)",
    "NOT (SUB)",
    "NOT (SUB ((FRA AMY PAR) HLD))",
    "NOT (GOF)",
    "GOF",
    "DRW",
    "NOT (DRW)",
    "SND (ENG) (PRP (PCE (FRA ENG)))",
    "TME (5)",
    "NOW",
    "ADM ('x') ('y')",
    "HLO",
    "REJ (MAP ('standard'))",
)
FIRST = GameId(1)
POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")

powers = st.sampled_from(POWERS)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("say"), powers, st.sampled_from(SAID)),
        st.tuples(st.just("leave"), powers, st.just("")),
        st.tuples(st.just("return"), powers, st.just("")),
        st.tuples(st.just("wait"), st.just(""), st.floats(0.1, 25.0)),
        st.tuples(st.just("fill"), st.just(""), st.integers(0, 60)),
        st.tuples(st.just("free"), st.just(""), st.just("")),
        st.tuples(st.just("kill"), st.just(""), st.integers(0, 400)),
    ),
    min_size=5,
    max_size=40,
)


class Disk:
    """The disk under the journal; it can be full, in the middle of a frame."""

    left: ClassVar[int | None] = None

    @classmethod
    def write(cls, fd: int, data: bytes) -> None:
        """Write as much of *data* as there is room for."""
        size = len(data) if cls.left is None else min(cls.left, len(data))
        os.write(fd, data[:size])
        if size < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")


@contextmanager
def disk() -> Iterator[type[Disk]]:
    Disk.left, before = None, journal_file._write_all
    journal_file._write_all = Disk.write
    try:
        yield Disk
    finally:
        journal_file._write_all = before


class Story:
    """What clients did, and what the server had said was in force, by file size."""

    def __init__(self, variant: Variant, path: Path) -> None:
        self.variant = variant
        self.path = path
        self.said: dict[int, InForce] = {}
        self.clients: dict[str, JournalledClient] = {}

    def note(self, server: JournalledServer) -> None:
        """Remember what is in force, unless nothing can be committed."""
        if server.clock.is_running and server.games.runner(FIRST) is not None:
            self.said[server.journal.file.size] = in_force(server.runner())

    def watch(self, server: JournalledServer) -> None:
        """Remember what is in force at each commit: a kill may come after any."""
        file = server.journal.file
        append = file.append_encoded

        def committed(games: Set[int], entries: Sequence[bytes]) -> None:
            append(games, entries)
            if server.games.runner(FIRST) is not None:
                self.said[file.size] = in_force(server.runner())

        file.append_encoded = committed  # type: ignore[method-assign] # to look on

    async def until_kill(
        self, server: JournalledServer, todo: list[tuple[str, str, object]]
    ) -> int | None:
        """Do what is to be done up to a kill; return how many bytes it cuts off."""
        while todo and server.games.runner(FIRST) is not None:
            what, power, value = todo.pop(0)
            if what == "kill":
                return int(str(value))
            before = {client: client.sent for client in self.clients.values()}
            stood = not server.clock.is_running
            await self._do(server, (what, power, value))
            if stood and not server.clock.is_running:
                for client, sent in before.items():
                    assert client.sent == sent, "something uncommitted was said"
            self.note(server)
        return None

    async def _do(
        self, server: JournalledServer, step: tuple[str, str, object]
    ) -> None:
        what, power, value = step
        match what:
            case "say" if power in self.clients:
                server.say(self.clients[power], str(value))
            case "leave" if power in self.clients:
                server.leave(self.clients.pop(power))
            case "return" if power not in self.clients and server.clock.is_running:
                if server.runner().game.state.is_running:
                    self._return(server, power)
            case "wait":
                await trio.sleep(float(str(value)))
            case "fill":
                Disk.left = int(str(value))
            case "free":
                Disk.left = None
                await trio.sleep(2)
            case _:
                pass  # somebody who is not there, or is already

    def _return(self, server: JournalledServer, power: str) -> None:
        seat = server.runner().game.state.seating[Power(power)]
        if seat.client is None:
            client = server.connect()
            server.say(client, f"IAM ({power}) ({seat.passcode})")
            self.clients[power] = client

    def cut(self, size: int) -> InForce:
        """Cut the journal, and return what was in force at the last whole frame."""
        whole = max(self.path.stat().st_size - size, min(self.said))
        os.truncate(self.path, whole)
        kept = max(at for at in self.said if at <= whole)
        self.said = {at: said for at, said in self.said.items() if at <= kept}
        self.clients.clear()
        return self.said[kept]


async def tell(
    variant: Variant, path: Path, todo: list[tuple[str, str, object]]
) -> None:
    """Play a story of several runs of a server."""
    story = Story(variant, path)
    with disk():
        async with journalled(variant, path) as server:
            story.watch(server)
            story.clients.update(server.seat(variant))
            story.note(server)
            cut = await story.until_kill(server, todo)
        while cut is not None:
            Disk.left = None
            expected = story.cut(cut)
            async with journalled(variant, path) as server:
                runner = server.games.runner(FIRST)
                if runner is None:
                    # It was over, and its record not yet written.
                    return
                found = in_force(runner)
                assert found == expected
                story.watch(server)
                story.note(server)
                cut = await story.until_kill(server, todo)


@settings(max_examples=40, deadline=None)
@given(steps)
def test_what_was_acknowledged_is_in_force_after_any_kill(
    todo: list[tuple[str, str, object]],
) -> None:
    """Nothing missing, nothing doubled; a full disk says nothing that is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        clock = trio.testing.MockClock(autojump_threshold=0)
        path = Path(folder) / "a.journal"
        trio.run(tell, load_variant("standard"), path, list(todo), clock=clock)


@pytest.mark.long
@settings(max_examples=2000, deadline=None)
@given(steps)
def test_what_was_acknowledged_is_in_force_after_very_many_kills(
    todo: list[tuple[str, str, object]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = trio.testing.MockClock(autojump_threshold=0)
        path = Path(folder) / "a.journal"
        trio.run(tell, load_variant("standard"), path, list(todo), clock=clock)
