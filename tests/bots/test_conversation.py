"""One connection: requests, answers, what comes between, and faults of both ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import permutations

import pytest
import trio
import trio.testing

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots import errors
from daide_server.bots.conversation import Conversation, Link, is_answer
from daide_server.bots.view import View
from daide_server.daide import frames, messages
from daide_server.daide.messages import Go, SwitchOff
from daide_server.daide.translation import ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text
from tests.bots.conftest import START, Server, now, return_answers

WORDS = Vocabulary.standard()


@asynccontextmanager
async def conversing(server: Server, *lines: str) -> AsyncIterator[Conversation]:
    """Give a conversation over an open link to a server that follows *lines*."""
    conversation = Conversation(Link(await server.dial()))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.plays, ("greets", *lines))
        await conversation.link.open()
        yield conversation


async def test_nothing_is_expected_after_off(server: Server) -> None:
    """A request after OFF fails at once instead of waiting."""
    async with conversing(server, "< OFF") as conversation:
        await conversation.listen()

    assert conversation.finished
    with pytest.raises(errors.GameOverError, match="OFF"):
        with trio.fail_after(1):
            await conversation.ask(messages.Go())


BEGINNING = {
    "HLO": "HLO (FRA) (2947) ((LVL 0) (MTL 60))",
    "SCO": START,
    "NOW": now("SPR 1901"),
    "TME": "TME (60)",
    "CCD": "CCD (ENG)",
}


@pytest.mark.parametrize("order", list(permutations(BEGINNING)), ids="-".join)
async def test_a_game_may_begin_in_any_order(
    server: Server, order: tuple[str, ...]
) -> None:
    """The one view has seat, owners and units, whichever of them came last."""
    lines = (
        *("> NME ('Bot') ('1')", "< YES (NME ('Bot') ('1'))", "< MAP ('standard')"),
        *("defines map", "> YES (MAP ('standard'))"),
        *(f"< {BEGINNING[name]}" for name in order),
        "< ADM ('a') ('b')",
    )
    async with conversing(server, *lines) as conversation:
        await conversation.enter(messages.Name("Bot", "1"))
        while messages.Admin("a", "b") not in conversation.events:
            await conversation.listen()

    (view,) = [each for each in conversation.events if isinstance(each, View)]
    assert view.power == "FRA"
    assert set(view.position.centres_of(view.power)) == {"BRE", "MAR", "PAR"}
    assert [str(unit) for unit in view.units] == ["F BRE", "A MAR", "A PAR"]
    assert conversation.knowledge.in_disorder == {"ENG"}


SPRING_ENDS = ("ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)", now("FAL 1901"))
YEAR_ENDS = (SPRING_ENDS[0], START, SPRING_ENDS[1])
"""What all clients hear at the end of a turn."""

RETURN = return_answers("SPR 1901") | {"ORD": ["REJ (ORD)"], "TME": ["REJ (TME)"]}


@pytest.mark.parametrize("ended", [SPRING_ENDS, YEAR_ENDS], ids=["spring", "year"])
@pytest.mark.parametrize("late", [*RETURN][1:])
async def test_a_turn_may_end_at_any_time_of_a_return(
    server: Server, late: str, ended: tuple[str, ...]
) -> None:
    """Whichever answer its messages come before, the new turn is seen as it is."""
    answers = dict(RETURN)
    lines: list[str] = []
    for question in RETURN:
        if question == late:
            answers |= {"ORD": [ended[0]], "NOW": [ended[-1]]}
        before = ended if question == late else ()
        lines += [f"> {question}", *(f"< {x}" for x in (*before, *answers[question]))]
    async with conversing(server, *lines, "< ADM ('a') ('b')") as conversation:
        await conversation.enter(messages.Rejoin(Power("FRA"), 2947))
        while messages.Admin("a", "b") not in conversation.events:
            await conversation.listen()

    views = [each for each in conversation.events if isinstance(each, View)]
    assert views[-1].turn == Turn(Season.FALL, 1901)
    assert [view.turn for view in views[:-1]] == [Turn(Season.SPRING, 1901)] * (
        late == "TME"
    )
    assert {view.power for view in views} == {"FRA"}
    assert all(len(view.position.centres_of(view.power)) == 3 for view in views)
    assert not any(isinstance(each, messages.Rejected) for each in conversation.events)


PRESS = messages.SendPress(
    None, (Power("ENG"), Power("GER")), from_text("HUH (ERR)", WORDS)
)


@pytest.mark.parametrize(
    ("question", "sent", "received", "answers"),
    [
        (messages.Go(), "GOF", "YES (GOF)", True),
        (messages.Go(), "GOF", "REJ (GOF)", True),
        (messages.Go(), "GOF", "YES (NOT (GOF))", False),
        (messages.Go(), "GOF", "HUH (ERR GOF)", True),
        (messages.Go(), "GOF", "CCD (ENG)", False),
        (messages.Go(), "GOF", "TME (30)", False),
        (messages.AskTime(), "TME", "TME (30)", True),
        (messages.AskTime(), "TME", "REJ (TME)", True),
        (messages.AskMissing(), "MIS", "MIS", True),
        (messages.AskMissing(), "MIS", "MIS (-2)", True),
        (messages.AskPosition(), "NOW", "NOW (SPR 1901) (FRA AMY PAR)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "CCD (GER)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "OUT (ENG)", True),
        (PRESS, "SND (ENG GER) (HUH (ERR))", "CCD (TUR)", False),
    ],
)
def test_a_message_answers_what_it_quotes_or_what_was_asked_for(
    question: messages.ClientMessage, sent: str, received: str, *, answers: bool
) -> None:
    said = ServerReader(WORDS).read(from_text(received, WORDS))

    assert is_answer(said, question, from_text(sent, WORDS)) is answers


def said(text: str) -> bytes:
    """Return the frame of a message."""
    return frames.encode_tokens(from_text(text, WORDS))


async def linked(data: bytes) -> tuple[Link, trio.abc.Stream]:
    """Return an open link to a server that says RM and *data*, and where that hears."""
    client, server = trio.testing.memory_stream_pair()
    await server.send_all(frames.representation_message(()) + data)
    link = Link(client)
    await link.open()
    return link, server


async def test_a_fault_of_the_server_is_named_and_answered() -> None:
    """A message before RM is against the protocol: the client answers with EM."""
    client, server = trio.testing.memory_stream_pair()
    await server.send_all(said("OFF"))

    with pytest.raises(
        errors.ProtocolFaultError, match="DIPLOMACY_BEFORE_REPRESENTATION"
    ):
        await Link(client).open()

    code = frames.ErrorCode.DIPLOMACY_BEFORE_REPRESENTATION
    assert (await server.receive_some()).endswith(frames.error_message(code))


@pytest.mark.parametrize("farewell", [frames.FINAL_MESSAGE, frames.error_message(0x08)])
async def test_a_farewell_ends_the_link_after_what_was_said(farewell: bytes) -> None:
    """FM and EM are not answered."""
    link, _ = await linked(said("OFF") + farewell)

    assert await link.receive() == SwitchOff()
    with pytest.raises(errors.ConnectionLostError):
        with trio.fail_after(1):
            await link.receive()


async def test_what_was_said_before_a_break_is_read() -> None:
    """A server that says OFF and goes is heard, even by a client that is speaking."""
    link, server = await linked(said("OFF"))
    await server.aclose()

    await link.send(Go())

    assert await link.receive() == SwitchOff()
    with pytest.raises(errors.ConnectionLostError):
        await link.receive()


async def test_the_code_in_an_em_of_the_server_is_told() -> None:
    """It says what the client did wrong."""
    link, _ = await linked(frames.error_message(frames.ErrorCode.WRONG_LENGTH))

    with pytest.raises(errors.ConnectionLostError, match="by EM 0x09 wrong_length"):
        await link.receive()
