"""Who is served next: players first, each within its allowance, in bounded passes."""

from collections.abc import Callable

import pytest
import trio
import trio.testing

from daide_server.server import poller
from daide_server.server.outbox import Passes
from tests.support.fakes import jumping_clock

MESSAGE = poller.OTHERS_SECONDS / 10
"""Seconds of the processor for each message."""
PER_PASS = 11
"""Messages in a pass of guests; rounding adds one."""


class Serving:
    """Clients that only cost time; to be made in trio."""

    def __init__(self) -> None:
        self.used = 0.0
        self.order: list[str] = []
        self.passes = Passes(limit=10**9)
        self.queues = poller.ServiceQueues(self.passes, used=lambda: self.used)

    def client(  # noqa: PLR0913 (nearly all have defaults)
        self,
        name: str,
        messages: int,
        address: str = "",
        *,
        playing: bool = False,
        size: int = 0,
        on_served: Callable[[], None] = lambda: None,
    ) -> poller.Account:
        """Return a client that has sent so many messages, each with so many bytes."""
        left = messages

        def serve() -> bool:
            nonlocal left
            left -= 1
            self.order.append(name)
            self.used += MESSAGE
            self.passes.moved_bytes += size
            on_served()
            return left > 0

        account = self.queues.account(serve, address)
        account.is_playing = playing
        self.queues.add(account)
        return account

    def pass_of(self) -> list[str]:
        self.order = []
        self.queues.run()
        return self.order


def exhaust(account: poller.Account) -> None:
    """Let a client have used all that it may use at once."""
    account.spend(
        poller.CLIENT_SHARE * poller.BURST_SECONDS + MESSAGE, trio.current_time()
    )


async def test_clients_take_turns() -> None:
    """Whatever is waiting of one of them; a pass is over after its time."""
    serving = Serving()
    serving.client("a", 50)
    serving.client("b", 2)
    found = serving.pass_of()
    assert found[:5] == ["a", "b", "a", "b", "a"]
    assert len(found) <= PER_PASS
    assert not serving.queues.is_empty


async def test_players_go_before_all_others_of_whom_one_is_served() -> None:
    """What players are sent does not wait for the rest, which comes in later passes."""
    serving = Serving()
    for number in range(3):
        serving.client(f"asks{number}", 1)
    serving.client("player", 2, playing=True)
    assert serving.pass_of() == ["player", "player", "asks0"]
    assert serving.pass_of() == ["asks1", "asks2"]
    assert serving.queues.is_empty


async def test_the_client_that_waited_longest_is_served_beside_players() -> None:
    """A player above its allowance and a guest that is not: neither waits for ever."""
    serving = Serving()
    serving.client("player", 10**6, playing=True)
    busy = serving.client("busy", 10**6, playing=True)
    exhaust(busy)
    serving.client("asks", 10**6)
    found = [serving.pass_of()[-1] for _ in range(20)]
    assert set(found) == {"busy", "asks"}


@jumping_clock
async def test_a_guest_above_its_allowance_waits_until_it_has_recovered() -> None:
    """Though nobody else has anything to say: its requests cost all who play."""
    serving = Serving()
    exhaust(serving.client("flood", 10**6))
    assert serving.pass_of() == ["flood"]
    assert serving.pass_of() == []
    assert 0 < serving.queues.delay < 1
    await trio.sleep(serving.queues.delay)
    assert serving.pass_of() == ["flood"]
    handled, ends = 0, trio.current_time() + 10
    while trio.current_time() < ends:
        handled += len(serving.pass_of())
        await trio.sleep(serving.queues.delay)
    assert handled * MESSAGE == pytest.approx(10 * poller.CLIENT_SHARE, rel=0.1)


async def test_a_player_above_its_allowance_goes_after_those_within() -> None:
    """But before guests; alone it need not wait."""
    serving = Serving()
    flood = serving.client("flood", 10**6, playing=True)
    exhaust(flood)
    serving.pass_of()
    serving.client("asks", 1)
    assert set(serving.pass_of()[:-1]) == {"flood"}
    serving.client("player", 1, playing=True)
    assert serving.pass_of()[:2] == ["player", "flood"]


