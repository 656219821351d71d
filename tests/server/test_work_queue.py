"""Who is served next: who came first, unless it has used much; players first."""

from collections.abc import Callable

import pytest
from attrs import evolve

from daide_server.lobby.directory import GameId
from daide_server.server.queue_worker import ONE_MESSAGE, WorkLimit
from daide_server.server.work_account import BURST, MAX_EXCESS, SHARE, Account
from daide_server.server.work_queue import (
    CATCH_UP_SECONDS,
    LONG_QUIET_SECONDS,
    LONG_SECONDS,
    SLICE,
    Meter,
    WorkQueue,
)
from tests.support.fakes import PASS_LIMITS, outbox_pool

PRICE = 1000.0
FAIR = int(BURST / PRICE)
"""How many messages a client may have handled before it gives way."""


class Serving:
    """A queue whose time goes on by a millisecond with each message."""

    def __init__(self, pass_ms: float = 1e9, pass_bytes: int = 10**12) -> None:
        self.now = 0.0
        self.order: list[str] = []
        self.outboxes = outbox_pool()
        limits = evolve(PASS_LIMITS, pass_ms=pass_ms, pass_bytes=pass_bytes)
        self.queue = WorkQueue(limits, Meter(self.outboxes, lambda: self.now))
        self.arriving: list[Callable[[], object]] = []
        """Who comes at the next look."""

    def run(self) -> None:
        """Run a pass."""
        self.queue.run(self._look)

    def _look(self) -> None:
        arriving, self.arriving = self.arriving, []
        for arrive in arriving:
            arrive()

    def client(
        self, name: str, messages: int, network: str | None = None
    ) -> "FakeWorker":
        """Return a client that has sent so many messages."""
        worker = FakeWorker(self, name, messages, Account(network))
        self.queue.enter(worker.account)
        self.queue.add(worker)
        return worker

    def player(
        self, name: str, messages: int, game: GameId | None = None
    ) -> "FakeWorker":
        """Return a client that has a seat in a running game."""
        worker = FakeWorker(self, name, messages, Account(None))
        self.queue.enter(worker.account)
        worker.account.is_playing = True
        worker.account.game = game
        self.queue.add(worker)
        return worker


class FakeWorker:
    """A client that only costs time."""

    is_long = False

    @property
    def has_more(self) -> bool:
        """Return whether more than one of its messages waits."""
        return self.messages > 1

    def __init__(
        self, serving: Serving, name: str, messages: int, account: Account
    ) -> None:
        self.account = account
        self.messages = messages
        self.on_served: Callable[[], None] = lambda: None
        self.limits: list[WorkLimit] = []
        self._serving = serving
        self._name = name

    def serve(self, limit: WorkLimit) -> float:
        """Handle one message, whatever the *limit*, and return its price."""
        self.limits.append(limit)
        self._serving.order.append(self._name)
        self._serving.now += 0.001
        self._serving.outboxes.put_bytes += 100
        self.messages -= 1
        if self.messages:
            self._serving.queue.add(self)
        self.on_served()
        return PRICE


def test_clients_take_turns() -> None:
    """Whatever is waiting of one of them."""
    serving = Serving()
    serving.client("a", 50)
    serving.client("b", 2)
    serving.run()
    assert serving.order[:4] == ["a", "b", "a", "b"]
    assert serving.order[4:] == ["a"] * 48


def test_later_messages_of_a_player_are_handled_within_its_share_and_a_slice() -> None:
    """And within the bytes of the pass."""
    serving = Serving(pass_ms=100, pass_bytes=5000)
    player, other = serving.player("player", 3), serving.player("other", 1)
    serving.run()
    first, second, _ = player.limits
    assert other.limits == [ONE_MESSAGE]
    assert first.until == pytest.approx(0.001 + 0.1 * SLICE)
    assert second.until == pytest.approx(0.002 + 0.1 * SLICE)
    assert first.put_bytes == second.put_bytes == 5000
    assert first.price == BURST
    assert BURST - PRICE <= second.price <= BURST - PRICE + 0.001 * SHARE * 1e6


