"""Frames: bytes that come in pieces, long and unknown messages, repetitions."""

from typing import Final

from attrs import evolve

from daide_server.examine.bot_scene import BotScene
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_setup import SceneSetup, bytewise, split_headers
from daide_server.language.messages import (
    Admin,
    CurrentPosition,
    Ownership,
    SyntaxRefused,
    TimeLeft,
)
from daide_server.language.tokens import Token

from .joining_scenes import first_turn
from .playing_on import ordered, should

GROUP_OF_FRAMES: Final = "frames"
LONG_TEXT: Final = 16_490
"""Characters of a message of 33,000 bytes: more than a signed length can say."""
MANY_FRAMES: Final = 300
UNKNOWN_COMMAND: Final = Token(0x48F0)
UNKNOWN_PARAMETER: Final = Token(0x49F0)
BRACKETS: Final = (Token(0x4000), Token(0x4001))


async def long_message(play: BotConversation) -> None:
    """Send ADM with a long text, then a turn."""
    play.say(Admin("Server", "x" * LONG_TEXT))
    play.fresh()
    await play.orders()


async def many_frames(play: BotConversation) -> None:
    """Send many messages in one piece, and the turn among them."""
    play.say(*(TimeLeft(100) for _ in range(MANY_FRAMES)))
    play.fresh()
    play.say(*(TimeLeft(100) for _ in range(MANY_FRAMES)))
    await play.orders()


async def same_turn_again(play: BotConversation) -> None:
    """Send SCO and NOW of one turn twice."""
    play.fresh()
    position = play.game.state.position
    play.say(Ownership(position.owners), CurrentPosition(position))
    await play.orders()


async def unknown_messages(play: BotConversation) -> None:
    """Send commands and parameters that nobody knows."""
    play.say_tokens((UNKNOWN_COMMAND,), (UNKNOWN_COMMAND, *BRACKETS))
    play.say_tokens((UNKNOWN_PARAMETER, BRACKETS[0], Token(7), BRACKETS[1]))
    play.fresh()
    await play.orders()


async def complaint(play: BotConversation) -> None:
    """Tell the bot that something it never said was not understood."""
    play.say_text("PRN ( ( NME )", "HUH ( ERR NOW ( FRA ) )")
    play.fresh()
    await play.orders()


async def unasked(play: BotConversation) -> None:
    """Send answers to questions that were not asked."""
    play.say_text("YES ( NOW )", "REJ ( GOF )", "REJ ( NOT ( GOF ) )", "MIS")
    play.say(SyntaxRefused(()))
    play.fresh()
    await play.orders()


_FRAME: Final = BotScene(
    name="split-bytes",
    group=GROUP_OF_FRAMES,
    expected="reads messages that come byte by byte",
    section="CS Message Header",
    setup=SceneSetup(pace=bytewise),
    play=first_turn,
    judge=ordered,
    joins=False,
    fault=6,
)
_SHARED: Final = evolve(
    _FRAME, setup=SceneSetup(), joins=True, is_shared=True, fault=None
)

FRAME_SCENES: Final = (
    _FRAME,
    evolve(
        _FRAME,
        name="split-headers",
        expected="reads a header that comes in two pieces",
        setup=SceneSetup(pace=split_headers),
    ),
    evolve(
        _FRAME,
        name="padding",
        expected="ignores the second byte of a header",
        setup=SceneSetup(padding=True),
        fault=8,
    ),
    evolve(
        _SHARED,
        name="joined-frames",
        expected="reads hundreds of messages that come in one piece",
        play=many_frames,
        fault=6,
    ),
    evolve(
        _SHARED,
        name="long-message",
        expected="reads or skips a message of 33,000 bytes",
        play=long_message,
        judge=should(ordered),
        fault=7,
    ),
    evolve(
        _SHARED,
        name="turn-repeated",
        expected="orders when SCO and NOW of a turn come twice",
        section="MS NOW",
        play=same_turn_again,
    ),
    evolve(
        _SHARED,
        name="unknown-messages",
        expected="goes on after tokens that it does not know",
        section="MS HUH",
        play=unknown_messages,
    ),
    evolve(
        _SHARED,
        name="complaints",
        expected="goes on after PRN and HUH",
        section="MS HUH",
        play=complaint,
    ),
    evolve(
        _SHARED,
        name="unasked-answers",
        expected="goes on after answers that it did not ask for",
        section="MS YES",
        play=unasked,
        judge=should(ordered),
    ),
)
