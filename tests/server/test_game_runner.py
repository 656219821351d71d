"""One game at work: its clock, what clients are sent, and what a defect costs."""

from collections.abc import Callable

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.orders import Disband
from daide_server.board.results import OrderNote
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, ClientLeft, ClockTicked, MessageReceived
from daide_server.game.game import Game
from daide_server.game.journal import MessageKept
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.game.stages import Stage
from daide_server.game.turn_tally import TurnTally
from daide_server.language.messages import (
    AcceptMap,
    AskPosition,
    ClientMessage,
    Go,
    Name,
    Rejoin,
    SubmitOrders,
    SubmittedOrder,
)
from daide_server.language.translation import ClientReader
from daide_server.language.vocabulary import Vocabulary
from daide_server.records.entries import Ended, TurnResolved, TurnTallied
from daide_server.records.record import Ending
from daide_server.server.clients import ClientSessions, Encoder
from daide_server.server.events import (
    EntryRecorded,
    GameFailed,
    OrdersRefused,
)
from daide_server.server.game_runner import GameRunner, GameSoFar
from daide_server.server.journal import ServerJournal
from daide_server.server.session import Session
from tests.support.fakes import FM, LIMITS, Echo, FakeTransport, RecordedEvents
from tests.support.journals import header_of, lines_of
from tests.support.scripts import PASSCODES


class RunningGame:
    """A game with seven clients on fake transports."""

    def __init__(self, standard: Variant, **limits: int) -> None:
        policy = ServerPolicy(post_game_seconds=5.0)
        passcodes = {power: PASSCODES[power] for power in standard.map.powers}
        options = GameOptions(**limits)  # type: ignore[arg-type]
        self.events = RecordedEvents()
        self.ended: list[GameRunner] = []
        self.transports = [FakeTransport() for _ in range(7)]
        echo = Echo(self.events)
        self.on_catch_up: Callable[[], None] = lambda: None
        echo.poller.catch_up = self._catch_up  # type: ignore[method-assign]
        words = Vocabulary.standard()
        clients = ClientSessions(Encoder(words), self.events)
        for number, transport in enumerate(self.transports):
            clients.add(Session(ClientId(number), transport, echo, LIMITS))
        self.passes = echo.poller.passes
        clock = echo.poller.clock
        journals = ServerJournal(None, clock, self.events)
        seats = SeatAssignment(standard.map.powers, passcodes)
        game = Game(standard, options, policy, seats)
        reader = ClientReader(words, standard.map, options.level)
        header = header_of(standard)
        self.runner = GameRunner(
            GameSoFar(header, game, reader, TurnTally(game.state)),
            journals.game(header, words),
            clients,
            echo.poller,
            self.ended.append,
        )

    def _catch_up(self) -> None:
        self.on_catch_up()

    def hear(self, number: int, message: ClientMessage) -> None:
        """Let a client say *message*, in a pass of its own."""
        with self.passes:
            self.runner.post(MessageReceived(ClientId(number), message, ()))

    def seat_everybody(self) -> None:
        """Let all seven join and start."""
        for number in range(7):
            self.hear(number, Name("a", "b"))
        for number in range(7):
            self.hear(number, AcceptMap("standard"))

    @property
    def turns(self) -> int:
        """Return how many turns have been played."""
        return self.events.kinds.count(TurnResolved)


async def test_turns_pass_at_their_deadlines(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Ten movement turns of a hundred seconds, in no time."""
    del autojump_clock
    game = RunningGame(standard, movement_limit=100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.runner.keep_time)
        game.seat_everybody()
        await trio.sleep(1050)
        assert game.turns == 10
        nursery.cancel_scope.cancel()


async def test_a_tick_is_sent_though_no_client_says_anything(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """The clock opens a pass of its own: each client is sent the turn, once."""
    del autojump_clock
    game = RunningGame(standard, movement_limit=100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.runner.keep_time)
        game.seat_everybody()
        before = [len(transport.sent) for transport in game.transports]
        await trio.sleep(101)
        after = [len(transport.sent) for transport in game.transports]
        assert after == [count + 1 for count in before]
        nursery.cancel_scope.cancel()


async def test_one_step_is_one_send(standard: Variant) -> None:
    """All that a client is sent because of one event leaves as one object."""
    game = RunningGame(standard)
    game.seat_everybody()
    sent = [transport.sent for transport in game.transports]
    assert [len(parts) for parts in sent] == [2] * 7
    game.hear(0, AskPosition())
    assert [len(parts) for parts in sent] == [3] + [2] * 6


async def test_a_late_event_comes_after_the_alarm(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Even if the task that keeps the time has not run yet."""
    game = RunningGame(standard, movement_limit=100)
    game.seat_everybody()
    autojump_clock.jump(100.04)
    game.hear(0, AskPosition())
    assert game.turns == 1


async def test_a_game_that_is_kept_waits_for_no_deadline(
    standard: Variant, mock_clock: trio.testing.MockClock
) -> None:
    """The next server goes on with it; this one may have to wait for its records."""
    game, looks = RunningGame(standard, movement_limit=100), list[float]()
    game.on_catch_up = lambda: looks.append(trio.current_time())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.runner.keep_time)
        game.seat_everybody()
        game.runner.keep()
        mock_clock.jump(200)
        await trio.testing.wait_all_tasks_blocked(0.01)
        nursery.cancel_scope.cancel()
    assert (game.turns, looks) == (0, [])


