"""Plays all scenes with a bot: controls first, several in one start, some at a time."""

import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import trio
from attrs import Factory, define, evolve, field, frozen

from daide_server.board.orders import Order
from daide_server.daide.messages import Name, OrderNoted
from daide_server.library.archive import SUFFIX_OF_TRACES

from .conversation import BotConversation
from .programs import BotRun, CommandLauncher
from .report import SceneResult
from .scene import (
    NOT_PASSED,
    BotScene,
    SceneFinding,
    SceneVerdict,
    fails,
    not_reached,
    ordered,
    trouble,
)
from .scene_log import Opened, SceneLog
from .scenes import JOINS, SCENES
from .scripted_game import Measures, SceneSetup

# One start of the bot, and the scenes that are played in it

SCENE_SECONDS = 180.0
"""The limit for a scene; long ones have ten times as much."""
SETTLING_SECONDS = 0.1
"""Seconds after its orders in which a bot may still crash because of a scene."""
LONG_FACTOR = 10


@asynccontextmanager
async def started(
    launcher: CommandLauncher, play: BotConversation
) -> AsyncIterator[BotRun]:
    """Start the bot, and end it with the block; raises `RunningError`."""
    async with trio.open_nursery() as nursery:

        def connect(stream: trio.abc.Stream) -> None:
            nursery.start_soon(play.serve, nursery, stream)

        run = await launcher.start(nursery, connect, dict(play.setup.environment))
        try:
            nursery.start_soon(play.watch, run)
            yield run
        finally:
            await run.stop()
        nursery.cancel_scope.cancel()


async def play_together(
    launcher: CommandLauncher,
    measures: Measures,
    scenes: Sequence[BotScene],
    traces: Path | None = None,
) -> list[SceneResult]:
    """Play scenes of one setup in one start of the bot, until one does not pass.

    Returns the results of those played; the conversation is kept in a file of the
    folder *traces*. Raises `RunningError`.
    """
    trace = traces and _trace_path(traces, scenes[0].name)
    play = BotConversation(scenes[0].setup, measures, trace)
    async with started(launcher, play) as run:
        results = [each async for each in _results(play, scenes)]
    if trace is not None and not trace.exists():
        # Nothing was said.
        trace = None
    return [
        evolve(each, last_words=run.last_words(), trace=trace)
        if each.verdict in NOT_PASSED
        else each
        for each in results
    ]


def _trace_path(folder: Path, scene: str) -> Path:
    """Return the file for the next start of the bot, which begins with *scene*."""
    names = (folder / f"{scene}-{number}{SUFFIX_OF_TRACES}" for number in count(1))
    return next(path for path in names if not path.exists())


async def _results(
    play: BotConversation, scenes: Sequence[BotScene]
) -> AsyncIterator[SceneResult]:
    if scenes[0].joins:
        found = await _control(play)
        if found.verdict is SceneVerdict.FAILS:
            found = fails(f"before the scene began: {found.did}")
            yield SceneResult(scenes[0], found)
            return
    for scene in scenes:
        finding = await _play_one(play, scene)
        log = play.log
        fell_silent = bool(log.said(Name)) and not play.is_gone
        yield SceneResult(scene, finding, figures=log.figures, fell_silent=fell_silent)
        if not finding.has_passed or play.is_gone:
            return


async def _control(play: BotConversation) -> SceneFinding:
    """Let the bot join, and play its first turn."""
    if await play.join():
        play.begin()
        await play.orders()
        # Otherwise messages after its orders are taken for answers to the scene.
        await play.until(lambda: False, SETTLING_SECONDS)
    await play.until_exit(SETTLING_SECONDS)
    return ordered(play.log)


async def _play_one(play: BotConversation, scene: BotScene) -> SceneFinding:
    play.renew(SceneLog(is_joined=scene.joins, words=dict(play.log.words)))
    limit = SCENE_SECONDS * (LONG_FACTOR if scene.is_long else 1)
    with trio.move_on_after(limit * play.measures.slowness) as scope:
        await scene.play(play)
        await play.until(lambda: False, SETTLING_SECONDS)
    await play.until_exit(SETTLING_SECONDS)
    if scope.cancelled_caught:
        return fails(f"the scene was not over after {limit:.0f} s")
    return scene.judge(play.log)


RM_DELAYS = (0.0, 0.005, 0.03)
"""Delays of RM in seconds; the first one after which the bot joins is used."""
SHARED = 12
"""The most scenes in one start of the bot."""


