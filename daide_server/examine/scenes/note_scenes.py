"""Refused orders: what a bot does after THX with a note, and after MIS."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from daide_server.board.results import OrderNote
from daide_server.examine.bot_scene import BotScene
from daide_server.examine.game_talk import Override
from daide_server.examine.scene_findings import SceneFinding, fails, passes
from daide_server.examine.scene_log import Heard, SceneLog
from daide_server.examine.scene_play import ScenePlay
from daide_server.language.messages import (
    ClientMessage,
    MissingUnits,
    OrderNoted,
    ServerMessage,
    SubmitOrders,
)

from .playing_on import ordered, trouble

GROUP_OF_NOTES: Final = "refused orders"
NOTED_SECONDS: Final = 2.0
MOST_MESSAGES: Final = 20
"""Because of two MIS; more have no end."""
MOST_TRIES: Final = 3
"""The same order may be sent again so often; more is for ever."""


def noting(note: OrderNote, times: int | None = None) -> Override:
    """Return answers that refuse orders with *note*, the first *times* or always."""
    left = [times]

    def answer(message: ClientMessage) -> list[ServerMessage] | None:
        if not isinstance(message, SubmitOrders) or left[0] == 0:
            return None
        left[0] = None if left[0] is None else left[0] - 1
        return [OrderNoted(each.as_sent, note) for each in message.orders]

    return answer


async def refused_once(play: ScenePlay) -> None:
    """Refuse the first SUB of a turn with FAR, and play the next turn."""
    play.override = noting(OrderNote.NOT_ADJACENT, 1)
    play.fresh()
    await play.submitted()
    units = play.game.state.position.units_of(play.game.power)
    play.say(MissingUnits(units))
    await play.sleep(NOTED_SECONDS / 2)
    play.fresh()
    await play.orders()


async def refused_always(play: ScenePlay) -> None:
    """Refuse whatever is ordered with NYU, for a while."""
    play.override = noting(OrderNote.NOT_YOUR_UNIT)
    play.fresh()
    await play.sleep(NOTED_SECONDS)
    play.override = lambda _: None
    play.fresh()
    await play.orders()


async def other_notes(play: ScenePlay) -> None:
    """Refuse one SUB with each note, turn by turn."""
    for note in OrderNote:
        if note is not OrderNote.OK:
            play.override = noting(note, 1)
            play.fresh()
            if not await play.submitted(len(play.log.said(SubmitOrders))):
                return
    play.override = lambda _: None
    play.fresh()
    await play.orders()


async def missing_told(play: ScenePlay) -> None:
    """Say MIS for a unit that was ordered, and for none."""
    play.fresh()
    await play.orders()
    units = play.game.state.position.units_of(play.game.power)
    known = len(play.log.of(Heard))
    play.say(MissingUnits(units[:1]), MissingUnits(()))
    await play.sleep(NOTED_SECONDS / 4)
    play.log.figures["messages"] = len(play.log.of(Heard)) - known
    play.fresh()
    await play.orders()


def no_endless_answers(log: SceneLog) -> SceneFinding:
    """Judge that two MIS did not begin a conversation without an end."""
    number = log.figures.get("messages", 0)
    if number > MOST_MESSAGES:
        return fails(f"{number:.0f} messages because of two MIS")
    return no_bare_orders(log)


def no_bare_orders(log: SceneLog) -> SceneFinding:
    """Judge that a replacement came in SUB, or did not come at all."""
    if log.unreadable:
        return fails(f"sent what is no message: {log.unreadable[0].text}")
    return ordered(log)


def not_for_ever(log: SceneLog) -> SceneFinding:
    """Judge how often the same refused order came."""
    found = trouble(log)
    if found is not None:
        return found
    turns: Counter[object] = Counter(_refused(log))
    most = max(turns.values(), default=0)
    if most > MOST_TRIES:
        return fails(f"sent the same refused order {most} times")
    return ordered(log) if log.turns else passes("gave up")


def _refused(log: SceneLog) -> Iterator[object]:
    return (
        each.as_sent for each in log.refusals if each.note is OrderNote.NOT_YOUR_UNIT
    )


_NOTE: Final = BotScene(
    name="order-refused",
    group=GROUP_OF_NOTES,
    expected="replaces a refused order by SUB, or leaves it",
    section="MS THX",
    play=refused_once,
    judge=no_bare_orders,
    fault=9,
    is_shared=True,
)

NOTE_SCENES: Final = (
    _NOTE,
    evolve(
        _NOTE,
        name="order-refused-always",
        expected=f"sends the same refused order {MOST_TRIES} times at most",
        play=refused_always,
        judge=not_for_ever,
        fault=10,
    ),
    evolve(
        _NOTE,
        name="every-note",
        expected="goes on after each note of THX",
        play=other_notes,
        judge=no_bare_orders,
        fault=None,
    ),
    evolve(
        _NOTE,
        name="missing-told",
        expected="goes on after MIS with a unit, and with none",
        section="MS MIS",
        play=missing_told,
        judge=no_endless_answers,
        fault=None,
    ),
)
