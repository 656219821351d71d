"""Ends: SLO, DRW, SMR, OFF, EM, a closed connection: does the process end, and how."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation, Override
from daide_server.examine.scene_log import Heard, Opened, SceneLog
from daide_server.examine.scene_setup import SceneSetup
from daide_server.game.options import GameOptions
from daide_server.language.messages import (
    ClientMessage,
    DrawDeclared,
    MissingUnits,
    OrderNoted,
    PlayerSummary,
    ServerMessage,
    Solo,
    SubmitOrders,
    Summary,
    SwitchOff,
)
from daide_server.wire.frames import (
    ErrorCode,
    ErrorMessage,
    FinalMessage,
    Frame,
    encode,
)

from .playing_on import ordered, trouble

GROUP_OF_ENDS: Final = "ends"
ENDING_SECONDS: Final = 8.0
"""How long a bot may run on after OFF, and again after the end of the connection."""
WITH_PDA: Final = SceneSetup(options=GameOptions(level=10, partial_draws=True))


def summary_of(play: BotConversation) -> Summary:
    """Return the SMR of the game as it is."""
    position = play.game.state.position
    players = (
        PlayerSummary(power, "examined", "1", len(position.centres_of(power)), None)
        for power in play.variant.map.powers
    )
    return Summary(position.turn, tuple(players))


async def conclude(play: BotConversation, ending: Iterable[ServerMessage]) -> None:
    """Send the end of a game, OFF, and nothing more."""
    play.say(*ending, summary_of(play))
    await switch_off(play)


async def switch_off(play: BotConversation) -> None:
    """Send OFF; close the connection if the bot does not end."""
    play.may_close = True
    began = play.seconds
    play.say(SwitchOff())
    if not await _exits(play):
        await play.cut()
        await _exits(play)
        play.log.words["late"] = "only when the connection was closed"
    play.log.figures["seconds to exit"] = play.seconds - began


async def break_off(play: BotConversation, frame: Frame | None) -> None:
    """Close the connection, after FM or EM or nothing."""
    play.may_close = True
    if frame is not None and play.connection is not None:
        play.connection.send(encode(frame))
        await play.sleep(ENDING_SECONDS / 50)
    await play.cut()
    await play.until(lambda: _has_left(play.log), ENDING_SECONDS)


async def _exits(play: BotConversation) -> bool:
    return await play.until(lambda: play.log.exit is not None, ENDING_SECONDS)


def _has_left(log: SceneLog) -> bool:
    return log.exit is not None or bool(log.of(Opened))


def ended(log: SceneLog) -> SceneFinding:
    """Judge that the process has ended by itself, with code 0."""
    seconds = log.figures.get("seconds to exit", 0.0)
    if log.exit is None and log.of(Opened):
        return differs("connected again after OFF")
    if log.exit is None:
        return fails(f"still runs {2 * ENDING_SECONDS:.0f} s after OFF")
    if log.exit.code != 0:
        return differs(f"ended with code {log.exit.code} after {seconds:.1f} s")
    if "late" in log.words:
        return differs(f"ended {log.words['late']}")
    return passes(f"ended with code 0 after {seconds:.1f} s")


def switched_off(log: SceneLog) -> SceneFinding:
    """Judge as `ended`; a game that was broken off may have another code."""
    found = ended(log)
    is_own_code = log.exit is not None and log.exit.code > 0 and "late" not in log.words
    return passes(found.did) if is_own_code else found


def ended_or_returned(log: SceneLog) -> SceneFinding:
    """Judge that a bot without a connection ends, or connects again: both pass."""
    if log.exit is not None:
        return passes(f"ended with code {log.exit.code}")
    if log.of(Opened):
        return passes("connected again")
    return fails(f"neither ended nor connected again in {ENDING_SECONDS:.0f} s")


def _ending(name: str, expected: str, *messages: ServerMessage) -> BotScene:
    return BotScene(
        name=name,
        group=GROUP_OF_ENDS,
        expected=f"ends with code 0 after {expected} and OFF",
        section="MS OFF",
        play=partial(conclude, ending=messages),
        judge=ended,
    )


_OFF: Final = BotScene(
    name="off",
    group=GROUP_OF_ENDS,
    expected=f"ends within {ENDING_SECONDS:.0f} s of OFF in a game",
    section="MS OFF",
    play=switch_off,
    judge=switched_off,
    fault=25,
)


def _broken(name: str, what: str, frame: Frame | None) -> BotScene:
    return evolve(
        _OFF,
        name=name,
        expected=f"ends, or connects again, after {what}",
        section="CS EM, FM",
        play=partial(break_off, frame=frame),
        judge=ended_or_returned,
    )


_PARTIAL: Final = DrawDeclared((Power("FRA"), Power("ENG")))
END_SCENES: Final = (
    _ending("solo", "its own SLO", Solo(Power("FRA"))),
    _ending("solo-of-another", "SLO of another power", Solo(Power("TUR"))),
    _ending("draw", "DRW", DrawDeclared(None)),
    evolve(
        _ending("draw-of-some", "DRW of some powers", _PARTIAL),
        setup=WITH_PDA,
        level=10,
        control="level-10",
    ),
    _OFF,
    _broken("error-message", "EM", ErrorMessage(ErrorCode.WRONG_LENGTH)),
    _broken("final-message", "FM", FinalMessage()),
    _broken("closed", "a connection that is closed without a word", None),
)


# Refused orders: what a bot does after THX with a note, and after MIS

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


async def refused_once(play: BotConversation) -> None:
    """Refuse the first SUB of a turn with FAR, and play the next turn."""
    play.override = noting(OrderNote.NOT_ADJACENT, 1)
    play.fresh()
    await play.submitted()
    units = play.game.state.position.units_of(play.game.power)
    play.say(MissingUnits(units))
    await play.sleep(NOTED_SECONDS / 2)
    play.fresh()
    await play.orders()


async def refused_always(play: BotConversation) -> None:
    """Refuse whatever is ordered with NYU, for a while."""
    play.override = noting(OrderNote.NOT_YOUR_UNIT)
    play.fresh()
    await play.sleep(NOTED_SECONDS)
    play.override = lambda _: None
    play.fresh()
    await play.orders()


async def other_notes(play: BotConversation) -> None:
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


async def missing_told(play: BotConversation) -> None:
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
