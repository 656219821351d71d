"""Playing, as transcripts of a scripted server."""

from contextlib import AbstractAsyncContextManager

import pytest

from daide_server.board.map import Season
from daide_server.board.names import Power
from daide_server.board.orders import Hold, Waive
from daide_server.board.results import OrderNote
from daide_server.bots.errors import GameOverError, UnsendableError
from daide_server.bots.remote_game import RemoteGame
from daide_server.bots.view import UNANSWERED, Returned, Submission, Unreadable, View
from daide_server.daide import messages
from tests.bots.conftest import START, Server, entered, now

FRANCE, ENGLAND = Power("FRA"), Power("ENG")

FOUR_CENTRES = START.replace("MAR PAR", "MAR PAR SPA").replace("SER SPA", "SER")

SUMMARY = "SMR (SPR 1901) (FRA ('Bot') ('1') 18) (ENG ('Other') ('2') 0 1905)"


def playing(server: Server, *lines: str) -> AbstractAsyncContextManager[RemoteGame]:
    """Enter a game as France in spring 1901; the server goes on by *lines*."""
    return entered(server, ("begins", *lines))


async def test_orders_come_back_with_their_notes(server: Server) -> None:
    """Each order is paired with its note, and the refused ones can be asked for."""
    async with playing(
        server,
        "> SUB (SPR 1901) ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD) ((FRA AMY PAR) HLD)",
        "< THX ((FRA FLT BRE) HLD) (MBV)",
        "< THX ((FRA AMY MAR) HLD) (NSU)",
        "< THX ((FRA AMY PAR) HLD) (MBV)",
        "< MIS (FRA AMY MAR)",
    ) as game:
        view = await anext(game.turns())
        submission = await game.submit(Hold(unit) for unit in view.units)

    assert len(submission.notes) == 3
    assert submission.refused == ((Hold(view.units[1]), OrderNote.NO_SUCH_UNIT),)


async def test_no_orders_are_not_submitted(server: Server) -> None:
    """A bot with nothing to order says nothing, and the next turn comes."""
    async with playing(server, f"< {now('FAL 1901')}") as game:
        turns = game.turns()
        await anext(turns)
        assert (await game.submit([])).notes == ()
        assert (await anext(turns)).turn.season is Season.FALL


async def test_a_turn_that_is_over_refuses_orders(server: Server) -> None:
    """Orders that cross the end of their turn are refused as a whole."""
    sub = "SUB (SPR 1901) ((FRA FLT BRE) HLD)"
    async with playing(
        server, f"< {now('FAL 1901')}", f"> {sub}", f"< REJ ({sub})"
    ) as game:
        turns = game.turns()
        view = await anext(turns)
        assert (await game.submit([Hold(view.units[0])])).notes == ()
        assert (await anext(turns)).turn.season is Season.FALL


async def test_news_during_a_request_is_kept(server: Server) -> None:
    """Messages that come before an answer are events after it, in order."""
    async with playing(
        server,
        "> NOT (GOF)",
        "< ADM ('server') ('hello')",
        "< CCD (ENG)",
        "< YES (NOT (GOF))",
    ) as game:
        await anext(game)
        assert isinstance(await game.wait(), messages.Accepted)
        assert await anext(game) == messages.Admin("server", "hello")
        assert await anext(game) == messages.InDisorder(ENGLAND)
        assert game.known.in_disorder == {ENGLAND}


async def test_press_goes_both_ways(server: Server) -> None:
    """Press is sent as text, comes as tokens, and can be read as text."""
    press = "SND (ENG GER) (PRP (PCE (ENG FRA)))"
    async with playing(
        server,
        f"> {press}",
        f"< YES ({press})",
        "< FRM (ENG) (FRA GER) (YES (PRP (PCE (ENG FRA))))",
        "> SND (GER) (PRP (PCE (GER FRA)))",
        "< CCD (GER)",
    ) as game:
        await anext(game)
        germany = Power("GER")
        sent = await game.send_press([ENGLAND, germany], "PRP (PCE (ENG FRA))")
        delivered = await anext(game)
        unsent = await game.send_press([germany], "PRP (PCE (GER FRA))")

    assert isinstance(sent, messages.Accepted)
    assert isinstance(delivered, messages.PressDelivered)
    assert delivered.sender == ENGLAND
    assert game.text(delivered.content) == "YES ( PRP ( PCE ( ENG FRA ) ) )"
    assert unsent == messages.InDisorder(germany)


async def test_press_may_be_in_another_dialect(server: Server) -> None:
    """What the bot calls FCT goes out in the code of its dialect."""
    async with playing(
        server,
        "> SND (ENG) (FOR (DRW))",
        "< YES (SND (ENG) (FOR (DRW)))",
        "< FRM (ENG) (FRA) (FOR (DRW))",
    ) as game:
        game.dialect = "parlance"
        await anext(game)
        sent = await game.send_press([ENGLAND], "FCT (DRW)")
        delivered = await anext(game)

    assert isinstance(sent, messages.Accepted)
    assert isinstance(delivered, messages.PressDelivered)
    assert game.text(delivered.content) == "FCT ( DRW )"


async def test_press_that_is_no_message_is_not_sent(server: Server) -> None:
    """A client error says why, and the game goes on."""
    async with playing(server, "> TME", "< REJ (TME)") as game:
        with pytest.raises(UnsendableError, match="no word is called"):
            await game.send_press([ENGLAND], "HELLO")
        with pytest.raises(UnsendableError, match="has no power"):
            await game.send_press([Power("NOBODY")], "PRP (PCE (ENG FRA))")
        assert await game.time_left() is None


