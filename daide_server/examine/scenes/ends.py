"""Ends (SLO, DRW, SMR, OFF, EM, lost connections), and what processes use and leave."""

from functools import partial
from typing import Unpack

from daide_server.board.names import Power
from daide_server.daide import messages
from daide_server.daide.frames import FINAL_MESSAGE, ErrorCode, error_message
from daide_server.examine import programs, scene, scripted_game
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene import SceneGroup
from daide_server.examine.scene_log import Opened, SceneLog
from daide_server.game.options import GameOptions

ENDS = SceneGroup("ends")
ENDING_SECONDS = 8.0
"""Seconds for a bot to exit after OFF, and again after the end of the connection."""
WITH_PDA = scripted_game.SceneSetup(options=GameOptions(level=10, partial_draws=True))


def summary_of(play: BotConversation) -> messages.Summary:
    """Return the SMR of the present game."""
    position = play.game.state.position
    players = (
        messages.PlayerSummary(
            power, "examined", "1", len(position.centres_of(power)), None
        )
        for power in play.variant.map.powers
    )
    return messages.Summary(position.turn, tuple(players))


def ended(log: SceneLog) -> scene.SceneFinding:
    """Judge that the process has ended by itself, with code 0."""
    seconds = log.figures.get("seconds to exit", 0.0)
    if log.exit is None and log.of(Opened):
        return scene.differs("connected again after OFF")
    if log.exit is None:
        return scene.fails(f"still runs {2 * ENDING_SECONDS:.0f} s after OFF")
    if log.exit.code != 0:
        return scene.differs(f"ended with code {log.exit.code} after {seconds:.1f} s")
    if "late" in log.words:
        return scene.differs(f"ended {log.words['late']}")
    return scene.passes(f"ended with code 0 after {seconds:.1f} s")


def switched_off(log: SceneLog) -> scene.SceneFinding:
    """Judge as `ended`; the exit code of an aborted game may differ."""
    found = ended(log)
    is_own_code = log.exit is not None and log.exit.code > 0 and "late" not in log.words
    return scene.passes(found.did) if is_own_code else found


async def _exits(play: BotConversation) -> bool:
    return await play.until(lambda: play.log.exit is not None, ENDING_SECONDS)


@ENDS(
    f"off | ends within {ENDING_SECONDS:.0f} s of OFF in a game | MS OFF",
    switched_off,
    fault=25,
)
async def switch_off(play: BotConversation) -> None:
    """Send OFF; close the connection if the bot does not end."""
    play.may_close = True
    began = play.seconds
    play.say(messages.SwitchOff())
    if not await _exits(play):
        await play.cut()
        await _exits(play)
        play.log.words["late"] = "only when the connection was closed"
    play.log.figures["seconds to exit"] = play.seconds - began


async def conclude(play: BotConversation, ending: list[messages.ServerMessage]) -> None:
    """Send the end of a game, OFF, and nothing more."""
    play.say(*ending, summary_of(play))
    await switch_off(play)


def _lists_ending(
    name: str,
    what: str,
    message: messages.ServerMessage,
    **fields: Unpack[scene.SceneFields],
) -> None:
    expected = f"ends with code 0 after {what} and OFF"
    ENDS(f"{name} | {expected} | MS OFF", ended, **fields)(
        partial(conclude, ending=[message])
    )


_lists_ending("solo", "its own SLO", messages.Solo(Power("FRA")))
_lists_ending("solo-of-another", "SLO of another power", messages.Solo(Power("TUR")))
_lists_ending("draw", "DRW", messages.DrawDeclared(None))
_lists_ending(
    "draw-of-some",
    "DRW of some powers",
    messages.DrawDeclared((Power("FRA"), Power("ENG"))),
    setup=WITH_PDA,
    control="level-10",
)


def ended_or_returned(log: SceneLog) -> scene.SceneFinding:
    """Judge that a bot without a connection ends, or connects again: both pass."""
    if log.exit is not None:
        return scene.passes(f"ended with code {log.exit.code}")
    if log.of(Opened):
        return scene.passes("connected again")
    return scene.fails(f"neither ended nor connected again in {ENDING_SECONDS:.0f} s")


async def break_off(play: BotConversation, frame: bytes | None) -> None:
    """Close the connection, after FM or EM or nothing."""
    play.may_close = True
    if frame is not None and play.connection is not None:
        play.connection.send(frame)
        await play.sleep(ENDING_SECONDS / 50)
    await play.cut()
    await play.until(lambda: _has_left(play.log), ENDING_SECONDS)


def _has_left(log: SceneLog) -> bool:
    return log.exit is not None or bool(log.of(Opened))


for name, what, frame in (
    ("error-message", "EM", error_message(ErrorCode.WRONG_LENGTH)),
    ("final-message", "FM", FINAL_MESSAGE),
    ("closed", "a connection that is closed without a word", None),
):
    ENDS(
        f"{name} | ends, or connects again, after {what} | CS EM, FM",
        ended_or_returned,
        fault=25,
    )(partial(break_off, frame=frame))


# Resources of the bot's processes, and processes left behind

RESOURCES = SceneGroup("resources", needs_process=True)
WAITING_SECONDS = 2.0
QUIET_SHARE = 0.01
LEFT_SECONDS = 5.0
TURNS_OF_HALF = 100
GROWTH_SECONDS = 20.0
"""The limit for the turns; the scene is not reached if they take longer."""
MEBIBYTES = 1 << 20
PRINTED_TURNS = 3
MOST_PRINTED = 1024
"""The most output in a turn, in KiB, standard error included."""
MOST_GROWTH = 8
"""The most growth in the second hundred turns, in MiB."""
MOST_GARBAGE = 24
"""The most growth, in MiB, of a runtime that collects garbage later, as Java's."""
COLLECTING = scripted_game.SceneSetup(environment=(("JAVA_TOOL_OPTIONS", "-Xmn4m"),))
"""Java collects garbage much later if its young generation is large."""
MOST_MORE = 20
"""The most threads and open files that may be added in all turns."""