@jumping_clock
async def test_the_clients_of_one_address_share() -> None:
    """However many a flood comes from, another address is served."""
    serving = Serving()
    for number in range(100):
        serving.client(f"many{number}", 10**6, "198.51.100.1")
    handled, ends = 0, trio.current_time() + 10
    while trio.current_time() < ends:
        found = serving.pass_of()
        handled += len(found)
        busy = len(found) * MESSAGE
        await trio.sleep(serving.queues.delay if serving.queues.is_empty else busy)
    allowed = poller.ADDRESS_CLIENTS * poller.CLIENT_SHARE * (10 + poller.BURST_SECONDS)
    assert handled * MESSAGE == pytest.approx(allowed, rel=0.1)
    serving.client("one", 1, "203.0.113.1")
    assert any("one" in serving.pass_of() for _ in range(20))


async def test_players_of_this_machine_do_not_share() -> None:
    """All bots of a tournament may be there; those who only ask share."""
    serving = Serving()
    for number in range(2 * poller.LOCAL_CLIENTS):
        exhaust(serving.client(f"flood{number}", 1, "127.0.0.1"))
    later = serving.client("one", 1, "127.0.0.1")
    assert later.wait(trio.current_time()) > 0
    later.is_playing = True
    assert later.wait(trio.current_time()) == 0


async def test_an_address_is_forgotten_with_its_last_client() -> None:
    serving = Serving()
    for _ in range(100):
        serving.client("a", 1, "198.51.100.1").spend(1.0, trio.current_time())
        serving.pass_of()
    fresh = serving.client("b", 1, "198.51.100.1")
    assert fresh.wait(trio.current_time()) == 0


async def test_no_client_is_charged_for_the_end_of_a_turn() -> None:
    """Whoever was last; and nobody is excused for what it said before."""
    serving = Serving()
    last = serving.client("last", 1, playing=True, on_served=serving.queues.excuse)
    serving.used = 0.0
    before = last.wait(-10.0)
    serving.pass_of()
    assert last.wait(-10.0) == before == 0
    paying = serving.client("next", 1, playing=True, size=10**7)
    serving.pass_of()
    assert paying.wait(trio.current_time()) > 0


async def test_catching_up_serves_all_that_players_sent() -> None:
    """Within bounds, and nobody else."""
    serving = Serving()
    serving.client("asks", 5)
    serving.client("player", 20, playing=True)
    busy = serving.client("busy", 20, playing=True)
    exhaust(busy)
    serving.queues.catch_up()
    assert serving.order.count("player") == serving.order.count("busy") == 20
    assert "asks" not in serving.order
    serving.client("flood", 10**6, playing=True)
    serving.queues.catch_up()
    assert serving.order.count("flood") <= poller.CATCH_UP_SECONDS / MESSAGE + 1


@jumping_clock
async def test_catching_up_serves_who_is_within_its_allowance_again() -> None:
    """Time goes by while a player above its allowance is served."""
    serving, clock = Serving(), trio.lowlevel.current_clock()
    assert isinstance(clock, trio.testing.MockClock)

    def recover() -> None:
        if len(serving.order) > 1:
            clock.jump(2 * poller.LONGEST_WAIT)

    busy = serving.client("busy", 20, playing=True, on_served=recover)
    exhaust(busy)
    serving.queues.catch_up()
    assert serving.order == ["busy"] * 20


def test_nobody_waits_longer_than_the_longest_time() -> None:
    """And what was not used does not add up."""
    allowance = poller.TokenBucket(10.0, 100.0)
    allowance.spend(1e9, 0.0)
    assert allowance.wait(0.0) == poller.LONGEST_WAIT
    allowance.spend(100.0, 1e6)
    assert allowance.wait(1e6) == 0
    allowance.spend(1.0, 1e6)
    assert allowance.wait(1e6) > 0
