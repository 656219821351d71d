"""One game at work: the clock, what clients are sent, and our own faults."""

import pytest
import trio
import trio.testing

from daide_server.board.variant import Variant
from daide_server.game.events import ClientId, ClientLeft, ClockTicked, MessageReceived
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.game.stages import Stage
from daide_server.language.messages import AcceptMap, AskPosition, Name
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.lobby.directory import GameId
from daide_server.records.entries import Ended, Ending, RecordEntry, TurnResolved
from daide_server.server.encoding import Encoder
from daide_server.server.game_runner import GameRunner
from tests.support.scripts import PASSCODES


class Client:
    """A session as far as a table knows it."""

    def __init__(self) -> None:
        self.outbox = self
        self.sent: list[bytes] = []
        self.admitted = False
        self.finished = False

    def put(self, data: bytes) -> None:
        """Keep what is sent."""
        self.sent.append(data)

    def joined(self) -> None:
        """Remember that the client was admitted."""
        self.admitted = True

    def finish(self) -> None:
        """Remember that the client was let go."""
        self.finished = True


class Room:
    """A table with seven clients."""

    def __init__(self, standard: Variant, **limits: int) -> None:
        policy = ServerPolicy(post_game_seconds=5.0)
        passcodes = {power: PASSCODES[power] for power in standard.map.powers}
        assignment = SeatAssignment(standard.map.powers, passcodes)
        self.clients = {ClientId(n): Client() for n in range(7)}
        self.published: list[RecordEntry] = []
        self.table = GameRunner(
            GameId(1),
            Game(standard, GameOptions(**limits), policy, assignment),  # type: ignore[arg-type]
            Encoder(Writer(words := Vocabulary.of(standard.map)), words),
            self.clients,  # type: ignore[arg-type]
            lambda _, entry: self.published.append(entry),
        )

    def seat_everybody(self) -> None:
        """Let all seven join and start."""
        for client in self.clients:
            self.table.post(MessageReceived(client, Name("a", "b"), ()))
        for client in self.clients:
            self.table.post(MessageReceived(client, AcceptMap("standard"), ()))

    def turns(self) -> int:
        """Return how many turns have been played."""
        return sum(isinstance(entry, TurnResolved) for entry in self.published)


async def test_turns_pass_at_their_deadlines(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Ten movement turns of a hundred seconds, in no time."""
    del autojump_clock
    room = Room(standard, movement_limit=100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(room.table.keep_time)
        room.seat_everybody()
        await trio.sleep(1050)
        assert room.turns() == 10
        nursery.cancel_scope.cancel()


async def test_one_step_is_one_send(standard: Variant) -> None:
    """All that a client is told because of one event leaves as one object."""
    room = Room(standard)
    room.seat_everybody()
    sent = [client.sent for client in room.clients.values()]
    assert [len(parts) for parts in sent] == [2] * 7
    assert len({id(parts[-1]) for parts in sent}) == 7
    room.table.post(MessageReceived(ClientId(0), AskPosition(), ()))
    assert [len(parts) for parts in sent] == [3] + [2] * 6


async def test_a_client_that_is_admitted_has_joined(standard: Variant) -> None:
    """And one that is refused has not."""
    room = Room(standard)
    room.seat_everybody()
    assert all(client.admitted for client in room.clients.values())
    room.clients[ClientId(7)] = Client()
    room.table.post(MessageReceived(ClientId(7), Name("a", "b"), ()))
    assert not room.clients[ClientId(7)].admitted


async def test_a_late_event_comes_after_the_alarm(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Even if the task that keeps the time has not come round to it."""
    room = Room(standard, movement_limit=100)
    room.seat_everybody()
    autojump_clock.jump(150)
    room.table.post(MessageReceived(ClientId(0), AskPosition(), ()))
    assert room.turns() == 1


async def test_a_closed_game_ends_its_task(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Everybody leaves; the game is abandoned, ended, closed."""
    del autojump_clock
    room = Room(standard)
    room.seat_everybody()
    for client in list(room.clients):
        room.table.post(ClientLeft(client))
    await room.table.keep_time()
    assert room.table.game.stage is Stage.CLOSED
    last = room.published[-1]
    assert isinstance(last, Ended)
    assert last.ending is Ending.ABORTED


async def test_a_fault_of_ours_ends_this_game_only(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is recorded as aborted, and its clients are told OFF."""
    room = Room(standard)
    room.seat_everybody()

    def fail(*_: object) -> None:
        message = "a defect"
        raise RuntimeError(message)

    monkeypatch.setattr(room.table.game, "handle", fail)
    room.table.post(ClockTicked())
    assert room.table.is_closed
    assert all(client.finished for client in room.clients.values())
    off = bytes.fromhex("0200 0002 4810")
    assert all(client.sent[-1] == off for client in room.clients.values())
    assert isinstance(room.published[-1], Ended)
    room.table.post(ClockTicked())
    await room.table.keep_time()