def _used(play: BotConversation) -> programs.ProcessUsage:
    assert play.bot is not None
    return play.bot.usage()


@scene.if_ordered
def is_idle(log: SceneLog) -> scene.SceneFinding:
    """Judge that a bot that waits does not use a processor."""
    share = f"{log.figures['share of a processor']:.0%} of a processor"
    memory = f"{log.figures['memory (MiB)']:.0f} MiB"
    if log.figures["share of a processor"] > scene.BUSY_SHARE:
        return scene.differs(f"{share} while it waits")
    return scene.passes(f"{share} while it waits, {memory}")


@RESOURCES(
    f"idle | uses less than {scene.BUSY_SHARE:.0%} of a processor while it waits",
    is_idle,
    is_shared=True,
)
async def idle(play: BotConversation) -> None:
    """Send nothing after the orders, and measure what the bot uses."""
    await play.fresh_orders()
    await play.sleep(WAITING_SECONDS / 4)
    before, began = _used(play), play.seconds
    await play.sleep(WAITING_SECONDS)
    after = _used(play)
    seconds = (play.seconds - began) * play.measures.slowness
    share = (after.wanted_seconds - before.wanted_seconds) / seconds
    play.log.figures |= {
        "share of a processor": share,
        "memory (MiB)": after.resident_bytes / MEBIBYTES,
        "threads": after.threads,
        "open files": after.files,
    }


@scene.if_ordered
def prints_little(log: SceneLog) -> scene.SceneFinding:
    """Judge that the bot does not print so much that it fills a disk."""
    printed = log.figures["printed a turn (KiB)"]
    did = f"prints {printed:.0f} KiB a turn"
    return scene.differs(did) if printed > MOST_PRINTED else scene.passes(did)


@RESOURCES(
    f"prints-little | prints less than {MOST_PRINTED} KiB a turn",
    prints_little,
    is_shared=True,
)
async def printing(play: BotConversation) -> None:
    """Note how much the bot prints in some turns."""
    before = _used(play).printed_bytes
    for _ in range(PRINTED_TURNS):
        if not (await play.fresh_orders()).is_complete:
            return
    await play.sleep(WAITING_SECONDS / 4)
    printed = (_used(play).printed_bytes - before) / PRINTED_TURNS
    play.log.figures["printed a turn (KiB)"] = printed / 1024


def is_flat(log: SceneLog) -> scene.SceneFinding:
    """Judge that the second hundred turns needed no additional memory."""
    figures = log.figures
    if "third memory" not in figures:
        found, turns = scene.ordered(log), f"{len(log.turns)} of {2 * TURNS_OF_HALF}"
        if found.verdict is scene.SceneVerdict.FAILS:
            return found
        return scene.not_reached(f"{turns} turns in {GROWTH_SECONDS:.0f} s")
    first = figures["second memory"] - figures["first memory"]
    second = figures["third memory"] - figures["second memory"]
    more = figures["third more"] - figures["first more"]
    did = f"{first:+.1f} MiB in {TURNS_OF_HALF} turns, then {second:+.1f} MiB"
    if second > MOST_GROWTH and second > first / 2:
        # Garbage that is collected later looks the same, up to a size.
        return scene.fails(did) if second > MOST_GARBAGE else scene.differs(did)
    if more > MOST_MORE:
        return scene.fails(f"{more:.0f} threads and open files more after the turns")
    return scene.passes(did)


@RESOURCES(
    f"growth | needs no more memory in a second {TURNS_OF_HALF} turns",
    is_flat,
    fault=27,
    setup=COLLECTING,
)
async def growth(play: BotConversation) -> None:
    """Play a hundred turns twice, and note memory, threads and files at each end."""
    began = play.seconds
    for name in ("first", "second", "third"):
        used = _used(play)
        play.log.figures |= {
            f"{name} memory": used.resident_bytes / MEBIBYTES,
            f"{name} more": used.threads + used.files,
        }
        for _ in range(TURNS_OF_HALF if name != "third" else 0):
            play.fresh()
            is_late = play.seconds - began > GROWTH_SECONDS
            if is_late or not (await play.orders()).is_complete:
                return


def left_nothing(log: SceneLog) -> scene.SceneFinding:
    """Judge that no process is left; one that does nothing differs."""
    processes = f"{log.figures['processes']:.0f} processes left"
    if not log.figures["processes"]:
        return scene.passes("no process left")
    if log.figures["share"] < QUIET_SHARE:
        return scene.differs(processes)
    return scene.fails(f"{processes}, which use a processor")


@RESOURCES(
    f"leaves-nothing | leaves no process {LEFT_SECONDS:.0f} s after the end",
    left_nothing,
    fault=26,
)
async def leave(play: BotConversation) -> None:
    """End the game, and look for processes that are left a while later."""
    await conclude(play, [messages.Solo(Power("TUR"))])
    await play.sleep(LEFT_SECONDS)
    before = _used(play)
    await play.sleep(1.0)
    after = _used(play)
    play.log.figures["processes"] = after.processes
    play.log.figures["share"] = after.cpu_seconds - before.cpu_seconds
