"""Followers of running games: nothing twice, nothing missed, nobody waited for."""

import pytest
import trio

from daide_server.web.feed import MAX_BEHIND, MAX_LOG, Channel, news


async def test_a_follower_gets_the_events_after_its_last_one() -> None:
    own = Channel()
    own.publish("turn", b"1")
    own.publish("turn", b"2")
    missing, follower = own.join(after=1)
    own.publish("turn", b"3")
    own.publish("turn", b"4")

    assert missing == b"id: 2\nevent: turn\ndata: 2\n\n"
    assert (await news(follower)).count(b"event: turn") == 2


async def test_a_state_is_sent_once_and_a_late_follower_gets_the_last() -> None:
    own = Channel()
    _, follower = own.join(after=0)
    own.show("status", b"1")
    own.show("status", b"2")
    own.show("status", b"2")
    assert (await news(follower)).count(b"event: status") == 2
    assert own.join(after=0)[0] == b"event: status\ndata: 2\n\n"

    own.show("status", b"2")
    with trio.move_on_after(0) as waiting:
        await news(follower)
    assert waiting.cancelled_caught


async def test_a_slow_follower_is_dropped() -> None:
    """It may come back with its last id."""
    own = Channel()
    _, follower = own.join(after=0)
    for _ in range(MAX_BEHIND + 1):
        own.publish("turn", b"1")
    assert not own.followers
    assert (await news(follower)).count(b"event: turn") == MAX_BEHIND
    with pytest.raises(trio.EndOfChannel):
        await news(follower)


async def test_events_from_before_it_joined_do_not_make_a_follower_slow() -> None:
    own = Channel()
    for _ in range(MAX_BEHIND * 2):
        own.publish("turn", b"1")
    missing, _ = own.join(after=0)
    assert missing.count(b"event: turn") == MAX_BEHIND * 2
    assert own.followers


def test_an_id_is_known_only_while_all_later_events_are_logged() -> None:
    own = Channel(prefix="run-", last=10)
    for _ in range(MAX_LOG + 5):
        own.publish("turn", b"1")
    last = own.last
    assert own.number_of(f"run-{last}") == last
    assert own.number_of(f"run-{last - MAX_LOG}") == last - MAX_LOG
    assert own.number_of(f"run-{last - MAX_LOG - 1}") is None
    assert own.number_of(f"run-{last + 1}") is None
    for odd in ("", "run-", "7", f"other-{last}", "run-²", "run--1", "run-" + "9" * 99):
        assert own.number_of(odd) is None


async def test_a_closed_channel_ends_after_its_last_event() -> None:
    own = Channel()
    _, follower = own.join(after=0)
    own.publish("end", b"1")
    own.close()
    assert await news(follower) == b"id: 1\nevent: end\ndata: 1\n\n"
    for late in (follower, own.join(after=1)[1]):
        with pytest.raises(trio.EndOfChannel):
            await news(late)