@define(eq=False)
class Examination:
    """One examination of one bot: plays *scenes*, in *jobs* starts at a time.

    Conversations are kept in the folder *traces*; long scenes are for `is_thorough`.
    """

    launcher: CommandLauncher
    measures: Measures
    scenes: Sequence[BotScene]
    jobs: int = 1
    is_thorough: bool = False
    traces: Path | None = None
    tell: Callable[[SceneResult], None] = lambda _: None
    """Called with each result when it is decided."""
    _results: dict[str, SceneResult] = field(factory=dict, init=False)
    _limiter: trio.CapacityLimiter = Factory(
        lambda self: trio.CapacityLimiter(self.jobs), takes_self=True
    )

    @property
    def number(self) -> int:
        """Return how many scenes are decided in `run`, with their controls."""
        return len({JOINS, *self._waiting()})

    async def run(self) -> list[SceneResult]:
        """Play the scenes; return their results, in the same order.

        Those of controls that failed and are none of the scenes come first: they are
        why a scene was not reached. Raises `RunningError`.
        """
        chosen = self._chosen()
        waiting = self._waiting()
        await self._find_rm_delay()
        while waiting:
            decided = {"", *self._results}
            now = [each for each in waiting if each.control in decided]
            await self._play_all(now)
            waiting = [each for each in waiting if each not in now]
        not_run = SceneFinding(SceneVerdict.NOT_RUN, "needs --thorough")
        found = [
            self._results.get(each.name) or SceneResult(each, not_run)
            for each in chosen
        ]
        failed_controls = [
            result
            for each in with_controls(chosen)
            if each not in chosen
            and (result := self._results.get(each.name))
            and result.verdict is SceneVerdict.FAILS
        ]
        return [*failed_controls, *found]

    def _chosen(self) -> list[BotScene]:
        launcher = self.launcher
        return [
            scene
            for scene in self.scenes
            if (launcher.speaks_lines or not scene.lines_only)
            and (launcher.has_processes or not scene.needs_process)
        ]

    def _waiting(self) -> list[BotScene]:
        run = [each for each in self._chosen() if self.is_thorough or not each.is_long]
        return with_controls(run)

    async def _find_rm_delay(self) -> None:
        """Find a delay of RM after which the bot joins."""
        for delay in RM_DELAYS:
            self.measures = evolve(self.measures, rm_delay=delay)
            (result,) = await self._play([JOINS])
            if result.verdict is not SceneVerdict.FAILS or result.fell_silent:
                break
        self._decide(result)

    async def _play(self, scenes: Sequence[BotScene]) -> list[SceneResult]:
        """Play scenes in one start, when one of the *jobs* is free."""
        async with self._limiter:
            return await play_together(
                self.launcher, self.measures, scenes, self.traces
            )

    def _is_control_met(self, scene: BotScene) -> bool:
        """Return whether the control has shown what it must."""
        enough = {SceneVerdict.PASSES} if scene.needs_pass else CONTROL_MET
        return not scene.control or self._results[scene.control].verdict in enough

    def _decide(self, result: SceneResult) -> None:
        if result.scene.setup.rm_delay == 0.0 and result.verdict in NOT_PASSED:
            # Otherwise an early RM fails other scenes occasionally.
            delay = max(self.measures.rm_delay, RM_DELAYS[-1])
            self.measures = evolve(self.measures, rm_delay=delay)
        self._results[result.scene.name] = result
        self.tell(result)

    async def _play_all(self, scenes: Iterable[BotScene]) -> None:
        """Play scenes whose controls are decided."""
        playable: list[BotScene] = []
        for scene in scenes:
            if scene.name in self._results:
                continue
            if self._is_control_met(scene):
                playable.append(scene)
            else:
                word = self._results[scene.control].verdict.value
                why = not_reached(f"{scene.control}: {word}")
                self._decide(SceneResult(scene, why))
        async with trio.open_nursery() as nursery:
            for group in starts(playable):
                nursery.start_soon(self._play_group, group)

    async def _play_group(self, group: Sequence[BotScene]) -> None:
        """Play scenes in one start, and in another one after one that did not pass."""
        while group:
            results = await self._play(group)
            for result in results:
                await self._decide_again(result)
            group = group[len(results) :]

    async def _decide_again(self, result: SceneResult) -> None:
        results, needed = [result], result.scene.starts
        # A scene that has passed must pass in all its starts.
        while results[-1].finding.has_passed and len(results) < needed:
            results += await self._play([result.scene])
        results = results[-1:]
        while needs_another_try(results):
            results += await self._play([result.scene])
        best = min(results, key=lambda each: SEVERITY.index(each.verdict))
        if result.verdict in NOT_PASSED and best.verdict not in NOT_PASSED:
            did = f"{best.finding.did} (when tried again)"
            best = evolve(best, finding=SceneFinding(best.verdict, did))
        self._decide(best)


# Which scenes come next, and which result counts

CONTROL_MET = frozenset({SceneVerdict.PASSES, SceneVerdict.DIFFERS})
SEVERITY = (
    SceneVerdict.PASSES,
    SceneVerdict.NOT_REACHED,
    SceneVerdict.DIFFERS,
    SceneVerdict.FAILS,
    SceneVerdict.NOT_RUN,
)
"""The verdicts, from the best to the worst."""
TIMING_TRIES = 3
"""The number of consecutive tries in all of which a timing fault must occur."""
TRIES = 2
"""Tries for any other fault: it must occur again after a fresh start."""


