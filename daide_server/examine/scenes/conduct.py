"""Time (deadlines, TME, silence), and conduct in any game: not early, not too often."""

from functools import partial

from daide_server.daide import messages
from daide_server.examine import scene, scripted_game
from daide_server.examine.conversation import BotConversation, as_the_game
from daide_server.examine.scene import FRESH, FRESH_ORDERS, ORDERS, SceneGroup, steps
from daide_server.examine.scene_log import Heard, Opened, SceneLog, Told
from daide_server.game.options import GameOptions

from .joining import FIRST_TURN, SPIN_RATE, SPIN_SECONDS, first_turns, not_spinning

TIME = SceneGroup("time", is_shared=True)
SHORT_LIMIT = 2
SILENT_SECONDS = 5.0
SHORT_TURNS = scripted_game.SceneSetup(
    options=GameOptions(
        movement_limit=SHORT_LIMIT, retreat_limit=SHORT_LIMIT, build_limit=SHORT_LIMIT
    )
)


@scene.if_ordered
def in_time(log: SceneLog) -> scene.SceneFinding:
    """Judge as `ordered`, and say how long the slowest turn took."""
    slowest = max(each.seconds for each in log.turns)
    log.figures["slowest turn"] = slowest
    return scene.passes(f"the slowest of {len(log.turns)} turns took {slowest:.2f} s")


TIME("in-time | orders before each deadline | MS TME", in_time, is_timing=True)(
    steps(FRESH, partial(scene.turns, number=3))
)

TIME(
    f"short-limit | orders within {SHORT_LIMIT} s when HLO says so | MS HLO",
    setup=SHORT_TURNS,
    fault=17,
    is_timing=True,
)(FRESH_ORDERS)


@scene.if_ordered
def not_waiting(log: SceneLog) -> scene.SceneFinding:
    """Judge that NOT (GOF) was withdrawn if no deadline ends the turn."""
    if not log.turns[-1].is_awaited:
        return scene.ordered(log)
    sent = f"{len(log.said(messages.Wait))} NOT (GOF) and "
    sent += f"{len(log.said(messages.Go))} GOF"
    return scene.fails(f"keeps the turn open for ever: {sent}")


TIME(
    "no-limit | says GOF after NOT (GOF) when no deadline runs | MS GOF",
    not_waiting,
    setup=scripted_game.SceneSetup(has_limits=False),
    fault=16,
)(steps(FRESH_ORDERS, scene.pauses(0.5), lambda play: play.orders(until_go=True)))


@TIME(
    "clock-stopped | orders although the clock was stopped for a while | MS TME",
    setup=scripted_game.SceneSetup(options=GameOptions(deadline_stops=True)),
    fault=18,
    is_timing=True,
)
async def stopped_clock(play: BotConversation) -> None:
    """Stop the clock at the beginning of a turn, and let it run again."""
    limit = play.measures.seconds_per_turn
    play.fresh()
    play.say(messages.TimeStopped(limit))
    await play.sleep(1.0)
    play.say(messages.TimeLeft(limit))
    await play.orders()


TIME("time-told | continues after TME that it did not ask for | MS TME")(
    steps(
        FRESH,
        scene.says(*map(messages.TimeLeft, (4, 3, 2, 1, 0))),
        ORDERS,
        scene.says(messages.TimeLeft(0)),
        FRESH_ORDERS,
    )
)


@TIME(
    "orders-refused-late | continues when REJ (SUB) says that a deadline has "
    "passed | MS SUB"
)
async def too_late(play: BotConversation) -> None:
    """Refuse the orders of one turn because its deadline has passed."""
    play.override = scene.answering(messages.SubmitOrders, play.rejected)
    play.fresh()
    await play.submitted()
    play.override = as_the_game
    await play.fresh_orders()


TIME(
    "silent-server | waits for a server that says nothing for "
    f"{SILENT_SECONDS:.0f} s | CS"
)(steps(scene.pauses(SILENT_SECONDS), FRESH_ORDERS))
TIME(
    "silent-minute | waits for a server that says nothing for a minute | CS",
    is_long=True,
)(steps(scene.pauses(60.0), FRESH_ORDERS))


# Conduct: nothing too early, too often, or taken back; game after game

CONDUCT = SceneGroup("conduct")
WATCHED_SECONDS = 2.0
IDLE_MESSAGES = 100
"""The limit for messages in `WATCHED_SECONDS` without events, and for SND in a turn."""
GAME_TURNS = 20
GAME_SECONDS = 20.0


