"""A batch plays the games that the environment plays."""

import pytest

from daide_server.library.variants import load_variant
from tests.support.needed import need_package

numpy = need_package("numpy")
need_package("pettingzoo")

from daide_server.env import ActionError, DiplomacyEnv, EnvSettings, GameBatch  # noqa: E402 - numpy first


def test_a_batch_plays_what_the_environment_plays() -> None:
    settings = EnvSettings(last_year=1903, scoring="Tribute")
    batch = GameBatch(3, "standard", settings)
    envs = [DiplomacyEnv("standard", settings) for _ in range(3)]
    for env in envs:
        env.reset()
    chance = numpy.random.default_rng(7)
    while not batch.over.all():
        actions = chance.integers(0, batch.counts)
        playing = ~batch.over
        batch.step(actions)
        for number in numpy.flatnonzero(playing):
            env, powers = envs[number], batch.powers
            chosen = dict(zip(powers, actions[number], strict=True))
            mine = {agent: chosen[agent] for agent in env.agents}
            observed, rewards, *_ = env.step(mine)
            assert env.position == batch.position(number)
            board = next(iter(observed.values()))["observation"]
            assert (batch.boards[number] == board).all()
            for agent, seen in observed.items():
                at = powers.index(agent)
                counts = [row.sum() for row in seen["action_mask"]]
                assert counts == list(batch.counts[number, at])
                assert batch.rewards[number, at] == pytest.approx(rewards[agent])
            assert batch.over[number] == (not env.agents)


def test_positions_are_set_for_a_search() -> None:
    standard = load_variant("standard")
    batch = GameBatch(4)
    batch.step(numpy.zeros_like(batch.counts))
    assert batch.position(2) != standard.start
    batch.reset([2])
    assert batch.position(2) == standard.start
    assert batch.position(1) != standard.start
    later = batch.position(1)
    batch.reset(position=later)
    assert all(batch.position(number) == later for number in range(4))


def test_a_number_that_is_no_choice_names_its_place() -> None:
    batch = GameBatch(2)
    actions = numpy.zeros_like(batch.counts)
    actions[1, 2, 0] = 999
    with pytest.raises(ActionError, match=r"game 1, FRA, slot 0: found 999"):
        batch.step(actions)
    with pytest.raises(ActionError, match="expected"):
        batch.step(actions[:1])
