"""What is acknowledged is in force after a kill, wherever the file is cut."""

import errno
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from daide_server.board.names import Power
from daide_server.game.directory import GameId
from daide_server.game.events import Stage
from daide_server.storage import journal_file
from daide_server.storage.variants import load_variant
from tests.app.kept_game import AcknowledgedGame, DrivenServer
from tests.support.journalled import (
    InForce,
    JournalledClient,
    JournalledServer,
    in_force,
)

ORDERS = (
    "SUB ((FRA AMY PAR) HLD)",
    "SUB ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)",
    "SUB ((ENG FLT LON) HLD) ((ENG FLT EDI) HLD) ((ENG AMY LVP) HLD)",
    "NOT (SUB)",
    "NOT (SUB ((FRA AMY PAR) HLD))",
    "NOT (GOF)",
    "GOF",
)
VOTES = ("DRW", "NOT (DRW)")
OTHERS = (
    "SND (ENG) (PRP (PCE (FRA ENG)))",
    "TME (5)",
    "NOW",
    "ADM ('x') ('y')",
    "HLO",
    "REJ (MAP ('standard'))",
)
FIRST = GameId(1)
POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))
powers = st.sampled_from(POWERS[:3])
"""Those that do something; with a few, more happens to each."""


def said(texts: Sequence[str]) -> st.SearchStrategy[list[str]]:
    """Draw some of *texts*, which a client says in one pass."""
    return st.lists(st.sampled_from(texts), min_size=1, max_size=4)


class Disk:
    """The disk under the journal; it can be full, in the middle of a line."""

    left: ClassVar[int | None] = None

    @classmethod
    def write(cls, fd: int, data: bytes) -> None:
        """Write as much of *data* as there is room for."""
        size = len(data) if cls.left is None else min(cls.left, len(data))
        os.write(fd, data[:size])
        if size < len(data):
            raise OSError(errno.ENOSPC, "No space left on device")


@contextmanager
def disk() -> Iterator[None]:
    """Put that disk in place of the real one."""
    Disk.left, before = None, journal_file.write_all
    journal_file.write_all = Disk.write
    try:
        yield
    finally:
        journal_file.write_all = before


