"""Time: deadlines, TME, a clock that stands still, a server that says nothing."""

from typing import Final

from attrs import evolve

from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    SceneVerdict,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import SceneLog
from daide_server.examine.scene_setup import SceneSetup
from daide_server.game.options import GameOptions
from daide_server.language.messages import (
    ClientMessage,
    Go,
    Rejected,
    ServerMessage,
    SubmitOrders,
    TimeLeft,
    TimeStopped,
    Wait,
)

from .playing_on import ordered, turns

GROUP_OF_TIME: Final = "time"
SHORT_LIMIT: Final = 2
SILENT_SECONDS: Final = 5.0
ONE_MINUTE: Final = 60.0
AFTERTHOUGHT_SECONDS: Final = 0.5
SHORT_TURNS: Final = SceneSetup(
    options=GameOptions(
        movement_limit=SHORT_LIMIT, retreat_limit=SHORT_LIMIT, build_limit=SHORT_LIMIT
    )
)
STOPPING_CLOCK: Final = SceneSetup(options=GameOptions(deadline_stops=True))


async def three_turns(play: BotConversation) -> None:
    """Play three turns, and note the slowest."""
    play.fresh()
    await turns(play, 3)
    slowest = max(each.seconds for each in play.log.turns)
    play.log.figures["slowest turn"] = slowest


async def one_more(play: BotConversation) -> None:
    """Play one turn."""
    play.fresh()
    await play.orders()


async def without_wait(play: BotConversation) -> None:
    """Play a turn without a deadline, which ends when nobody waits."""
    play.fresh()
    await play.orders()
    # NOT (GOF) may follow the orders.
    await play.sleep(AFTERTHOUGHT_SECONDS)
    await play.orders(awaited=True)


def not_waiting(log: SceneLog) -> SceneFinding:
    """Judge that NOT (GOF) was taken back, where no deadline ends the turn."""
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES or not log.turns[-1].is_awaited:
        return found
    sent = f"{len(log.said(Wait))} NOT (GOF) and {len(log.said(Go))} GOF"
    return fails(f"keeps the turn open for ever: {sent}")


async def stopped_clock(play: BotConversation) -> None:
    """Stop the clock at the beginning of a turn, and let it run again."""
    limit = play.measures.seconds_per_turn
    play.fresh()
    play.say(TimeStopped(limit))
    await play.sleep(1.0)
    play.say(TimeLeft(limit))
    await play.orders()


async def time_told(play: BotConversation) -> None:
    """Send TME again and again, down to 0."""
    play.fresh()
    play.say(*(TimeLeft(seconds) for seconds in (4, 3, 2, 1, 0)))
    await play.orders()
    play.say(TimeLeft(0))
    play.fresh()
    await play.orders()


async def silent(play: BotConversation, seconds: float = SILENT_SECONDS) -> None:
    """Say nothing for a while, and go on with the next turn."""
    await play.sleep(seconds)
    play.fresh()
    await play.orders()


async def silent_minute(play: BotConversation) -> None:
    """Say nothing for a minute."""
    await silent(play, ONE_MINUTE)


async def too_late(play: BotConversation) -> None:
    """Refuse the orders of one turn because its deadline has passed."""

    def refuse(message: ClientMessage) -> list[ServerMessage] | None:
        if isinstance(message, SubmitOrders):
            return [Rejected(play.name_tokens(message))]
        return None

    play.override = refuse
    play.fresh()
    await play.submitted()
    play.override = lambda _: None
    play.fresh()
    await play.orders()


def in_time(log: SceneLog) -> SceneFinding:
    """Judge as `ordered`, and say how long the slowest turn took."""
    found = ordered(log)
    slowest = log.figures.get("slowest turn")
    if found.verdict is not SceneVerdict.PASSES or slowest is None:
        return found
    return passes(f"the slowest of {len(log.turns)} turns took {slowest:.2f} s")


_TIME: Final = BotScene(
    name="in-time",
    group=GROUP_OF_TIME,
    expected="orders before each deadline",
    section="MS TME",
    play=three_turns,
    judge=in_time,
    is_shared=True,
    is_timing=True,
)

TIME_SCENES: Final = (
    _TIME,
    evolve(
        _TIME,
        name="short-limit",
        expected=f"orders within {SHORT_LIMIT} s when HLO says so",
        section="MS HLO",
        setup=SHORT_TURNS,
        play=one_more,
        judge=ordered,
        fault=17,
    ),
    evolve(
        _TIME,
        name="no-limit",
        expected="says GOF after NOT (GOF) when no deadline runs",
        section="MS GOF",
        setup=SceneSetup(has_limits=False),
        play=without_wait,
        judge=not_waiting,
        fault=16,
        is_timing=False,
    ),
    evolve(
        _TIME,
        name="clock-stopped",
        expected="orders although the clock was stopped for a while",
        section="MS TME",
        setup=STOPPING_CLOCK,
        play=stopped_clock,
        judge=ordered,
        fault=18,
    ),
    evolve(
        _TIME,
        name="time-told",
        expected="goes on after TME that it did not ask for",
        play=time_told,
        judge=ordered,
        is_timing=False,
    ),
    evolve(
        _TIME,
        name="orders-refused-late",
        expected="goes on when REJ (SUB) says that a deadline has passed",
        section="MS SUB",
        play=too_late,
        judge=ordered,
        is_timing=False,
    ),
    evolve(
        _TIME,
        name="silent-server",
        expected=f"waits for a server that says nothing for {SILENT_SECONDS:.0f} s",
        section="CS",
        play=silent,
        judge=ordered,
        is_timing=False,
    ),
    evolve(
        _TIME,
        name="silent-minute",
        expected="waits for a server that says nothing for a minute",
        section="CS",
        play=silent_minute,
        judge=ordered,
        is_timing=False,
        is_long=True,
    ),
)
