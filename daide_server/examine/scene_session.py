"""One start of the bot, and the scenes that are played in it."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

import trio
from attrs import evolve

from daide_server.classes import frozen
from daide_server.language.messages import Name
from daide_server.storage.trace_files import SUFFIX_OF_TRACES

from .bot_scene import BotScene
from .judging import NOT_PASSED, SceneResult
from .measures import Measures
from .programs import Launcher
from .scene_findings import SceneFinding, SceneVerdict, fails
from .scene_log import SceneLog
from .scene_play import ScenePlay
from .scenes.playing_on import ordered

SCENE_SECONDS: Final = 180.0
"""A scene that takes longer is broken off; long ones have ten times as much."""
SETTLING_SECONDS: Final = 0.1
"""A bot that dies of a scene may do so a moment after its orders."""
LONG_FACTOR: Final = 10


@frozen
class SceneSession:
    """Scenes with one setup, for one start of the bot."""

    launcher: Launcher
    measures: Measures
    traces: Path | None = None
    """The folder for conversations, a file for each start of the bot."""

    async def play(self, scenes: Sequence[BotScene]) -> list[SceneResult]:
        """Play the scenes until one does not pass; return the results of those played.

        Raises `CannotStartError`.
        """
        setup = scenes[0].setup
        play = ScenePlay(setup, self.measures)
        if self.traces is not None:
            play.keep_in(_trace_path(self.traces, scenes[0].name))
        results: list[SceneResult] = []
        async with trio.open_nursery() as nursery:

            def connect(stream: trio.abc.Stream) -> None:
                nursery.start_soon(play.serve, nursery, stream)

            # The scene may have its own delay for RM, before the bot is started.
            run = await self.launcher.start(nursery, connect, dict(setup.environment))
            try:
                nursery.start_soon(play.watch, run)
                await self._play_all(play, scenes, results)
            finally:
                await run.stop()
            last_words = run.last_words()
            nursery.cancel_scope.cancel()
        return [_with_words(each, last_words) for each in results]

    async def _play_all(
        self, play: ScenePlay, scenes: Sequence[BotScene], results: list[SceneResult]
    ) -> None:
        if scenes[0].joins:
            found = await _control(play)
            if found.verdict is SceneVerdict.FAILS:
                did = f"before the scene began: {found.did}"
                results.append(SceneResult(scenes[0], fails(did)))
                return
        for scene in scenes:
            finding = await _play_one(play, scene)
            log = play.log
            fell_silent = bool(log.said(Name)) and not play.is_gone
            results.append(
                SceneResult(
                    scene, finding, figures=log.figures, fell_silent=fell_silent
                )
            )
            if finding.verdict is not SceneVerdict.PASSES or play.is_gone:
                return


def _trace_path(folder: Path, scene: str) -> Path:
    """Return the file for the next start of the bot, which begins with *scene*."""
    names = (folder / f"{scene}-{number}{SUFFIX_OF_TRACES}" for number in count(1))
    return next(path for path in names if not path.exists())


async def _control(play: ScenePlay) -> SceneFinding:
    """Let the bot join, and play its first turn."""
    if await play.join():
        play.begin()
        await play.orders()
        # Else what it says after its orders is taken for an answer to the scene.
        await play.until(lambda: False, SETTLING_SECONDS)
    await play.until_exit(SETTLING_SECONDS)
    return ordered(play.log)


async def _play_one(play: ScenePlay, scene: BotScene) -> SceneFinding:
    is_joined = scene.joins
    play.renew(SceneLog(is_joined=is_joined, words=dict(play.log.words)))
    limit = SCENE_SECONDS * (LONG_FACTOR if scene.is_long else 1)
    with trio.move_on_after(limit * play.measures.slowness) as scope:
        await scene.play(play)
        await play.until(lambda: False, SETTLING_SECONDS)
    await play.until_exit(SETTLING_SECONDS)
    if scope.cancelled_caught:
        return fails(f"the scene was not over after {limit:.0f} s")
    return scene.judge(play.log)


def _with_words(result: SceneResult, last_words: str) -> SceneResult:
    if result.verdict not in NOT_PASSED:
        return result
    return evolve(result, last_words=last_words)