def needs_another_try(results: Sequence[SceneResult]) -> bool:
    """Return whether the scene must be played again."""
    last = results[-1]
    tries = TIMING_TRIES if last.scene.is_timing else TRIES
    if last.scene.starts > 1 or len(results) >= tries:
        return False
    # Earlier events in the same start may be the reason.
    is_shared = last.scene.is_shared and last.verdict is SceneVerdict.DIFFERS
    return is_shared or last.verdict is SceneVerdict.FAILS


def with_controls(chosen: Iterable[BotScene]) -> list[BotScene]:
    """Return the scenes with all that they have as controls, controls first."""
    found: dict[str, BotScene] = {}

    def add(scene: BotScene) -> None:
        if scene.control:
            add(SCENES[scene.control])
        found.setdefault(scene.name, scene)

    for each in chosen:
        add(each)
    return list(found.values())


def starts(scenes: Iterable[BotScene]) -> Iterator[list[BotScene]]:
    """Yield the scenes of each start of the bot."""
    shared: defaultdict[SceneSetup, list[BotScene]] = defaultdict(list)
    for scene in scenes:
        if scene.is_shared:
            shared[scene.setup].append(scene)
        else:
            yield [scene]
    for together in shared.values():
        for place in range(0, len(together), SHARED):
            yield together[place : place + SHARED]


# How much slower this machine is than an idle one: a start of the bot hold

HOLD_WORDS = ("-m", "daide_server", "bot", "hold", "--host", "{host}")
HOLD_START_SECONDS = 0.9
"""Seconds until it connects after its start, on an idle machine of two cores."""
SLOWEST = 20.0
"""The largest slowness that is taken into account."""


async def with_slowness(measures: Measures) -> Measures:
    """Return *measures* with this machine's slowness; raises `RunningError`."""
    launcher = CommandLauncher((sys.executable, *HOLD_WORDS, "--port", "{port}"))
    seen: list[float] = []

    async def look(play: BotConversation) -> None:
        await play.join()
        seen.extend(each.seconds for each in play.log.of(Opened))

    idle = evolve(measures, slowness=1.0)
    await play_together(launcher, idle, [evolve(JOINS, play=look)])
    taken = seen[0] if seen else HOLD_START_SECONDS
    slowness = min(max(taken / HOLD_START_SECONDS, 1.0), SLOWEST)
    return evolve(measures, slowness=slowness)


PATIENCE_SECONDS = 3.0
"""Seconds without an answer of the bot until the user learns what is missing."""
REMINDER_SECONDS = 10.0
"""Seconds until that is repeated."""


@frozen
class AskedTurn:
    """The orders of one start of the bot."""

    seed: int
    orders: tuple[Order, ...]
    """The last accepted order for each unit."""
    refused: tuple[OrderNoted, ...]
    """The orders that were refused, as sent, with the note."""
    seconds: float
    missing: int
    trouble: str = ""
    """Why there are no orders, if the bot did not get that far."""
    last_words: str = ""


async def ask(
    launcher: CommandLauncher,
    setup: SceneSetup,
    measures: Measures,
    seed: int,
    tell: Callable[[str], None],
) -> AskedTurn:
    """Start the bot in the position of *setup*, and return what it orders.

    *tell* is called with what the bot has not done, if that takes long. Raises
    `RunningError`.
    """
    play = BotConversation(setup, measures)
    async with (
        trio.open_nursery() as nursery,
        started(evolve(launcher, seed=seed), play) as run,
    ):
        nursery.start_soon(_tell_of_waiting, play, tell)
        if await play.join():
            play.begin()
            await play.orders()
        asked = _asked(play, seed)
        nursery.cancel_scope.cancel()
    return evolve(asked, last_words=run.last_words())


async def _tell_of_waiting(play: BotConversation, tell: Callable[[str], None]) -> None:
    """Report repeatedly what the bot has not done; ends by cancellation."""
    began = trio.current_time()
    await trio.sleep(PATIENCE_SECONDS)
    while True:
        tell(f"{_next_step(play)}, after {trio.current_time() - began:.0f} s")
        await trio.sleep(REMINDER_SECONDS)


def _next_step(play: BotConversation) -> str:
    """Return what the bot has not done yet."""
    if play.connection is None:
        return "the bot has not connected yet"
    if not any(play.log.said(Name)):
        return "the bot has not sent NME yet"
    if not play.log.is_joined:
        return "the bot has not accepted the map yet, by YES (MAP (name))"
    return "the bot has not sent all its orders yet"


def _asked(play: BotConversation, seed: int) -> AskedTurn:
    found, turns = trouble(play.log), play.log.turns
    return AskedTurn(
        seed,
        play.game.accepted(),
        tuple(play.log.refusals),
        turns[-1].seconds if turns else 0.0,
        turns[-1].missing if turns else 0,
        "" if found is None else found.did,
    )
