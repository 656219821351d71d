"""Followers of running games: nothing twice, nothing missed, nobody waited for."""

import trio

from daide_server.web.feed import MAX_BEHIND, MAX_LOG, Channel


async def test_a_follower_gets_what_comes_after_its_place() -> None:
    own = Channel()
    own.publish("turn", b"1")
    own.publish("turn", b"2")
    follower = own.join(after=1)

    assert await own.next(follower) == b"id: 2\nevent: turn\ndata: 2\n\n"


async def test_states_are_told_once_and_only_the_last() -> None:
    own = Channel()
    follower = own.join(after=0)
    own.show("status", b"1")
    own.show("status", b"2")
    assert await own.next(follower) == b"event: status\ndata: 2\n\n"

    own.show("status", b"2")
    with trio.move_on_after(0) as waiting:
        await own.next(follower)
    assert waiting.cancelled_caught


async def test_a_slow_follower_is_dropped() -> None:
    """It may come back with its last id."""
    own = Channel()
    follower = own.join(after=0)
    for _ in range(MAX_BEHIND + 1):
        own.publish("turn", b"1")
    assert await own.next(follower) is None


async def test_who_comes_late_is_not_slow() -> None:
    own = Channel()
    for _ in range(MAX_BEHIND * 2):
        own.publish("turn", b"1")
    found = await own.next(own.join(after=0))
    assert found is not None
    assert found.count(b"event: turn") == MAX_BEHIND * 2


def test_a_place_is_known_only_if_nothing_is_missing() -> None:
    own = Channel(prefix="run-", after=10)
    for _ in range(MAX_LOG + 5):
        own.publish("turn", b"1")
    last = own.last
    assert own.place(f"run-{last}") == last
    assert own.place(f"run-{last - MAX_LOG}") == last - MAX_LOG
    assert own.place(f"run-{last - MAX_LOG - 1}") is None
    assert own.place(f"run-{last + 1}") is None
    for odd in ("", "run-", "7", f"other-{last}", "run-²", "run--1", "run-" + "9" * 99):
        assert own.place(odd) is None


async def test_a_closed_channel_ends_after_its_last_event() -> None:
    own = Channel()
    follower = own.join(after=0)
    own.publish("end", b"1")
    own.close()
    assert await own.next(follower) == b"id: 1\nevent: end\ndata: 1\n\n"
    assert await own.next(follower) is None
