"""The games of a server: opened, timed, reported, and closed when they are over."""

import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.frames import encode_tokens
from daide_server.daide.messages import AskPosition
from daide_server.daide.vocabulary import from_text
from daide_server.game.absence import WaitStatus, wait_status
from daide_server.game.directory import Directory, GameId
from daide_server.game.events import ClientId, ClockTicked, MessageReceived, Stage
from daide_server.game.options import GameOptions, SeatAssignment
from daide_server.records.entries import Ended, TurnResolved, TurnTallied
from daide_server.records.record import Ending
from daide_server.server import events as happened
from daide_server.server import game_host
from daide_server.server.game_runner import GameRunner
from tests.server.memory_server import MemoryServer, memory_server
from tests.support.fakes import FM, WORDS, FakeClient, RecordedEvents, jumping_clock
from tests.support.fuzzing import assignment
from tests.support.scripts import Script

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))
OFF = bytes.fromhex("0200 0002 4810")
TIMED = GameOptions(movement_limit=100)


def first(running: MemoryServer) -> GameRunner:
    found = running.runner(1)
    assert found is not None
    return found


def turns(running: MemoryServer) -> int:
    return running.events.kinds.count(TurnResolved)


async def leave(running: MemoryServer, players: list[FakeClient]) -> None:
    """Let all clients leave, and wait until their game is closed."""
    for player in players:
        await player.send(b"")
    while running.runner(1) is not None:  # noqa: ASYNC110 (it ends)
        await trio.sleep(1)
    await trio.testing.wait_all_tasks_blocked()


# Opened and closed


@jumping_clock
async def test_a_game_without_seats_is_refused_until_another_is_over(
    standard: Variant,
) -> None:
    """As many games as passcodes; clients are refused meanwhile."""
    seats: list[SeatAssignment] = []

    def draw(_: Directory) -> SeatAssignment:
        if not seats:
            raise game_host.SeatsUnavailableError("no seats")
        return seats[0]

    async with memory_server(standard, games=0, connections=14) as running:
        running.maker.draw = draw
        players = await running.players()
        running.games.open_if_full()
        assert running.runner(2) is None
        assert running.events.of("game.not_opened") == [("no seats",)]
        seats.append(assignment(standard))
        await leave(running, players)
        assert running.runner(2) is not None


@jumping_clock
async def test_a_game_that_cannot_be_filled_is_not_offered(standard: Variant) -> None:
    """Reported once; when another is over there are places again."""
    async with memory_server(standard, games=0, connections=13) as running:
        players = await running.players()
        for _ in range(2):
            running.games.open_if_full()
            assert running.runner(2) is None
            assert running.events.of("game.not_opened") == [
                ("1 games need 7 of 13 connections",)
            ]
        await leave(running, players)
        assert running.runner(2) is not None


async def test_who_observes_a_running_game_is_served_after_its_players(
    standard: Variant,
) -> None:
    async with memory_server(standard) as running:
        (player, *_), observer = await running.players(), await running.join()
        await observer.say("OBS")
        for client, plays in ((player, True), (observer, False)):
            assert client.session.has_seat is plays
            assert client.session.account.is_playing is plays


@jumping_clock
async def test_a_game_that_all_leave_ends_with_what_was_started_for_it(
    standard: Variant,
) -> None:
    """As its port, and is recorded as broken off; other games keep theirs."""
    async with memory_server(standard, games=0) as running:
        players, runner = await running.players(), first(running)
        await leave(running, players)
        ended = runner.entries[-1]
        assert isinstance(ended, Ended)
        assert ended.ending is Ending.ABORTED
        assert running.open == {2}
        assert not running.games.is_over


