"""Messages of clients find their games; what no game answers is refused."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import trio
import trio.testing
from attrs import evolve

from daide_server.app.game_server import GameServer
from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.directory import COMMON_PORT, GameId, PortTarget
from daide_server.game.events import ClientId, JoinRefusal
from daide_server.language.vocabulary import Vocabulary, from_text, to_text
from daide_server.records.entries import Began
from daide_server.server.events import (
    ClientContext,
    ClientDisconnected,
    ClientJoined,
    ClientMisunderstood,
    ClientRefused,
    TextSent,
)
from daide_server.server.game_runner import GameRunner
from daide_server.server.session import Session
from daide_server.server.transport import READ_SIZE
from daide_server.wire.frames import FrameDecoder, decode_tokens, encode_tokens
from tests.support.fakes import (
    FM,
    IM,
    LIMITS,
    RM,
    UNLIMITED,
    FakePoller,
    FakeTransport,
    RecordedEvents,
)
from tests.support.stormed_game import maker_of
from tests.support.twins import assignment

WORDS = Vocabulary.standard()
POWERS = 7
JOIN_SECONDS = 20.0


class Server(GameServer):
    """A server with games, whose clients are on fake transports."""

    poller: FakePoller
    events: RecordedEvents

    def __init__(
        self,
        standard: Variant,
        nursery: trio.Nursery,
        events: RecordedEvents,
        share: float = UNLIMITED,
    ) -> None:
        maker = maker_of(standard)
        limits = evolve(LIMITS, join_seconds=JOIN_SECONDS, close_seconds=60.0)
        maker.settings = evolve(maker.settings, session=limits)
        super().__init__(maker, events, None, partial(FakePoller, share=share))
        self.archived: list[GameRunner] = []
        self._nursery = nursery
        self.start(nursery)

    async def archive(self, runner: GameRunner) -> None:
        """Remember a game that has ended."""
        await trio.lowlevel.checkpoint()
        self.archived.append(runner)

    async def join(self, target: PortTarget = COMMON_PORT) -> "Client":
        """Return a client that has exchanged IM and RM."""
        transport = FakeTransport()
        session = self.connect(transport, target)
        self._nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        connected = Client(self, session, transport)
        await connected.send(IM)
        assert transport.data == RM
        transport.sent.clear()
        return connected

    async def one_pass(self) -> None:
        """Run a pass of the poller, and what follows from it."""
        self.poller.run_pass()
        await trio.testing.wait_all_tasks_blocked()


class Client:
    """The client's end of a session."""

    def __init__(
        self, server: Server, session: Session, transport: FakeTransport
    ) -> None:
        self.session = session
        self.transport = transport
        self._server = server

    async def send(self, data: bytes) -> None:
        """Send bytes, and let them be handled."""
        self.transport.arrive(data)
        for _ in range(0, max(1, len(data)), READ_SIZE):
            await self._server.one_pass()

    async def say(self, text: str) -> None:
        """Send a message, and let it be handled."""
        await self.send(encode_tokens(from_text(text, WORDS)))

    def heard(self) -> list[str]:
        """Return the messages that have come, once; FM is `FM`."""
        decoder = FrameDecoder(lambda _kind, _length: None)
        decoder.feed(self.transport.data)
        self.transport.sent.clear()
        found = []
        while frame := decoder.next():
            _, body = frame
            found.append(to_text(decode_tokens(body), WORDS) if body else "FM")
        return found


async def _nothing(_: object) -> None:
    await trio.sleep_forever()


@asynccontextmanager
async def server(
    standard: Variant, events: RecordedEvents | None = None
) -> AsyncIterator[Server]:
    """Run a server with one game."""
    async with trio.open_nursery() as nursery:
        running = Server(standard, nursery, events or RecordedEvents())
        running.games.open_game()
        yield running
        nursery.cancel_scope.cancel()


async def test_who_joins_is_reported_with_its_game(standard: Variant) -> None:
    async with server(standard) as running:
        client = await running.join()
        await client.say("NME ('a') ('1')")
        assert client.heard() == ["YES ( NME ( 'a' ) ( '1' ) )", "MAP ( 'standard' )"]
        ((context, request),) = running.events.of(ClientJoined)
        assert repr(context).startswith(
            "ClientContext(client=1, address='192.0.2.1', game=1, power='AUS'"
        )
        assert "name='a'" in repr(request)


