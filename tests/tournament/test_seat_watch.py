"""When a bot has forfeited, by numbers, without waiting; what it printed and said."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.daide.frames import encode_tokens
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.server.settings import DEFAULTS
from daide_server.tournament.game_outcomes import SeatOutcome
from daide_server.tournament.run import running_game
from daide_server.tournament.run.bot_process import BoundedOutput, exit_text
from daide_server.tournament.run.command_seat import BotFault, CommandSeat, away_limit
from daide_server.tournament.run.game_reporting import conversation_text
from daide_server.tournament.run.game_task import TroubleLimits
from tests.support.foreign_bots import HOLD, game_task


class Watched:
    """A bot that was started at 100 seconds; its game is what a test says."""

    def __init__(self) -> None:
        limits = TroubleLimits(start_seconds=60.0, away_seconds=30.0)
        task = game_task(HOLD, limits=limits)
        self.seat = running_game.SeatPlay(task.seats[0], SeatOutcome(0, Power("AUS")))
        self.is_vacant, self.state = True, SimpleNamespace(has_started=False)
        self.lives = True
        game: Any = SimpleNamespace(
            task=task,
            settings=DEFAULTS,
            state=self.state,
            is_vacant=lambda _: self.is_vacant,
            may_play=lambda _: self.lives,
        )
        self.bot = CommandSeat(game, self.seat, Path())

    def look(self, now: float) -> BotFault | None:
        return self.bot.look(now)

    def begin(self) -> None:
        """Take the seat, and begin the game."""
        self.is_vacant, self.state.has_started = False, True


@pytest.fixture
async def watched(mock_clock: trio.testing.MockClock) -> Watched:
    mock_clock.jump(100.0)
    return Watched()


async def test_seated_bot_waits_for_others_as_long_as_they_take(
    watched: Watched,
) -> None:
    """Whoever is ready has no deadline before the game begins."""
    watched.is_vacant = False

    assert watched.look(10_000.0) is None
    assert watched.bot.due() == math.inf


async def test_connection_may_be_away_for_some_time(watched: Watched) -> None:
    """Each absence counts from its own beginning."""
    watched.begin()
    faults = []
    for now, is_away in ((200, 0), (210, 1), (239, 0), (241, 1), (270.9, 1), (271, 1)):
        watched.is_vacant = bool(is_away)
        faults.append(watched.look(now))
        if now == 210:
            assert watched.bot.due() == 240

    assert faults == [None] * 5 + [BotFault("connection stayed away for 30 seconds")]


@pytest.mark.parametrize(("limit", "away"), [(None, 60.0), (300, 60.0), (10, 5.0)])
def test_deadlines_shorten_the_time_away(limit: float | None, away: float) -> None:
    """Half the limit of a movement turn, if that is less."""
    assert away_limit(TroubleLimits(), limit) == away


async def test_nothing_is_forfeited_after_elimination_or_the_end(
    watched: Watched,
) -> None:
    """A bot may go when its power is eliminated or the game over.

    Before, what follows from being stopped is no other fault.
    """
    watched.begin()
    watched.seat.stop("used 3 MiB of disk, allowed 2")
    watched.seat.stop("owed orders for 60 seconds")
    watched.bot.exit_code = -15
    assert watched.look(200.0) == BotFault("used 3 MiB of disk, allowed 2")

    watched.lives = False

    assert watched.look(10_000.0) is None


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (139, "exited with code 139"),
        (-11, "killed by SIGSEGV"),
        (-200, "killed by signal 200"),
    ],
)
def test_exit_codes_in_words(code: int, text: str) -> None:
    """Signals have names."""
    assert exit_text(code) == text


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_beginning_and_end_are_kept(pieces: list[bytes]) -> None:
    """However the stream is cut, and no more than twice the limit."""
    output, whole = BoundedOutput(16), b"".join(pieces)
    for piece in pieces:
        output.add(piece)

    if len(whole) <= 32:
        assert output.content == whole
    else:
        gap = b"\n[... %d bytes were not kept ...]\n" % (len(whole) - 32)
        assert output.content == whole[:16] + gap + whole[-16:]


def test_last_lines_are_text() -> None:
    """Bytes that are no UTF-8 are replaced."""
    output = BoundedOutput()
    output.add(b"one\ntwo\n\xff three\n")

    assert output.last_lines(2) == "two\n\ufffd three"
    assert output.last_lines(characters=5) == "three"


# Conversations as text


WORDS = Vocabulary.standard()


def frame(text: str) -> bytes:
    return encode_tokens(from_text(text, WORDS))


async def test_messages_have_time_and_direction(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Seconds count from the beginning of the game."""
    del autojump_clock
    traffic, began = running_game.Traffic(), trio.current_time()
    traffic.add(running_game.FROM_BOT, bytes.fromhex("000000040001da10"))
    await trio.sleep(1.5)
    traffic.add(
        running_game.TO_BOT, bytes.fromhex("01000000") + frame("MAP ('standard')")
    )

    assert conversation_text(traffic, WORDS, since=began) == (
        "    0.000 < initial 0001 da10\n"
        "    1.500 > representation\n"
        "    1.500 > MAP ( 'standard' )\n"
    )


async def test_frames_may_come_in_pieces() -> None:
    """Each direction by itself."""
    traffic, whole = running_game.Traffic(), frame("GOF")
    traffic.add(running_game.FROM_BOT, whole[:3])
    traffic.add(running_game.TO_BOT, frame("YES (GOF)"))
    traffic.add(running_game.FROM_BOT, whole[3:])

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
    traffic = running_game.Traffic()
    traffic.add(running_game.TO_BOT, said)

    assert conversation_text(traffic, WORDS, since=0.0).endswith(f"> {shown}\n")


async def test_oldest_traffic_is_dropped() -> None:
    """A limit for each seat."""
    traffic = running_game.Traffic(kept_bytes=2 * running_game.CHUNK_COST)
    for _ in range(3):
        traffic.add(running_game.FROM_BOT, frame("GOF"))

    text = conversation_text(traffic, WORDS, since=0.0)

    assert text.startswith("the beginning was not kept\n")
    assert text.count("GOF") == 1


async def test_bytes_that_come_one_by_one_are_bounded_too() -> None:
    """Each has a time, which takes more memory than the byte."""
    traffic = running_game.Traffic(kept_bytes=1 << 16)
    for _ in range(1 << 12):
        traffic.add(running_game.FROM_BOT, b"H")

    assert traffic.is_cut
    assert len(traffic.chunks) < 1 << 10
