"""What the bot's processes use, and what they leave behind; other boards; lines."""

from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    SceneVerdict,
    differs,
    fails,
    not_reached,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.programs import Usage
from daide_server.examine.scene_log import SceneLog
from daide_server.examine.scene_setup import SceneSetup
from daide_server.language.messages import Solo

from .end_scenes import conclude
from .joining_scenes import first_turn, join_only, joined, plays_or_refuses
from .playing_on import ordered

GROUP_OF_RESOURCES: Final = "resources"
GROUP_OF_BOARDS: Final = "boards"
WAITING_SECONDS: Final = 2.0
BUSY_SHARE: Final = 0.5
"""Of a processor, while there is nothing to do."""
QUIET_SHARE: Final = 0.01
LEFT_SECONDS: Final = 5.0
TURNS_OF_HALF: Final = 100
GROWTH_SECONDS: Final = 20.0
"""The scene is not reached if the turns take longer."""
KIBIBYTES: Final = 1 << 10
MEBIBYTES: Final = 1 << 20
PRINTED_TURNS: Final = 3
MOST_PRINTED: Final = 1024
"""KiB in a turn, on standard output and standard error."""
MOST_GROWTH: Final = 8
"""MiB in the second hundred turns."""
MOST_GARBAGE: Final = 24
"""MiB of the same that a runtime such as Java's may leave for later."""
COLLECTING: Final = SceneSetup(environment=(("JAVA_TOOL_OPTIONS", "-Xmn4m"),))
"""Java leaves its garbage for much later if its youngest generation is large."""
MOST_MORE: Final = 20
"""Threads or open files, in all turns."""


def _used(play: BotConversation) -> Usage:
    used = None if play.bot is None else play.bot.usage()
    return used or Usage(0, 0, 0.0, 0, 0)


def _wanted_seconds(usage: Usage) -> float:
    """Return the time on processors, and in the queue for them on a busy machine."""
    return usage.cpu_seconds + usage.queued_seconds


async def idle(play: BotConversation) -> None:
    """Say nothing after the orders, and look what the bot uses."""
    play.fresh()
    await play.orders()
    await play.sleep(WAITING_SECONDS / 4)
    before, began = _used(play), play.seconds
    await play.sleep(WAITING_SECONDS)
    after = _used(play)
    seconds = (play.seconds - began) * play.measures.slowness
    share = (_wanted_seconds(after) - _wanted_seconds(before)) / seconds
    play.log.figures |= {
        "share of a processor": share,
        "memory (MiB)": after.resident_bytes / MEBIBYTES,
        "threads": after.threads,
        "open files": after.files,
    }


def is_idle(log: SceneLog) -> SceneFinding:
    """Judge that a bot that waits does not use a processor."""
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES:
        return found
    share = f"{log.figures['share of a processor']:.0%} of a processor"
    memory = f"{log.figures['memory (MiB)']:.0f} MiB"
    if log.figures["share of a processor"] > BUSY_SHARE:
        return differs(f"{share} while it waits")
    return passes(f"{share} while it waits, {memory}")


async def printing(play: BotConversation) -> None:
    """Note how much the bot prints in some turns."""
    before = _used(play).printed_bytes
    for _ in range(PRINTED_TURNS):
        play.fresh()
        if not (await play.orders()).is_complete:
            return
    await play.sleep(WAITING_SECONDS / 4)
    printed = (_used(play).printed_bytes - before) / PRINTED_TURNS
    play.log.figures["printed a turn (KiB)"] = printed / KIBIBYTES


def prints_little(log: SceneLog) -> SceneFinding:
    """Judge that nobody's disk is filled by what the bot prints."""
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES:
        return found
    printed = log.figures["printed a turn (KiB)"]
    did = f"prints {printed:.0f} KiB a turn"
    return differs(did) if printed > MOST_PRINTED else passes(did)


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


def is_flat(log: SceneLog) -> SceneFinding:
    """Judge that the second hundred turns needed no more memory."""
    figures = log.figures
    if "third memory" not in figures:
        found = ordered(log)
        turns = (
            f"{len(log.turns)} of {2 * TURNS_OF_HALF} turns in {GROWTH_SECONDS:.0f} s"
        )
        return found if found.verdict is SceneVerdict.FAILS else not_reached(turns)
    first = figures["second memory"] - figures["first memory"]
    second = figures["third memory"] - figures["second memory"]
    more = figures["third more"] - figures["first more"]
    did = f"{first:+.1f} MiB in {TURNS_OF_HALF} turns, then {second:+.1f} MiB"
    if second > MOST_GROWTH and second > first / 2:
        # Garbage that is collected later looks the same, up to a size.
        return fails(did) if second > MOST_GARBAGE else differs(did)
    if more > MOST_MORE:
        return fails(f"{more:.0f} threads and open files more after the turns")
    return passes(did)


async def leave(play: BotConversation) -> None:
    """End the game, and look for processes that are left a while later."""
    await conclude(play, [Solo(Power("TUR"))])
    await play.sleep(LEFT_SECONDS)
    before = _used(play)
    await play.sleep(1.0)
    after = _used(play)
    play.log.figures["processes"] = after.processes
    play.log.figures["share"] = after.cpu_seconds - before.cpu_seconds


def left_nothing(log: SceneLog) -> SceneFinding:
    """Judge that no process is left; one that does nothing differs."""
    processes = f"{log.figures['processes']:.0f} processes left"
    if not log.figures["processes"]:
        return passes("no process left")
    if log.figures["share"] < QUIET_SHARE:
        return differs(processes)
    return fails(f"{processes}, which use a processor")


_RESOURCE: Final = BotScene(
    name="idle",
    group=GROUP_OF_RESOURCES,
    expected=f"uses less than {BUSY_SHARE:.0%} of a processor while it waits",
    section="",
    play=idle,
    judge=is_idle,
    is_shared=True,
    needs_process=True,
)

RESOURCE_SCENES: Final = (
    _RESOURCE,
    evolve(
        _RESOURCE,
        name="prints-little",
        expected=f"prints less than {MOST_PRINTED} KiB a turn",
        play=printing,
        judge=prints_little,
    ),
    evolve(
        _RESOURCE,
        name="growth",
        expected=f"needs no more memory in a second {TURNS_OF_HALF} turns",
        play=growth,
        judge=is_flat,
        fault=27,
        is_shared=False,
        setup=COLLECTING,
    ),
    evolve(
        _RESOURCE,
        name="leaves-nothing",
        expected=f"leaves no process {LEFT_SECONDS:.0f} s after the end",
        play=leave,
        judge=left_nothing,
        fault=26,
        is_shared=False,
    ),
)


def _board(name: str, board: str, power: str, what: str) -> BotScene:
    return BotScene(
        name=name,
        group=GROUP_OF_BOARDS,
        expected=f"asks for MDF and plays {what}, or REJ (MAP)",
        section="MS MDF",
        setup=SceneSetup(board=board, power=Power(power)),
        play=first_turn,
        judge=plays_or_refuses,
        joins=False,
        fault=4,
    )


BOARD_SCENES: Final = (
    _board("board-fva", "fva", "AUS", "a board for two"),
    _board("board-modern", "modern", "FRN", "a board of 141 provinces"),
    _board("board-hundred3", "hundred3", "BUR", "a board with other homes"),
)

LINE_SCENES: Final = (
    BotScene(
        name="flushes",
        group="lines",
        expected="flushes its lines, also into a pipe",
        section="Lines",
        play=join_only,
        judge=joined,
        control="",
        joins=False,
        fault=28,
        lines_only=True,
    ),
)
