"""The environment as PettingZoo wants it, and as the judge has it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from daide_server.board.map import Variant
from daide_server.board.orders import Move, owner
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import EDITIONS
from daide_server.records.formats.registry import FORMATS
from tests.judge.scenes import scene
from tests.support.needed import need_package
from tests.support.random_games import Recorded

numpy = need_package("numpy")
pettingzoo_test = need_package("pettingzoo.test")

from daide_server.env import (  # noqa: E402 - numpy first
    ActionError,
    DiplomacyEnv,
    EnvSettings,
    ResetError,
    parallel_env,
)


def act(env: DiplomacyEnv, observed: dict[Any, Any], chance: Random) -> dict[Any, Any]:
    """Return a random action, which its mask allows, of each agent."""
    return {
        agent: numpy.array(
            [
                chance.choice(numpy.flatnonzero(row))
                for row in observed[agent]["action_mask"]
            ]
        )
        for agent in env.agents
    }


@pytest.mark.parametrize("board", ["standard", "fva", "hundred3"])
@pytest.mark.parametrize("named", [False, True])
def test_it_passes_the_test_of_pettingzoo(board: str, *, named: bool) -> None:
    env = parallel_env(board, EnvSettings(last_year=1903, named=named))
    pettingzoo_test.parallel_api_test(env, num_cycles=30)


@pytest.mark.parametrize("named", [False, True])
def test_what_agents_see_is_in_their_space(*, named: bool) -> None:
    env, chance = DiplomacyEnv("hundred3", EnvSettings(named=named)), Random(5)
    observed, _ = env.reset()
    for _ in range(40):
        for agent, seen in observed.items():
            assert env.observation_space(agent).contains(seen)
        actions = act(env, observed, chance)
        assert all(env.action_space(at).contains(each) for at, each in actions.items())
        observed = env.step(actions)[0]


def test_a_record_is_stepped_through(record_of: Recorded) -> None:
    """Each recorded turn has actions, and they lead to the recorded position."""
    record = record_of(seed=3)
    env = DiplomacyEnv(settings=EnvSettings(rules=EDITIONS[record.edition]))
    env.reset(options={"position": record.positions[0]})
    for turn, following in zip(record.turns, record.positions[1:], strict=True):
        given = {
            agent: [order for order in turn.orders if owner(order) == agent]
            for agent in env.agents
        }
        env.step(
            {
                agent: env.action(agent, orders)
                for agent, orders in given.items()
                if orders
            }
        )
        assert env.position.units == following.units
        assert env.position.owners == following.owners


def test_a_game_begins_at_any_phase_of_a_record(
    record_of: Recorded, tmp_path: Path
) -> None:
    """Which may be in a file."""
    record, file = record_of(seed=1), tmp_path / "game.json"
    file.write_text(FORMATS["dipcc"].write(record))
    env = DiplomacyEnv()
    sources: tuple[object, ...] = (record, file, str(file))
    for source in sources:
        env.reset(options={"record": source, "phase": "F1901M"})
        assert str(env.position.turn) == "FAL 1901"

    drawn = set()
    for seed in range(20):
        found = []
        for source in sources:
            env.reset(seed=seed, options={"record": source})
            found.append(env.position)
        assert found[0] == found[1] == found[2]
        drawn.add(found[0].turn)
    assert len(drawn) > 3


@pytest.mark.parametrize(
    "options", [{"phase": "F1234M"}, {"phase": ""}, {"record": "none.json"}]
)
def test_an_unknown_start_is_refused(
    record_of: Recorded, options: dict[str, Any]
) -> None:
    env = DiplomacyEnv()
    with pytest.raises(ResetError, match=r"found|No such file|expected"):
        env.reset(options={"record": record_of(), **options})


def test_eliminated_agents_get_their_last_results(standard: Variant) -> None:
    """FRA takes the last centre of ENG, which has no unit any more."""
    units = {"FRA": ["A YOR", "A PAR"], "GER": ["A MUN"]}
    centres = {"FRA": ["PAR"], "ENG": ["LON"], "GER": ["MUN"]}
    position = scene(standard, "FAL 1905", units, centres)
    env = DiplomacyEnv()
    observed, _ = env.reset(options={"position": position})
    assert env.agents == ["ENG", "FRA", "GER"]
    assert [row.sum() for row in observed["ENG"]["action_mask"]] == [1] * 17

    texts = {"FRA": taking(env, "LON"), "ENG": idle(env), "GER": idle(env)}
    _, rewards, gone, truncated, infos = env.step(texts)

    assert gone == {"ENG": True, "FRA": False, "GER": False}
    assert set(rewards) == set(truncated) == set(infos) == {"ENG", "FRA", "GER"}
    assert env.agents == ["FRA", "GER"]
    with pytest.raises(ActionError, match="does not play"):
        env.step({"ENG": idle(env)})


def idle(env: DiplomacyEnv) -> Any:  # noqa: ANN401 - an array
    """Return zeros: units hold."""
    return numpy.zeros(len(env.action_space("ENG").nvec), int)


def taking(env: DiplomacyEnv, place: str) -> Any:  # noqa: ANN401 - an array
    orders = (order for slot in env.choices("FRA") for order in slot)
    moves = [order for order in orders if isinstance(order, Move)]
    return env.action("FRA", [at for at in moves if str(at.destination) == place])


def test_a_solo_ends_the_game_for_all(standard: Variant) -> None:
    """FRA stands in LON, its 18th centre."""
    units = {"FRA": ["A LON"], "GER": ["A MUN"]}
    others = sorted(standard.map.centres - {"LON", "MUN"})
    position = scene(
        standard, "FAL 1905", units, {"FRA": list(others[:17]), "GER": ["MUN"]}
    )
    env = DiplomacyEnv()
    env.reset(options={"position": position})
    _, rewards, gone, _, _ = env.step({agent: idle(env) for agent in env.agents})
    assert gone == {"FRA": True, "GER": True}
    assert rewards == {"FRA": 1.0, "GER": 0.0}
    assert env.agents == []


@pytest.mark.parametrize("scoring", ["sum_of_squares", "Tribute", "ManorCon"])
def test_gained_rewards_add_up_to_the_final_share(scoring: str) -> None:
    """The final rewards of the same game are the gains, and the share of the start."""
    totals = {}
    for kind in ("final", "gained"):
        settings = EnvSettings(scoring=scoring, rewards=kind, last_year=1906)
        env, chance = DiplomacyEnv(settings=settings), Random(4)
        observed, _ = env.reset()
        total = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            observed, rewards, *_ = env.step(act(env, observed, chance))
            for agent, reward in rewards.items():
                total[agent] += reward
        totals[kind] = total
    shares = numpy.array(list(totals["final"].values()))
    gains = numpy.array(list(totals["gained"].values()))
    assert shares.sum() == pytest.approx(1)
    # Seven powers share the start; Russia has a centre more.
    assert abs(gains.sum()) < 1e-9
    assert (gains - shares < 0).all()


def test_the_last_year_truncates() -> None:
    env, chance = DiplomacyEnv("fva", EnvSettings(last_year=1901)), Random(1)
    observed, _ = env.reset()
    ended: dict[Any, bool] = {}
    while env.agents:
        observed, _, gone, ended, _ = env.step(act(env, observed, chance))
        assert not any(gone.values())
    assert all(ended.values())
    assert env.position.turn.year == 1902


@pytest.mark.parametrize("number", [-1, 299])
def test_a_number_that_the_mask_forbids_is_refused(number: int) -> None:
    env = DiplomacyEnv()
    env.reset()
    before, action = env.position, idle(env)
    action[0] = number
    with pytest.raises(ActionError, match="expected 0 to"):
        env.step({"AUS": action})
    action[0], action[9] = 0, 1
    with pytest.raises(ActionError, match="expected 0 in all slots"):
        env.step({"AUS": action})
    assert env.position is before


def test_what_is_hidden_is_counted() -> None:
    env = DiplomacyEnv(settings=EnvSettings(width=3))
    _, infos = env.reset()
    possible = possible_orders(env.variant.map, env.position)
    theirs = [orders for unit, orders in possible.items() if unit.power == "FRA"]
    assert infos["FRA"] == {"slots": 3, "hidden": sum(map(len, theirs)) - 9}
    assert [len(slot) for slot in env.choices("FRA")] == [3, 3, 3]


def test_too_few_slots_are_named() -> None:
    with pytest.raises(ActionError, match="RUS needs 4 slots"):
        DiplomacyEnv(settings=EnvSettings(slots=3))


def test_the_board_cannot_be_spoiled() -> None:
    """All agents, and all games, share arrays."""
    observed, _ = DiplomacyEnv().reset()
    seen = observed["FRA"]
    for array in (seen["observation"], *seen["action_mask"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_it_is_drawn_as_text() -> None:
    env = DiplomacyEnv("fva", render_mode="ansi")
    env.reset()
    assert env.render() == (
        "SPR 1901\nAUS 3: A BUD, A VIE, F TRI\nFRA 3: A PAR, F BRE, A MAR"
    )