def test_what_a_pass_leaves_of_players_does_not_wait_for_all_who_come() -> None:
    """Else the players of quick games would go before those of all others."""
    serving = Serving(pass_ms=3)
    serving.player("first", 9)
    serving.player("second", 9)
    serving.run()
    assert serving.order == ["first", "second", "first"]
    for number in range(2):
        for name in "abc":
            serving.player(f"{name}{number}", 1)
        serving.run()
    assert serving.order[3:] == ["a0", "b0", "c0", "second", "first", "a1"]


def test_what_a_pass_leaves_of_players_is_handled_in_one_go() -> None:
    """After the first messages of those who have come since."""
    serving = Serving(pass_ms=3)
    serving.player("player", 9)
    other = serving.player("other", 9)
    serving.run()
    assert serving.order == ["player", "other", "player"]
    serving.player("new", 1)
    serving.run()
    assert serving.order[3:] == ["new", "other"]
    assert other.limits[1] != ONE_MESSAGE


def test_players_who_have_said_much_do_not_end_the_pass_of_each_other() -> None:
    """What they are sent leaves together; others have what is left of a slice."""
    serving = Serving(pass_ms=100)
    serving.player("a", 2)
    serving.player("b", FAIR)
    serving.client("asks", 1000)
    serving.run()
    assert serving.order.count("b") == FAIR
    assert 0 < serving.order.count("asks") <= int(100 * SLICE)
    assert serving.order[2 + FAIR] == serving.order[-1] == "asks"


def test_others_are_served_one_message_at_a_time() -> None:
    """Who does not play, and who has used more than its share."""
    serving = Serving(pass_ms=100)
    guest, greedy = serving.client("guest", 5), serving.player("greedy", FAIR + 5)
    serving.run()
    assert set(guest.limits) == {ONE_MESSAGE}
    assert all(limit.price <= 0 for limit in greedy.limits[FAIR + 1 :])


def test_one_alone_need_not_wait() -> None:
    """However much it has used."""
    serving = Serving()
    serving.client("a", 500)
    serving.run()
    assert serving.order == ["a"] * 500
    assert serving.queue.is_empty


def test_who_has_used_much_waits_for_who_has_not() -> None:
    """The newcomer is served before the rest of the flood."""
    serving = Serving(pass_ms=200)
    serving.client("flood", 1000)
    serving.run()
    assert serving.order == ["flood"] * 200
    serving.client("new", 20)
    serving.run()
    assert serving.order[200:220] == ["new"] * 20


def test_who_uses_little_is_served_in_the_order_of_coming() -> None:
    """Whoever used a little more: a large power sends longer messages."""
    serving = Serving()
    serving.client("large", 1).account.charge(BURST / 2, 0.0)
    serving.client("small", 1)
    serving.run()
    assert serving.order == ["large", "small"]


def test_nobody_waits_for_ever() -> None:
    """The excess is bounded, and forgotten in time."""
    serving = Serving(pass_ms=1e-9)
    flood = serving.client("flood", 10**6)
    flood.account.charge(100 * MAX_EXCESS, 0.0)
    del serving.order[:]
    while "flood" not in serving.order[1:]:
        serving.client("new", 1)
        serving.run()
    assert len(serving.order) < 2 * MAX_EXCESS / PRICE
    serving.now += (BURST + MAX_EXCESS) / SHARE / 1e6
    assert flood.account.excess(serving.now * 1e6) == 0


def test_the_clients_of_one_address_share() -> None:
    """However many a flood comes from, another address goes first."""
    serving = Serving(pass_ms=300)
    for number in range(20):
        serving.client(f"many{number}", 100, "198.51.100.1")
    serving.run()
    assert {f"many{number}" for number in range(20)} == set(serving.order)
    del serving.order[:]
    serving.client("one", FAIR, "203.0.113.1")
    serving.run()
    assert serving.order[:FAIR] == ["one"] * FAIR


def test_clients_of_this_machine_do_not_share() -> None:
    """Bots of one machine share its address."""
    serving = Serving(pass_ms=18)
    first = serving.client("first", 30)
    serving.client("second", 30)
    serving.run()
    assert first.account.excess(serving.now * 1e6) == 0


def test_players_go_first() -> None:
    """Before all who only ask, of whom one is served in each pass."""
    serving = Serving(pass_ms=10)
    for number in range(100):
        serving.client(f"asks{number}", 1)
    for number in range(15):
        serving.player(f"player{number}", 1)
    serving.run()
    assert serving.order == [f"player{number}" for number in range(10)] + ["asks0"]
    del serving.order[:]
    serving.run()
    assert serving.order[:5] == [f"player{number}" for number in range(10, 15)]
    assert serving.order[5] == "asks1"


