"""Conversations as text: with times and directions, and without passcodes."""

import pytest
import trio

from daide_server.daide.frames import encode_tokens
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.tournament.run.game_table import (
    CHUNK_COST,
    FROM_BOT,
    TO_BOT,
    Traffic,
    conversation_text,
)

WORDS = Vocabulary.standard()


def frame(text: str) -> bytes:
    return encode_tokens(from_text(text, WORDS))


async def test_messages_have_time_and_direction(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Seconds count from the beginning of the game."""
    del autojump_clock
    traffic, began = Traffic(), trio.current_time()
    traffic.add(FROM_BOT, bytes.fromhex("000000040001da10"))
    await trio.sleep(1.5)
    traffic.add(TO_BOT, bytes.fromhex("01000000") + frame("MAP ('standard')"))

    assert conversation_text(traffic, WORDS, since=began) == (
        "    0.000 < initial 0001 da10\n"
        "    1.500 > representation\n"
        "    1.500 > MAP ( 'standard' )\n"
    )


async def test_frames_may_come_in_pieces() -> None:
    """Each direction by itself."""
    traffic, whole = Traffic(), frame("GOF")
    traffic.add(FROM_BOT, whole[:3])
    traffic.add(TO_BOT, frame("YES (GOF)"))
    traffic.add(FROM_BOT, whole[3:])

    lines = conversation_text(traffic, WORDS, since=0.0).splitlines()

    assert [line.split(maxsplit=1)[1] for line in lines] == ["> YES ( GOF )", "< GOF"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (frame("HLO (FRA) (1234) ((LVL 0))"), "HLO ( FRA ) ( 0 ) ( ( LVL 0 ) )"),
        (frame("IAM (FRA) (1234)"), "IAM ( FRA ) ( 0 )"),
        # Also where the server quotes them.
        (frame("REJ (IAM (FRA) (1234))"), "REJ ( IAM ( FRA ) ( 0 ) )"),
        # A bot may speak something else.
        (b"HELLO", "no frame: 48 454c 4c4f"),
    ],
)
async def test_passcodes_are_masked_and_what_is_no_frame_is_shown(
    said: bytes, shown: str
) -> None:
    traffic = Traffic()
    traffic.add(TO_BOT, said)

    assert conversation_text(traffic, WORDS, since=0.0).endswith(f"> {shown}\n")


async def test_oldest_traffic_is_dropped() -> None:
    """A limit for each seat."""
    traffic = Traffic(kept_bytes=2 * CHUNK_COST)
    for _ in range(3):
        traffic.add(FROM_BOT, frame("GOF"))

    text = conversation_text(traffic, WORDS, since=0.0)

    assert text.startswith("the beginning was not kept\n")
    assert text.count("GOF") == 1


async def test_bytes_that_come_one_by_one_are_bounded_too() -> None:
    """Each has a time, which takes more memory than the byte."""
    traffic = Traffic(kept_bytes=1 << 16)
    for _ in range(1 << 12):
        traffic.add(FROM_BOT, b"H")

    assert traffic.is_cut
    assert len(traffic.chunks) < 1 << 10