def not_too_early(log: SceneLog) -> scene.SceneFinding:
    """Judge that no orders came before the first NOW."""
    did = "ordered before the first NOW, and was refused"
    for each in log.entries:
        match each:
            case Told(message=messages.CurrentPosition()):
                break
            case Heard(message=messages.SubmitOrders(), text=text):
                return scene.fails(f"{did}: {text}")
            case _:
                pass
    return scene.ordered(log)


CONDUCT(
    "waits-for-now | sends no orders before the first NOW | MS SUB",
    not_too_early,
    control=FIRST_TURN,
    joins=False,
)(partial(first_turns, pause=1.0))


def through_the_years(log: SceneLog) -> scene.SceneFinding:
    """Judge that each turn was ordered; say how many there were."""
    gone = scene.trouble(log)
    if gone is not None and log.turns:
        return scene.fails(f"{gone.did} in turn {len(log.turns)}, {log.turns[-1].turn}")
    found = scene.ordered_legally(log)
    if found.has_passed:
        return scene.passes(f"{len(log.turns)} turns, to {log.turns[-1].turn}")
    return found


@CONDUCT(
    f"whole-years | orders in each of {GAME_TURNS} turns of a game | MS SUB",
    through_the_years,
    joins=False,
)
async def whole_years(play: BotConversation) -> None:
    """Join, and play turn after turn; the other powers hold."""
    if not await play.join():
        return
    play.begin()
    began = play.seconds
    for _ in range(GAME_TURNS):
        seen = await play.orders()
        if not seen.is_complete or play.seconds - began > GAME_SECONDS:
            return
        if play.game.state.ending is not None:
            return
        play.end_turn()


@scene.if_ordered
def is_quiet(log: SceneLog) -> scene.SceneFinding:
    """Judge that few messages were sent while nothing happened, and little press."""
    number, press = log.figures["messages"], log.figures["press"]
    if press > IDLE_MESSAGES:
        return scene.fails(f"{press:.0f} SND in one turn")
    did = f"{number:.0f} messages in {WATCHED_SECONDS:.0f} s after its orders"
    if number > IDLE_MESSAGES:
        return scene.fails(f"{did}; {log.last_words}")
    return scene.passes(did)


@CONDUCT(
    f"quiet-with-press | sends {IDLE_MESSAGES} messages of press at most in a "
    "turn | MS SND",
    is_quiet,
    control="level-20",
    is_shared=True,
    setup=scene.at_level(20),
)
@CONDUCT(
    f"quiet | sends {IDLE_MESSAGES} messages at most while nothing happens",
    is_quiet,
    is_shared=True,
)
async def watched(play: BotConversation) -> None:
    """Count the messages that the bot sends after its orders."""
    await play.fresh_orders()
    known = len(play.log.of(Heard))
    await play.sleep(WATCHED_SECONDS)
    play.log.figures |= {
        "messages": len(play.log.of(Heard)) - known,
        "press": len(play.log.said(messages.SendPress)),
    }


@scene.if_ordered
def keeps_orders(log: SceneLog) -> scene.SceneFinding:
    """Judge that complete orders were still complete at the deadline."""
    missing = log.figures.get("missing", 0)
    if missing:
        return scene.fails(f"took back {missing:.0f} orders; {log.last_words}")
    return scene.ordered(log)


@CONDUCT(
    "orders-kept | leaves its orders as they are to the deadline of "
    f"{SHORT_LIMIT} s | MS NOT",
    keeps_orders,
    setup=SHORT_TURNS,
    control="short-limit",
    is_timing=True,
    is_shared=True,
)
async def until_the_deadline(play: BotConversation) -> None:
    """Wait for the orders, and count those that are missing at the deadline."""
    seen = await play.fresh_orders()
    if seen.is_complete:
        play.resume_clock()
        await play.sleep(max(seen.limit - seen.seconds, 0.0))
        play.log.figures["missing"] = play.game.missing


@CONDUCT(
    f"server-gone | fewer than {SPIN_RATE} connections a second to a lost server",
    not_spinning("connections"),
)
async def server_gone(play: BotConversation) -> None:
    """Close the connection, and each new one immediately, for a while."""
    await play.fresh_orders()
    play.refuses_connections = True
    await play.cut()
    await play.sleep(SPIN_SECONDS)
    play.log.figures["tries"] = len(play.log.of(Opened))
