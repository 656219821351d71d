"""Conduct in any game: nothing too early, too often, or taken back; game after game."""

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
from daide_server.examine.scene_log import Heard, Opened, SceneLog, Told
from daide_server.language.messages import (
    CurrentPosition,
    SendPress,
    SubmitOrders,
)

from .joining_scenes import FIRST_TURN_SCENE, SPIN_RATE, SPIN_SECONDS
from .playing_on import ordered, ordered_legally, trouble
from .press_scenes import at_press_level
from .time_scenes import SHORT_LIMIT, SHORT_TURNS

GROUP_OF_CONDUCT: Final = "conduct"
PATIENT_SECONDS: Final = 1.0
"""Between YES (MAP) and HLO."""
WATCHED_SECONDS: Final = 2.0
IDLE_MESSAGES: Final = 100
"""While nothing happens, in `WATCHED_SECONDS`; and of press in one turn."""
GAME_TURNS: Final = 20
GAME_SECONDS: Final = 20.0


async def wait_for_the_game(play: BotConversation) -> None:
    """Begin the game a moment after the bot has joined."""
    if await play.join():
        await play.sleep(PATIENT_SECONDS)
        play.begin()
        await play.orders()


def not_too_early(log: SceneLog) -> SceneFinding:
    """Judge that no orders came before the first NOW."""
    for each in log.entries:
        if isinstance(each, Told) and isinstance(each.message, CurrentPosition):
            break
        if isinstance(each, Heard) and isinstance(each.message, SubmitOrders):
            return fails(f"ordered before the first NOW, and was refused: {each.text}")
    return ordered(log)


async def watched(play: BotConversation) -> None:
    """Count what the bot says when it has ordered."""
    play.fresh()
    await play.orders()
    known = len(play.log.of(Heard))
    await play.sleep(WATCHED_SECONDS)
    play.log.figures |= {
        "messages": len(play.log.of(Heard)) - known,
        "press": len(play.log.said(SendPress)),
    }


def is_quiet(log: SceneLog) -> SceneFinding:
    """Judge that not much was said while nothing happened, nor too much press."""
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES:
        return found
    messages, press = log.figures["messages"], log.figures["press"]
    if press > IDLE_MESSAGES:
        return fails(f"{press:.0f} SND in one turn")
    did = f"{messages:.0f} messages in {WATCHED_SECONDS:.0f} s after its orders"
    return (
        fails(f"{did}; {log.last_words}") if messages > IDLE_MESSAGES else passes(did)
    )


async def until_the_deadline(play: BotConversation) -> None:
    """Wait for the orders, and look at the deadline whether they are still there."""
    play.fresh()
    seen = await play.orders()
    if seen.is_complete:
        play.resume_clock()
        await play.sleep(max(seen.limit - seen.seconds, 0.0))
        play.log.figures["missing"] = play.game.missing


def keeps_orders(log: SceneLog) -> SceneFinding:
    """Judge that the orders that were complete were so at the deadline too."""
    found = ordered(log)
    missing = log.figures.get("missing", 0)
    if found.verdict is SceneVerdict.PASSES and missing:
        return fails(f"took back {missing:.0f} orders; {log.last_words}")
    return found


async def server_gone(play: BotConversation) -> None:
    """Close the connection, and each new one at once, for a while."""
    play.fresh()
    await play.orders()
    play.refuses_connections = True
    await play.cut()
    await play.sleep(SPIN_SECONDS)
    play.log.figures["tries"] = len(play.log.of(Opened))


def no_tight_loop(log: SceneLog) -> SceneFinding:
    """Judge how often a bot without a server tries to connect."""
    tries = log.figures["tries"]
    did = f"{tries:.0f} connections in {SPIN_SECONDS:.0f} s"
    return fails(did) if tries / SPIN_SECONDS >= SPIN_RATE else passes(did)


async def whole_years(play: BotConversation) -> None:
    """Play turn after turn from the beginning of a game; the other powers hold."""
    began = play.seconds
    for _ in range(GAME_TURNS):
        seen = await play.orders()
        if not seen.is_complete or play.seconds - began > GAME_SECONDS:
            return
        if play.game.is_over:
            return
        play.end_turn()


async def whole_game(play: BotConversation) -> None:
    """Join, and play some years."""
    if await play.join():
        play.begin()
        await whole_years(play)


def through_the_years(log: SceneLog) -> SceneFinding:
    """Judge that each turn was ordered; say how many there were."""
    gone = trouble(log)
    if gone is not None and log.turns:
        return fails(f"{gone.did} in turn {len(log.turns)}, {log.turns[-1].turn}")
    found = ordered_legally(log)
    if found.verdict is SceneVerdict.PASSES:
        return passes(f"{len(log.turns)} turns, to {log.turns[-1].turn}")
    return found


_CONDUCT: Final = BotScene(
    name="waits-for-now",
    group=GROUP_OF_CONDUCT,
    expected="sends no orders before the first NOW",
    section="MS SUB",
    play=wait_for_the_game,
    judge=not_too_early,
    control=FIRST_TURN_SCENE,
    joins=False,
)
_IN_GAME: Final = evolve(_CONDUCT, control="second-turn", joins=True, is_shared=True)

CONDUCT_SCENES: Final = (
    _CONDUCT,
    evolve(
        _CONDUCT,
        name="whole-years",
        expected=f"orders in each of {GAME_TURNS} turns of a game",
        play=whole_game,
        judge=through_the_years,
        control="second-turn",
    ),
    evolve(
        _IN_GAME,
        name="quiet",
        expected=f"sends {IDLE_MESSAGES} messages at most while nothing happens",
        section="",
        play=watched,
        judge=is_quiet,
    ),
    evolve(
        _IN_GAME,
        name="quiet-with-press",
        expected=f"sends {IDLE_MESSAGES} messages of press at most in a turn",
        section="MS SND",
        play=watched,
        judge=is_quiet,
        setup=at_press_level(20),
        level=20,
        control="level-20",
    ),
    evolve(
        _IN_GAME,
        name="orders-kept",
        expected=f"leaves its orders as they are to the deadline of {SHORT_LIMIT} s",
        section="MS NOT",
        play=until_the_deadline,
        judge=keeps_orders,
        setup=SHORT_TURNS,
        control="short-limit",
        is_timing=True,
    ),
    evolve(
        _IN_GAME,
        name="server-gone",
        expected=f"fewer than {SPIN_RATE} connections a second to a lost server",
        section="",
        play=server_gone,
        judge=no_tight_loop,
        is_shared=False,
    ),
)