async def test_a_defect_ends_this_game_only(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is recorded as aborted, and its clients get OFF and FM."""

    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    async with memory_server(standard, games=0) as running:
        players, runner = await running.players(), first(running)
        monkeypatch.setattr(runner.game, "handle", fail)
        for _ in range(2):
            with running.passes:
                runner.post(ClockTicked())
        assert all(player.transport.sent == [OFF + FM] for player in players)
        assert isinstance(runner.entries[-1], Ended)
        ((number, kind, error),) = running.events.of(happened.GameFailed)
        assert (number, kind, str(error)) == (GameId(1), "ClockTicked", "a defect")
        await trio.testing.wait_all_tasks_blocked()
        assert [each.number for each in running.games.open_games()] == [2]


async def test_a_game_that_fails_before_its_alarm_is_awaited_ends_its_task(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tasks run before the one that keeps the time begins to wait."""
    async with memory_server(standard, TIMED) as running:
        await running.players()
        runner = first(running)

        async def fail_meanwhile() -> None:
            monkeypatch.setattr(runner.game, "handle", None)
            with running.passes:
                runner.post(ClockTicked())

        monkeypatch.setattr(running.clock, "running", fail_meanwhile)
        with trio.fail_after(10):
            await runner.keep_time()
        assert runner.is_closed


# In time


@pytest.mark.parametrize("cut", [3, 4, 11, -1])
async def test_an_order_counts_in_the_turn_in_which_it_is_whole(
    standard: Variant, mock_clock: trio.testing.MockClock, cut: int
) -> None:
    """Cut in the header, after it, in a token, or before the last byte.

    A message has a time when all of it is there; the turn does not wait for the rest.
    """
    whole = encode_tokens(from_text("SUB ((FRA FLT BRE) MTO MAO)", WORDS))
    late = encode_tokens(from_text("SUB ((FRA AMY PAR) MTO BUR)", WORDS))
    async with memory_server(standard, TIMED) as running:
        france = (await running.players())[2]
        await france.send(whole + late[:cut])
        mock_clock.jump(101)
        await trio.testing.wait_all_tasks_blocked()
        heard = france.heard()
        assert "ORD ( SPR 1901 ) ( ( FRA FLT BRE ) MTO MAO ) ( SUC )" in heard
        assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )" in heard
        await france.send(late[cut:])
        assert france.heard() == [
            "THX ( ( FRA AMY PAR ) MTO BUR ) ( MBV )",
            "MIS ( FRA FLT MAO ) ( FRA AMY MAR )",
        ]


async def test_a_late_event_comes_after_the_alarm(
    standard: Variant, mock_clock: trio.testing.MockClock
) -> None:
    """Even if the task that keeps the time has not run yet; its work is measured."""
    began = time.perf_counter()
    async with memory_server(standard, TIMED) as running:
        await running.players()
        mock_clock.jump(100.04)
        with running.passes:
            first(running).post(MessageReceived(ClientId(1), AskPosition(), ()))
        assert turns(running) == 1
        ((number, seconds),) = running.events.of(happened.TurnProcessed)
        assert number == 1
        assert 0.0 <= cast("float", seconds) < time.perf_counter() - began


async def test_a_game_that_is_kept_waits_for_no_deadline(
    standard: Variant, mock_clock: trio.testing.MockClock
) -> None:
    """Nor do clients leave it: the next server goes on with it as it is."""
    async with memory_server(standard, TIMED) as running:
        player, *_ = await running.players()
        running.poller.catch_up = pytest.fail  # type: ignore[method-assign]
        first(running).keep()
        await player.send(b"")
        mock_clock.jump(200)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert turns(running) == 0
        assert first(running).game.state.present() == set(POWERS)


# Reported


async def test_a_pause_is_reported_with_who_is_missed(standard: Variant) -> None:
    """Once more when another is missed; and then that the game goes on."""
    options = evolve(TIMED, deadline_stops=True)
    codes = assignment(standard).passcodes
    async with memory_server(standard, options) as running:
        players = await running.players()
        for number in (2, 3):
            await players[number].send(b"")
        for power in ("FRA", "GER"):
            client = await running.join()
            await client.say(f"IAM ({power}) ({codes[Power(power)]})")
        paused = [found for _, found in running.events.of("game.paused")]
        assert [getattr(found, "vacant", None) for found in paused] == [
            ("FRA",),
            ("FRA", "GER"),
        ]
        ((resumed, turn),) = running.events.of("game.resumed")
        assert (resumed, str(turn)) == (GameId(1), "SPR 1901")