class KeptGame(RuleBasedStateMachine):
    """Clients of one game, a disk that fills up, kills and recoveries.

    `acknowledged` is what the clients were told; `committed` what the game had accepted
    when the journal had so many bytes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name) / "journal"
        self._file = self._path / "run-0001.jsonl"
        self._disk = disk()
        self._disk.__enter__()
        variant = load_variant("standard")
        self.server = DrivenServer(variant, self._path)
        self.acknowledged = AcknowledgedGame(variant)
        self.committed: dict[int, InForce] = {}
        self.clients: dict[Power, JournalledClient] = {}
        self.gone: set[Power] = set()
        """Clients that have left while nothing could be committed."""
        self.unsure: set[Power] = set()
        """Powers whose last answers are held back."""
        self.unanswered: set[Power] = set()
        """Powers that said something, and left before they could be answered."""
        self.is_over = False
        self._is_cut_between_passes = True
        seated = self.server.do(lambda server: server.seat(variant))
        self.clients.update({Power(power): each for power, each in seated.items()})
        self.server.do(self._watch)
        for power in POWERS:
            self.say(power, ["NOW"])

    def teardown(self) -> None:
        self.server.close()
        self._disk.__exit__(None, None, None)
        self._folder.cleanup()

    @precondition(lambda self: not self.is_over)
    @rule(power=powers, texts=said(ORDERS))
    def order(self, power: Power, texts: list[str]) -> None:
        """Let a client order, and take back."""
        self.say(power, texts)

    @precondition(lambda self: not self.is_over)
    @rule(power=powers, texts=said(VOTES))
    def vote(self, power: Power, texts: list[str]) -> None:
        """Let a client vote for a draw, and take that back."""
        self.say(power, texts)

    @precondition(lambda self: not self.is_over)
    @rule(power=powers, texts=said(OTHERS))
    def ask(self, power: Power, texts: list[str]) -> None:
        """Let a client send press, and ask."""
        self.say(power, texts)

    def say(self, power: Power, texts: list[str]) -> None:
        """Let a client say something; nobody is read while the disk is full."""
        if power in self.clients:
            client = self.clients[power]
            is_read = self.server.do(lambda server: server.say(client, *texts))
            if is_read and not self.server.do(_is_committing):
                self.unsure.add(power)
            self._listen()

    @precondition(lambda self: not self.is_over)
    @rule(power=powers)
    def leave(self, power: Power) -> None:
        if power in self.clients:
            client = self.clients.pop(power)
            stage = self.server.do(_stage)
            self.server.do(lambda server: server.leave(client))
            if stage is not Stage.RECOVERING:
                self.gone.add(power)
            if power in self.unsure:
                self.unanswered.add(power)
            self._listen()

    @precondition(lambda self: not self.is_over)
    @rule(power=powers)
    def come_back(self, power: Power) -> None:
        """Let a client return by IAM, while the server answers."""
        if power not in self.clients and self.server.do(_is_committing):
            self.clients[power] = self.server.do(partial(_return, power=power))
            self._listen()

    @precondition(lambda self: not self.is_over)
    @rule()
    def all_come_back(self) -> None:
        """Let all return: then a recovered game goes on."""
        for power in POWERS:
            self.come_back(power)

    @precondition(lambda self: not self.is_over)
    @rule(seconds=st.floats(0.5, 25.0))
    def wait(self, seconds: float) -> None:
        self.server.wait(seconds)
        self._listen()

    @precondition(lambda self: not self.is_over)
    @rule(size=st.integers(0, 60))
    def fill_disk(self, size: int) -> None:
        """Leave so many bytes: the next line may be cut short."""
        Disk.left = size

    @precondition(lambda self: not self.is_over)
    @rule()
    def make_room(self) -> None:
        """Let the server write what it could not; then it says what it held back."""
        Disk.left = None
        self.server.wait(2.0)
        self._listen()

    @precondition(lambda self: not self.is_over)
    @rule()
    def kill(self) -> None:
        """Kill the server: all that it has said is in force."""
        self._restart(0)
        if not self.is_over:
            self.server.do(self._check)

    @precondition(lambda self: not self.is_over)
    @rule(size=st.integers(1, 400))
    def kill_and_cut(self, size: int) -> None:
        """Lose the end of the file as well: what was committed before is in force."""
        expected = self._restart(size)
        if not self.is_over:
            found = self.server.do(lambda server: in_force(server.runner()))
            if self._is_cut_between_passes:
                assert found == expected
            else:
                # What was not said may be in force: whole lines of the last pass.
                size = len(expected.entries)
                assert found.entries[:size] == expected.entries
            self.server.do(self.acknowledge_all)

    @precondition(lambda self: self.is_over)
    @rule()
    def look_at_what_is_over(self) -> None:
        """Do nothing: the game has ended, or was broken off."""

    @invariant()
    def what_is_acknowledged_is_in_force(self) -> None:
        """Nothing is said that is not committed, and all is that was."""
        if not self.is_over and self.server.do(_is_committing):
            self.server.do(self._check)

    def _check(self, server: JournalledServer) -> None:
        runner = server.runner()
        self.acknowledged.check(runner.game.state, runner.entries)

    def acknowledge_all(self, server: JournalledServer) -> None:
        """Begin with what is in force: the clients were told what is lost now."""
        runner = server.runner()
        self.acknowledged.adopt(runner.game.state, runner.entries)

    def _forget_unanswered(self) -> None:
        for powers_then in (self.gone, self.unsure, self.unanswered):
            powers_then.clear()

    def _adopt(self, server: JournalledServer, power: Power) -> None:
        runner = server.runner()
        self.acknowledged.adopt_of(power, runner.game.state, runner.entries)

    def _watch(self, server: JournalledServer) -> None:
        """Remember what is in force at each commit: the file may be cut there."""
        file = server.runner().journal.file
        assert file is not None
        append = file.append

        def committed(data: bytes) -> None:
            append(data)
            if server.games.runner(FIRST) is not None:
                self.committed[file.size] = in_force(server.runner())

        file.append = committed  # type: ignore[method-assign] # to look on
        self.committed[file.size] = in_force(server.runner())

    def _listen(self) -> None:
        """Hear what all clients were told."""
        if self.server.do(_is_committing):
            for power in self.gone:
                self.acknowledged.leave(power)
            for power in self.unanswered:
                # Whoever leaves unanswered learns at its return what is in force.
                self.server.do(partial(self._adopt, power=power))
            self._forget_unanswered()
        self.acknowledged.hear_all(
            {power: client.hear() for power, client in self.clients.items()}
        )
        self.is_over = self.server.do(_stage) not in {
            *(Stage.PLAYING, Stage.PAUSED, Stage.RECOVERING),
        }

    def _restart(self, size: int) -> InForce:
        """Kill the server, cut the journal, and start it again."""
        self._forget_unanswered()
        kept = 0

        def cut() -> None:
            nonlocal kept
            Disk.left = None
            whole = max(self._file.stat().st_size - size, min(self.committed))
            os.truncate(self._file, whole)
            whole = self._file.read_bytes().rfind(b"\n") + 1
            kept = max(at for at in self.committed if at <= whole)
            self._is_cut_between_passes = kept == whole

        self.server.restart(cut)
        self.server.do(_check_recovery)
        expected = self.committed[kept]
        self.committed = {at: it for at, it in self.committed.items() if at <= kept}
        self.clients.clear()
        self.is_over = self.server.do(_stage) is not Stage.RECOVERING
        if not self.is_over:
            self.server.do(self._watch)
        return expected


def _check_recovery(server: JournalledServer) -> None:
    assert not server.events.of("journal.damaged")
    assert not server.events.of("game.set_aside")


def _stage(server: JournalledServer) -> Stage:
    runner = server.games.runner(FIRST)
    return Stage.CLOSED if runner is None else runner.game.stage


def _return(server: JournalledServer, power: Power) -> JournalledClient:
    """Let a client claim the seat of *power*; it is answered when that is committed."""
    seat, client = server.runner().game.state.seating[power], server.join()
    server.say(client, f"IAM ({power}) ({seat.passcode})")
    return client


def _is_committing(server: JournalledServer) -> bool:
    return server.clock.is_running and server.journal.is_settled


def test_what_was_acknowledged_is_in_force_after_any_kill() -> None:
    """Nothing missing, nothing doubled; a full disk says nothing that is not kept."""
    run_state_machine_as_test(
        KeptGame, settings=settings(max_examples=50, stateful_step_count=30)
    )


@pytest.mark.long
def test_what_was_acknowledged_is_in_force_after_very_many_kills() -> None:
    run_state_machine_as_test(
        KeptGame, settings=settings(max_examples=1500, stateful_step_count=60)
    )