async def test_orders_that_had_come_win_when_the_process_was_stopped(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """SIGSTOP, SIGCONT: the deadline comes after what the sockets held."""
    game = RunningGame(standard, movement_limit=100)
    game.seat_everybody()
    autojump_clock.jump(99)
    game.hear(1, AskPosition())
    autojump_clock.jump(51)
    for number in (0, 1):
        game.hear(number, Go())
    assert game.turns == 0
    before = game.runner.game.state.position.turn
    async with trio.open_nursery() as nursery:
        game.on_catch_up = lambda: game.hear(2, Go())
        nursery.start_soon(game.runner.keep_time)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert game.turns == 1
    lines = lines_of(game.runner.journal)
    heard = [line for line in lines if line.seconds > 99]
    assert [type(line.kept) for line in heard[:4]] == [*[MessageKept] * 3, ClockTicked]
    assert heard[2].seconds < 100 < heard[3].seconds
    assert game.runner.game.state.position.turn != before


async def test_a_clock_in_time_reads_nothing(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """A round of reading is for a process that stood still."""
    del autojump_clock
    game = RunningGame(standard, movement_limit=100)
    game.seat_everybody()
    rounds: list[None] = []
    game.on_catch_up = lambda: rounds.append(None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.runner.keep_time)
        await trio.sleep(350)
        nursery.cancel_scope.cancel()
    assert (game.turns, rounds) == (3, [])


async def test_a_closed_game_ends_its_task(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Everybody leaves; the game is abandoned, ended, closed."""
    del autojump_clock
    game = RunningGame(standard)
    game.seat_everybody()
    for number in range(7):
        with game.passes:
            game.runner.post(ClientLeft(ClientId(number)))
    await game.runner.keep_time()
    assert game.runner.game.stage is Stage.CLOSED
    assert game.ended == [game.runner]
    last = game.runner.entries[-1]
    assert isinstance(last, Ended)
    assert last.ending is Ending.ABORTED


async def test_a_game_that_fails_before_its_alarm_is_awaited_ends_its_task(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tasks run before the one that keeps the time begins to wait."""
    game = RunningGame(standard, movement_limit=100)
    game.seat_everybody()

    async def fail_meanwhile() -> None:
        monkeypatch.setattr(game.runner.game, "handle", None)
        with game.passes:
            game.runner.post(ClockTicked())

    monkeypatch.setattr(game.runner._clock, "running", fail_meanwhile)
    with trio.fail_after(10):
        await game.runner.keep_time()
    assert game.runner.is_closed


async def test_a_defect_ends_this_game_only(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is recorded as aborted, and its clients get OFF and FM."""
    game = RunningGame(standard)
    game.seat_everybody()

    def fail(*_: object) -> None:
        message = "a defect"
        raise RuntimeError(message)

    monkeypatch.setattr(game.runner.game, "handle", fail)
    with game.passes:
        game.runner.post(ClockTicked())
    assert game.runner.is_closed
    off = bytes.fromhex("0200 0002 4810")
    assert all(transport.sent[-1] == off + FM for transport in game.transports)
    assert isinstance(game.runner.entries[-1], Ended)
    ((number, kind, error),) = game.events.of(GameFailed)
    assert (number, kind, str(error)) == (GameId(1), "ClockTicked", "a defect")
    with game.passes:
        game.runner.post(ClockTicked())
    await game.runner.keep_time()
    assert game.ended == [game.runner]


async def test_a_pause_is_reported_with_who_is_missed(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Once more when another is missed; and then that the game goes on."""
    del autojump_clock
    game = RunningGame(standard, movement_limit=100, deadline_stops=True)
    game.seat_everybody()
    for number in (2, 3):
        with game.passes:
            game.runner.post(ClientLeft(ClientId(number)))
    paused = [found for _, found in game.events.of("game.paused")]
    assert [getattr(found, "vacant", None) for found in paused] == [
        ("FRA",),
        ("FRA", "GER"),
    ]
    for number, power in ((2, "FRA"), (3, "GER")):
        game.hear(number + 10, Rejoin(Power(power), PASSCODES[power]))
    ((resumed, turn),) = game.events.of("game.resumed")
    assert (resumed, str(turn)) == (GameId(1), "SPR 1901")


async def test_how_players_did_is_recorded_after_the_turn(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """The first refused order of a power in a turn is reported at once."""
    game = RunningGame(standard, movement_limit=100)
    game.seat_everybody()
    (unit, *_) = standard.start.units_of(Power("FRA"))
    refused = SubmitOrders(None, (SubmittedOrder(Disband(unit), ()),) * 2)
    for _ in range(2):
        game.hear(2, refused)
    ((context, turn, order),) = game.events.of(OrdersRefused)
    assert (getattr(context, "power", None), str(turn)) == ("FRA", "SPR 1901")
    assert getattr(order, "note", None) is OrderNote.WRONG_SEASON
    autojump_clock.jump(100)
    with game.passes:
        game.runner.post(ClockTicked())
    resolved, tallied = game.runner.entries[-2:]
    assert isinstance(resolved, TurnResolved)
    assert isinstance(tallied, TurnTallied)
    assert tallied.tallies[Power("FRA")].refused == 4
    assert EntryRecorded(GameId(1), tallied) in game.events.found
