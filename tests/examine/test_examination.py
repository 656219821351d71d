"""The built-in bots pass every scene; scenes are a table that people can read."""

from random import Random

import pytest
import trio

from daide_server.bots.built_in import BOTS
from daide_server.bots.catalogue import play
from daide_server.bots.client import enter
from daide_server.examine.examination import Examination, ExaminationPlan
from daide_server.examine.measures import Measures
from daide_server.examine.scene_findings import SceneVerdict
from daide_server.examine.scenes.scene_table import SCENES
from daide_server.language.messages import Name
from tests.examine.tasks import Dial, TaskLauncher

NOT_OURS = {SceneVerdict.FAILS, SceneVerdict.DIFFERS, SceneVerdict.NOT_REACHED}


@pytest.mark.parametrize("name", BOTS)
async def test_the_built_in_bots_pass_every_scene(
    name: str, autojump_clock: trio.abc.Clock
) -> None:
    del autojump_clock

    async def bot(dial: Dial) -> None:
        async with enter(dial, Name(name, "1")) as game:
            await play(game, BOTS[name](Random(1)))

    plan = ExaminationPlan(tuple(SCENES.values()), jobs=2, is_thorough=True)
    results = await Examination(TaskLauncher(bot), Measures(), plan).run()

    assert [
        (each.scene.name, each.finding.did)
        for each in results
        if each.verdict in NOT_OURS
    ] == []
    assert len(results) > len(SCENES) / 2


def test_each_scene_names_a_control_that_comes_before_it() -> None:
    names = list(SCENES)
    for number, scene in enumerate(SCENES.values()):
        assert not scene.control or scene.control in names[:number]


def test_scenes_that_share_a_start_have_joined() -> None:
    assert all(each.joins for each in SCENES.values() if each.is_shared)