async def test_how_players_did_is_recorded_after_the_turn(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """The first refused order of a power in a turn is reported at once."""
    async with memory_server(standard, TIMED) as running:
        players = await running.players()
        for _ in range(2):
            await players[2].say("SUB ((FRA AMY PAR) DSB) ((FRA AMY PAR) DSB)")
        ((context, turn, order),) = running.events.of(happened.OrdersRefused)
        assert (getattr(context, "power", None), str(turn)) == ("FRA", "SPR 1901")
        assert getattr(order, "text", None) == "( FRA AMY PAR ) DSB"
        autojump_clock.jump(100)
        await trio.testing.wait_all_tasks_blocked()
        resolved, tallied = first(running).entries[-2:]
        assert isinstance(resolved, TurnResolved)
        assert isinstance(tallied, TurnTallied)
        assert tallied.tallies[Power("FRA")].refused == 4
        assert happened.EntryRecorded(GameId(1), tallied) in running.events.found


def reporter(*scripts: Script) -> tuple[game_host.WaitingReporter, RecordedEvents]:
    """Return a reporter of games, and what it reports."""
    events = RecordedEvents()
    runners: Any = [
        SimpleNamespace(number=GameId(number), game=script.game)
        for number, script in enumerate(scripts, start=1)
    ]
    return game_host.WaitingReporter(lambda: runners, events), events


def waits(script: Script) -> WaitStatus:
    found = wait_status(script.game.state)
    assert found is not None
    return found


def test_a_game_names_the_players_it_waits_for(standard: Variant) -> None:
    """Seats and maps, orders without a deadline, whoever is missed or has to return."""
    forming = Script(standard, "empty")
    assert wait_status(forming.game.state) is None
    forming.hears("first", "NME ('a') ('1')")
    found = waits(forming)
    assert (found.stage, found.vacant) == (Stage.FORMING, POWERS[1:])
    assert found.unready == POWERS[:1]
    forming.hears("first", "YES (MAP ('standard'))")
    assert waits(forming).unready == ()

    assert wait_status(Script(standard, "mtl=100").game.state) is None
    untimed = Script(standard)
    untimed.holds(*POWERS[1:])
    assert (waits(untimed).vacant, waits(untimed).unready) == ((), POWERS[:1])

    paused = Script(standard, "mtl=100", "dsd")
    paused.loses("FRA")
    found = waits(paused)
    assert (found.stage, found.vacant) == (Stage.PAUSED, (Power("FRA"),))

    untimed.loads("name")
    found = waits(untimed)
    assert (found.stage, found.vacant) == (Stage.LOADING, POWERS)


def test_reports_come_after_a_time_and_then_more_rarely(standard: Variant) -> None:
    """After 1, 2, 4 ... 64 minutes, then every hour."""
    waiting, events = reporter(Script(standard))
    for minute in range(241):
        waiting.look(minute * game_host.FIRST_SECONDS)
    reported = [seconds for _, _, seconds in events.of("game.waiting")]
    minutes = [1, 2, 4, 8, 16, 32, 64, 124, 184]
    assert reported == [minute * game_host.FIRST_SECONDS for minute in minutes]
    assert game_host.LONGEST_SECONDS == 60 * game_host.FIRST_SECONDS


def test_a_new_turn_begins_a_new_wait(standard: Variant) -> None:
    """Whatever other games do: the first waits for nobody."""
    script = Script(standard)
    waiting, events = reporter(Script(standard, "mtl=100"), script)
    waiting.look(0.0)
    script.holds()
    waiting.look(game_host.FIRST_SECONDS)
    assert events.found == []
    waiting.look(2 * game_host.FIRST_SECONDS)
    ((number, _, seconds),) = events.of("game.waiting")
    assert (number, seconds) == (GameId(2), game_host.FIRST_SECONDS)