async def test_who_is_not_let_in_is_told_and_reported(standard: Variant) -> None:
    """An IAM with a passcode of no seat."""
    async with server(standard) as running:
        client = await running.join()
        await client.say("IAM (FRA) (1)")
        assert client.heard() == ["REJ ( IAM ( FRA ) ( 1 ) )"]
        assert ClientRefused in running.events.kinds


async def test_only_a_client_that_a_game_admits_stops_its_timer(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """One that is refused, or only asks, has joined nothing."""
    del autojump_clock
    async with server(standard) as running:
        player, refused = await running.join(), await running.join()
        await player.say("NME ('a') ('1')")
        await refused.say("IAM (FRA) (1)")
        await refused.say("MAP")
        player.heard()
        refused.heard()
        await trio.sleep(JOIN_SECONDS + 1)
        assert player.heard() == []
        assert refused.heard() == ["FM"]


async def test_what_is_no_daide_is_answered_by_the_reader(standard: Variant) -> None:
    """No game handles it."""
    async with server(standard) as running:
        client = await running.join()
        await client.say("( (")
        await client.say("NME")
        heard = client.heard()
        assert [text.split()[0] for text in heard] == ["PRN", "HUH"]


async def test_a_complaint_is_reported(standard: Variant) -> None:
    async with server(standard) as running:
        client = await running.join()
        await client.say("HUH (ERR NOW)")
        assert running.events.of("client.complained") == [(1, "HUH ( ERR NOW )")]


async def test_a_port_of_one_game_admits_to_that_game_only(standard: Variant) -> None:
    """There is no game 2: its port refuses."""
    async with server(standard) as running:
        client = await running.join(PortTarget(GameId(2)))
        await client.say("NME ('a') ('1')")
        assert client.heard() == ["REJ ( NME ( 'a' ) ( '1' ) )"]


async def test_a_client_leaves_its_game_once(standard: Variant) -> None:
    """And the seat is free for the next one."""
    async with server(standard) as running:
        gone = await running.join()
        await gone.say("NME ('a') ('1')")
        await gone.send(b"")
        assert running.events.kinds.count(ClientDisconnected) == 1
        for _ in range(POWERS):
            client = await running.join()
            await client.say("NME ('b') ('1')")
            assert client.heard()[0].startswith("YES")


async def test_the_game_starts_in_the_pass_of_the_last_map(standard: Variant) -> None:
    """Each client is sent HLO, SCO and NOW as one object; no other game is opened."""
    async with server(standard) as running:
        clients = [await running.join() for _ in range(POWERS)]
        for client in clients:
            await client.say("NME ('a') ('1')")
        for client in clients:
            await client.say("YES (MAP ('standard'))")
        for client in clients:
            assert len(client.transport.sent) == 2
            names = [text.split()[0] for text in client.heard()]
            assert names == ["YES", "MAP", "HLO", "SCO", "NOW"]
        assert running.events.kinds.count(Began) == 1
        late = await running.join()
        await late.say("NME ('late') ('1')")
        assert late.heard() == ["REJ ( NME ( 'late' ) ( '1' ) )"]


async def test_press_of_two_senders_in_one_pass_is_one_send(standard: Variant) -> None:
    """And in the order in which it was handled."""
    async with server(standard) as running:
        clients = [await running.join() for _ in range(POWERS)]
        for client in clients:
            await client.say("NME ('a') ('1')")
        for client in clients:
            client.heard()
        for number, client in enumerate(clients[:2]):
            text = f"ADM ('a') ('press {number}')"
            client.transport.arrive(encode_tokens(from_text(text, WORDS)))
        await running.one_pass()
        assert len(clients[2].transport.sent) == 1
        assert [text.split("'")[3] for text in clients[2].heard()] == [
            "press 0",
            "press 1",
        ]


async def test_dismissal_is_sent_though_nobody_speaks(standard: Variant) -> None:
    """OFF and FM to all, in one send; the games do not hear of it."""
    async with server(standard) as running:
        clients = [await running.join() for _ in range(2)]
        await clients[0].say("NME ('a') ('1')")
        clients[0].heard()
        with running.passes:
            running.clients.dismiss()
        off = bytes.fromhex("0200 0002 4810")
        assert all(client.transport.sent == [off + FM] for client in clients)
        await trio.testing.wait_all_tasks_blocked()
        assert ClientDisconnected not in running.events.kinds


async def test_messages_are_reported_to_who_wants_them(standard: Variant) -> None:
    """Both ways, as text, and how the game handled them."""
    async with server(standard, RecordedEvents(wants_messages=True)) as running:
        client = await running.join()
        await client.say("NME ('a') ('1')")
        events = running.events
        assert events.of("message.received") == [(1, "NME ( 'a' ) ( '1' )")]
        assert events.of(TextSent) == [
            ((1,), "YES ( NME ( 'a' ) ( '1' ) )", 1),
            ((1,), "MAP ( 'standard' )", 1),
        ]
        ((game, kind, effects),) = events.of("game.handled")
        assert (game, kind) == (1, "MessageReceived")
        assert isinstance(effects, int)


async def test_messages_are_reported_without_passcodes(standard: Variant) -> None:
    async with server(standard, RecordedEvents(wants_messages=True)) as running:
        client = await running.join()
        await client.say("IAM (FRA) (1234)")
        events = running.events
        assert events.of("message.received") == [(1, "IAM ( FRA ) ( 0 )")]
        assert events.of(TextSent) == [((1,), "REJ ( IAM ( FRA ) ( 0 ) )", None)]


async def test_why_a_client_is_refused_is_reported(standard: Variant) -> None:
    """Its address with it, and its game and power if it has joined."""
    async with server(standard) as running:
        first = await running.join()
        await first.say("IAM (FRA) (1)")
        await first.say("NME ('a') ('1')")
        await first.say("OBS")
        stranger = await running.join(PortTarget(GameId(2)))
        await stranger.say("OBS")
        await stranger.say("GOF")
        refused = running.events.of(ClientRefused)
        assert [reason for _, _, reason in refused] == [
            JoinRefusal.NOT_RUNNING,
            JoinRefusal.ALREADY_JOINED,
            JoinRefusal.NO_GAME,
        ]
        assert refused[1][0] == ClientContext(
            ClientId(1), "192.0.2.1", GameId(1), Power("AUS"), "a"
        )
        assert len(running.events.of("message.unanswered")) == 1


async def test_who_comes_too_late_or_guesses_is_refused_for_that(
    standard: Variant,
) -> None:
    async with server(standard) as running:
        clients = [await running.join() for _ in range(POWERS)]
        for client in clients:
            await client.say("NME ('a') ('1')")
        for client in clients:
            await client.say("YES (MAP ('standard'))")
        late = await running.join()
        await late.say("NME ('late') ('1')")
        await late.say("IAM (FRA) (8000)")
        passcode = assignment(standard).passcodes[Power("FRA")]
        await late.say(f"IAM (FRA) ({passcode})")
        await clients[2].send(b"")
        await late.say("IAM (FRA) (8000)")
        await late.say("NME ('FRA:a') ('1')")
        refused = running.events.of(ClientRefused)
        assert [reason for _, _, reason in refused] == [
            JoinRefusal.NO_OPEN_SEAT,
            JoinRefusal.WRONG_PASSCODE,
            JoinRefusal.SEAT_OCCUPIED,
            JoinRefusal.PASSCODE_REFUSED,
            JoinRefusal.NAME_LEFT,
        ]


async def test_the_first_syntax_error_of_a_client_is_reported(
    standard: Variant,
) -> None:
    """Of a player the first in each turn."""
    async with server(standard) as running:
        stranger, player = await running.join(), await running.join()
        await player.say("NME ('a') ('1')")
        for client in (stranger, player):
            await client.say("NME")
            await client.say("( (")
        found = running.events.of(ClientMisunderstood)
        assert [(repr(context)[:22], reply) for context, reply in found] == [
            ("ClientContext(client=1", "HUH ( NME ERR )"),
            ("ClientContext(client=2", "HUH ( NME ERR )"),
        ]
