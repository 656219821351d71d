"""Requests, answers, and what comes between them."""

from itertools import permutations

import pytest
import trio

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots.conversation import Conversation, Link, is_answer
from daide_server.bots.errors import GameOverError, RefusedError
from daide_server.bots.view import View
from daide_server.language import messages
from daide_server.language.translation import ServerReader
from daide_server.language.vocabulary import Vocabulary, from_text
from tests.bots.conftest import START, Server, now


async def connected(server: Server) -> Conversation:
    """Return a conversation over an open link, before any message."""
    link = Link(await server.dial())
    return Conversation(link)


async def test_other_messages_before_an_answer_become_events(server: Server) -> None:
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.hears("GOF")
        await peer.says("ADM ('a') ('b')", "YES (GOF)")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        answer = await conversation.ask(messages.Go())

    assert isinstance(answer, messages.Accepted)
    assert list(conversation.events) == [messages.Admin("a", "b")]


async def test_a_refusal_can_be_an_answer_or_an_error(server: Server) -> None:
    """`ask` returns REJ; `demand` raises."""
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.hears("GOF")
        await peer.says("REJ (GOF)")
        await peer.hears("MAP")
        await peer.says("REJ (MAP)")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        assert isinstance(await conversation.ask(messages.Go()), messages.Rejected)
        with pytest.raises(RefusedError, match="MAP"):
            await conversation.demand(messages.AskMap())


async def test_nothing_is_expected_after_off(server: Server) -> None:
    """A request after OFF fails at once instead of waiting."""
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.says("OFF")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
        await conversation.listen()

    assert conversation.finished
    with pytest.raises(GameOverError, match="OFF"):
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
    conversation = await connected(server)
    peer = await server.accepts()

    async def script() -> None:
        await peer.greets()
        await peer.hears("NME ('Bot') ('1')")
        await peer.says("YES (NME ('Bot') ('1'))", "MAP ('standard')")
        await peer.defines_map()
        await peer.hears("YES (MAP ('standard'))")
        await peer.says(*[BEGINNING[name] for name in order], "ADM ('a') ('b')")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
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

RETURN = ("IAM (FRA) (2947)", "MAP", "MDF", "HLO", "ORD", "SCO", "NOW", "TME")


@pytest.mark.parametrize("ended", [SPRING_ENDS, YEAR_ENDS], ids=["spring", "year"])
@pytest.mark.parametrize("late", RETURN[1:])
async def test_a_turn_may_end_at_any_time_of_a_return(
    server: Server, late: str, ended: tuple[str, ...]
) -> None:
    """Whichever answer its messages come before, the new turn is seen as it is."""
    conversation = await connected(server)
    peer = await server.accepts()

    def answer(question: str, *, is_over: bool) -> list[str]:
        answers = {
            "IAM (FRA) (2947)": ["YES (IAM (FRA) (2947))", "NOT (CCD (FRA))"],
            "MAP": ["MAP ('standard')"],
            "HLO": ["HLO (FRA) (2947) ((LVL 0))"],
            "ORD": [ended[0] if is_over else "REJ (ORD)"],
            "SCO": [START],
            "NOW": [ended[-1] if is_over else now("SPR 1901")],
            "TME": ["REJ (TME)"],
        }
        return answers[question]

    async def script() -> None:
        await peer.greets()
        for at, question in enumerate(RETURN):
            before = ended if question == late else ()
            if question == "MDF":
                await peer.defines_map(*before)
                continue
            await peer.hears(question)
            is_over = at >= RETURN.index(late)
            await peer.says(*before, *answer(question, is_over=is_over))
        await peer.says("ADM ('a') ('b')")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        await conversation.link.open()
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


WORDS = Vocabulary.standard()
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
def test_answer(
    question: messages.ClientMessage, sent: str, received: str, *, answers: bool
) -> None:
    """A message answers if it quotes the question, or is what was asked for."""
    said = ServerReader(WORDS).read(from_text(received, WORDS))

    assert is_answer(said, question, from_text(sent, WORDS)) is answers