async def test_the_time_left_can_be_asked(server: Server) -> None:
    """TME is a number, or refused where no deadline runs."""
    async with playing(server, "> TME", "< TME (240)", "> TME", "< REJ (TME)") as game:
        assert await game.time_left() == 240
        assert await game.time_left() is None


async def test_reports_belong_to_the_turn_before(server: Server) -> None:
    """A view has the results of the turn that was processed last, and only those."""
    async with playing(
        server,
        "< ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (BNC)",
        "< ORD (SPR 1901) ((FRA AMY MAR) HLD) (SUC)",
        f"< {now('FAL 1901')}",
        "< ORD (FAL 1901) ((FRA AMY PAR) MTO PIC) (SUC)",
        f"< {now('SPR 1902')}",
    ) as game:
        turns = game.turns()
        counts = [len((await anext(turns)).reports) for _ in range(3)]

    assert counts == [0, 2, 1]


async def test_a_solo_ends_the_turns(server: Server) -> None:
    """SLO, SMR and a last NOW: the loop ends, and nothing is submitted for it."""
    async with playing(
        server, "< SLO (FRA)", f"< {SUMMARY}", f"< {now('WIN 1907')}"
    ) as game:
        views = [view async for view in game.turns()]

    assert len(views) <= 1
    assert game.known.ending == messages.Solo(FRANCE)
    assert game.known.summary is not None
    assert game.known.view().turn.year == 1907


async def test_a_draw_ends_the_turns(server: Server) -> None:
    """DRW and SMR, without NOW: the draw was agreed in the middle of a turn."""
    async with playing(server, "> DRW", "< YES (DRW)", "< DRW", f"< {SUMMARY}") as game:
        async for _ in game.turns():
            assert isinstance(await game.vote_draw(), messages.Accepted)

    assert game.known.ending == messages.DrawDeclared(None)


async def test_off_ends_the_turns_and_the_requests(server: Server) -> None:
    """A server that stops says OFF and closes: the client does not come back.

    A bot that goes on gets no error, however often it asks.
    """
    async with playing(server, "< OFF", "leaves") as game:
        async for view in game.turns():
            assert await game.wait() is UNANSWERED
            for _ in range(2):
                assert await game.vote_draw() is UNANSWERED
                assert await game.submit([Hold(view.units[0])]) == Submission()

    assert game.known.ending is None


async def test_a_message_of_another_dialect_is_no_fault(server: Server) -> None:
    """What the reader does not know is handed on as tokens."""
    async with playing(server, "< CCD (ENG) (SPR 1901)") as game:
        await anext(game)
        strange = await anext(game)

    assert isinstance(strange, Unreadable)
    assert game.text(strange.tokens) == "CCD ( ENG ) ( SPR 1901 )"


@pytest.mark.parametrize(
    "lines",
    [
        # There is nothing to save.
        ("< SVE ('game1')", "> YES (SVE ('game1'))"),
        # The loaded game is another one: IAM is refused.
        (
            *("< LOD ('game1')", "> IAM (FRA) (2947)", "< REJ (IAM (FRA) (2947))"),
            "> REJ (LOD ('game1'))",
        ),
    ],
)
async def test_saving_is_accepted_and_loading_without_this_seat_is_refused(
    server: Server, lines: tuple[str, ...]
) -> None:
    async with playing(server, *lines, "< OFF") as game:
        async for _ in game:
            pass

    assert game.known.off


async def test_loading_is_answered_by_the_passcode(server: Server) -> None:
    """LOD in a game: IAM on the same connection, and the loaded turn is played."""
    async with playing(
        server, "< LOD ('game1')", "takes back: FAL 1901", "< OFF"
    ) as game:
        events = [event async for event in game]

    assert Returned() in events
    last = [event for event in events if isinstance(event, View)][-1]
    assert last.turn.season is Season.FALL


WAIVE = "SUB (WIN 1901) (FRA WVE)"


async def test_builds_after_a_return_replace_those_of_before(server: Server) -> None:
    """The server has a waive already: another one would be one too many."""
    first = (
        *("seats", f"< {FOUR_CENTRES}", f"< {now('WIN 1901')}", f"> {WAIVE}"),
        *("< THX (FRA WVE) (MBV)", "leaves"),
    )
    again = (
        *("seats again: WIN 1901", "> NOT (SUB)", f"> {WAIVE}"),
        *("< YES (NOT (SUB))", "< THX (FRA WVE) (MBV)", f"> {WAIVE}"),
        *("< THX (FRA WVE) (NMB)", "< OFF"),
    )
    async with entered(server, first, again) as game:
        refused: list[int] = []
        async for view in game.turns():
            for _ in range(1 + len(refused)):
                submission = await game.submit([Waive(view.power)])
                refused.append(len(submission.refused))

    assert refused == [0, 0, 1]


async def test_builds_after_a_first_iam_replace_those_of_before(server: Server) -> None:
    """The bot was started again, and its waive of before is still there.

    After IAM nothing is pushed: all that it missed is asked for, with the results.
    """
    lines = (
        *("seats again: WIN 1901", "> NOT (SUB)", f"> {WAIVE}"),
        *("< REJ (NOT (SUB))", "< THX (FRA WVE) (MBV)"),
    )
    async with entered(server, lines, entry=messages.Rejoin(FRANCE, 2947)) as game:
        view = await anext(game.turns())
        submission = await game.submit([Waive(view.power)])

    assert len(view.reports) == 1
    assert len(submission.notes) == 1
    assert not submission.refused


async def test_a_game_that_was_left_takes_no_requests(server: Server) -> None:
    """After the `async with` block, the mistake is named."""
    async with playing(server) as game:
        await anext(game)

    with pytest.raises(GameOverError, match="left"):
        await game.vote_draw()
