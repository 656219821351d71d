"""The built-in bots pass every scene; scenes are a table that people can read."""

from collections.abc import Collection, Iterable
from random import Random

import pytest

from daide_server.bots.built_in import BOTS, play
from daide_server.bots.client import enter
from daide_server.daide.messages import Name, ServerMessage
from daide_server.examine.examination import Examination
from daide_server.examine.report import SceneResult
from daide_server.examine.scene import SceneVerdict
from daide_server.examine.scenes import SCENES
from daide_server.examine.scripted_game import Measures
from tests.examine.conduct_mutants import (
    ALLOWED,
    CONDUCT_MUTANTS,
    WORDS,
    LeavesWithoutPress,
)
from tests.examine.mutants import MUTANTS
from tests.examine.small_bot import SmallBot
from tests.examine.tasks import Dial, TaskLauncher
from tests.support.fakes import jumping_clock

USUAL = Measures()
NOT_OURS = {SceneVerdict.FAILS, SceneVerdict.DIFFERS, SceneVerdict.NOT_REACHED}


@jumping_clock
@pytest.mark.parametrize("name", BOTS)
async def test_the_built_in_bots_pass_every_scene(name: str) -> None:
    async def bot(dial: Dial) -> None:
        async with enter(dial, Name(name, "1")) as game:
            await play(game, BOTS[name](Random(1)))

    scenes = tuple(SCENES.values())
    results = await Examination(
        TaskLauncher(bot), Measures(), scenes, jobs=2, is_thorough=True
    ).run()

    assert [
        (each.scene.name, each.finding.did)
        for each in results
        if each.verdict in NOT_OURS
    ] == []
    assert len(results) > len(SCENES) / 2


SOME = (
    *("spring-moves", "builds", "removals", "retreat-several", "joined-frames"),
    *("complaints", "time-told", "administration", "disorder", "level-20"),
)
"""Scenes that no mutant may fail for which they are not listed."""


async def examined(
    bot: type[SmallBot], names: Collection[str], measures: Measures = USUAL
) -> list[SceneResult]:
    scenes = [each for each in SCENES.values() if each.name in names]

    async def play_small(dial: Dial) -> None:
        await bot()(dial)

    return await Examination(
        TaskLauncher(play_small), measures, scenes, jobs=2, is_thorough=True
    ).run()


def not_passed(results: Iterable[SceneResult]) -> set[str]:
    return {
        each.scene.name
        for each in results
        if each.verdict in {SceneVerdict.FAILS, SceneVerdict.DIFFERS}
    }


@jumping_clock
@pytest.mark.parametrize("bot", MUTANTS, ids=lambda bot: bot.__name__)
async def test_a_mutant_is_found_by_its_scenes_only(bot: type[SmallBot]) -> None:
    fault, names = MUTANTS[bot]

    results = await examined(bot, {*names, *SOME})

    assert not_passed(results) == names
    assert fault in {SCENES[name].fault for name in names}


@jumping_clock
@pytest.mark.long
@pytest.mark.parametrize("bot", MUTANTS, ids=lambda bot: bot.__name__)
async def test_a_mutant_fails_no_other_scene(bot: type[SmallBot]) -> None:
    results = await examined(bot, SCENES)

    assert not_passed(results) == MUTANTS[bot][1]


@jumping_clock
@pytest.mark.parametrize("bot", CONDUCT_MUTANTS, ids=lambda bot: bot.__name__)
async def test_a_mutant_is_found_by_the_scene_of_its_fault(bot: type[SmallBot]) -> None:
    """Others may be not reached then, or suffer from the same fault."""
    names = CONDUCT_MUTANTS[bot]

    assert not_passed(await examined(bot, names)) >= names


@jumping_clock
@pytest.mark.parametrize(
    ("bot", "scene", "words"), WORDS, ids=lambda value: getattr(value, "__name__", "")
)
async def test_a_row_tells_the_author_what_was_wrong(
    bot: type[SmallBot], scene: str, words: str
) -> None:
    """Not only that orders are missing: what the bot said, and who refused it."""
    results = await examined(bot, {scene})

    assert scene in not_passed(results)
    assert words in next(r.finding.did for r in results if r.scene.name == scene)


@jumping_clock
@pytest.mark.parametrize("bot", ALLOWED, ids=lambda bot: bot.__name__)
async def test_what_is_allowed_is_not_held_against_a_bot(bot: type[SmallBot]) -> None:
    results = await examined(bot, SCENES)

    assert not_passed(results) == set()


@jumping_clock
async def test_a_bot_that_needs_press_is_examined_at_its_level() -> None:
    names = {"spring-moves", "quiet", "disorder"}

    without = await examined(LeavesWithoutPress, names)
    with_press = await examined(LeavesWithoutPress, names, Measures(level=20))

    control, *reached = without
    assert control.verdict is SceneVerdict.FAILS
    assert {each.verdict for each in reached} == {SceneVerdict.NOT_REACHED}
    assert {each.verdict for each in with_press} == {SceneVerdict.PASSES}


@jumping_clock
async def test_a_small_bot_passes() -> None:
    assert not_passed(await examined(SmallBot, SCENES)) == set()


@jumping_clock
async def test_a_bot_that_falls_silent_is_started_once() -> None:
    """Its minute is not spent again on other delays of RM."""
    starts = 0

    class IgnoresTheMap(SmallBot):
        def __init__(self) -> None:
            super().__init__()
            nonlocal starts
            starts += 1

        async def treat(self, message: ServerMessage) -> None:
            del message

    results = await examined(IgnoresTheMap, SCENES)

    assert not_passed(results) == {"joins"}
    assert starts == 1


def test_each_known_fault_has_a_scene() -> None:
    found = {each.fault for each in SCENES.values()}

    assert found >= set(range(1, 30))


def test_each_scene_names_a_control_that_comes_before_it() -> None:
    names = list(SCENES)
    for number, scene in enumerate(SCENES.values()):
        assert not scene.control or scene.control in names[:number]


def test_scenes_that_share_a_start_have_joined() -> None:
    assert all(each.joins for each in SCENES.values() if each.is_shared)