def test_answers_to_players_wait_for_a_slice_of_others_at_most() -> None:
    """They leave with the end of the pass."""
    serving = Serving(pass_ms=100)
    serving.client("asks", 1000)
    serving.player("player", 1)
    serving.run()
    assert serving.order == ["player"] + ["asks"] * int(100 * SLICE)


def test_who_has_said_much_waits_for_a_player_who_says_something_meanwhile() -> None:
    """That ends the pass; without a player it goes on."""
    serving = Serving(pass_ms=100)
    serving.client("asks", 1000)
    serving.run()
    assert serving.order == ["asks"] * 100
    del serving.order[:]
    serving.arriving = [lambda: serving.player("player", 1)]
    serving.run()
    assert serving.order == ["asks"] * int(100 * SLICE) + ["player"]


def test_a_player_above_its_share_waits_for_those_within() -> None:
    """As those who only ask do, but before them."""
    serving = Serving(pass_ms=100)
    flood = serving.player("flood", 1000)
    serving.run()
    assert serving.order == ["flood"] * 100
    assert flood.account.excess(serving.now * 1e6) > 0
    del serving.order[:]
    serving.client("asks", 1)
    serving.player("player", 1)
    serving.run()
    assert serving.order[0] == "player"
    assert serving.order[1:] == ["flood"] * int(100 * SLICE) + ["asks"]


def test_who_says_one_thing_goes_before_players_who_say_many() -> None:
    """And they wait for the answer to one who says nothing more."""
    serving = Serving(pass_ms=100)
    serving.player("many", FAIR)
    serving.player("one", 1)
    serving.run()
    assert serving.order == ["one"] + ["many"] * FAIR
    slice_ms = int(100 * SLICE)
    serving = Serving(pass_ms=100)
    serving.player("many", 3 * slice_ms)
    serving.player("one", 1)
    serving.run()
    assert serving.order == ["one"] + ["many"] * slice_ms


def test_players_who_say_many_things_are_served_game_by_game() -> None:
    """Each once in a turn of its game."""
    serving = Serving(pass_ms=100)
    for name, game in (("a1", 1), ("b1", 2), ("a2", 1), ("b2", 2)):
        serving.player(name, 3, GameId(game))
    serving.run()
    assert serving.order == ["a1", "a2", "b1", "b2"] * 3


def test_a_long_message_of_a_flood_waits_for_a_quiet_moment() -> None:
    """Or for its time, however busy the others are."""
    serving = Serving(pass_ms=10)
    flood = FakeWorker(serving, "flood", 1000, Account(None))
    flood.is_long = True
    flood.account.charge(MAX_EXCESS, 0.0)
    serving.queue.add(flood)
    handled = []
    began = serving.now
    while serving.now < began + 5 * LONG_SECONDS:
        serving.player("player", 1)
        serving.run()
        handled += [serving.now] * serving.order.count("flood")
        del serving.order[:]
    assert 4 <= len(handled) <= 6
    assert 0 < serving.queue.delay <= LONG_QUIET_SECONDS
    serving.now += LONG_QUIET_SECONDS
    assert serving.queue.delay == 0
    serving.run()
    serving.run()
    assert serving.order == ["flood"] * 2


def test_a_long_message_need_not_wait_within_the_share() -> None:
    """Only who floods has to."""
    serving = Serving()
    serving.client("asks", 1)
    client = FakeWorker(serving, "long", 1, Account(None))
    client.is_long = True
    serving.queue.add(client)
    serving.run()
    assert serving.order == ["asks", "long"]


def test_a_pass_ends_when_its_bytes_are_put() -> None:
    serving = Serving(pass_bytes=300)
    serving.client("a", 10)
    serving.run()
    assert serving.order == ["a"] * 3


def test_catching_up_serves_all_that_players_sent() -> None:
    """Within bounds, and nobody else."""
    serving = Serving(pass_ms=1)
    serving.client("asks", 5)
    serving.player("player", 20)
    serving.queue.catch_up()
    assert serving.order == ["player"] * 20
    serving.player("flood", 10_000)
    serving.queue.catch_up()
    assert serving.order.count("flood") <= CATCH_UP_SECONDS * 1000 + 1
