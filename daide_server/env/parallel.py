"""Diplomacy as a PettingZoo parallel environment.

All agents act in every turn. One that has nothing to order stays, and its only action
is 0 in all slots; one that is eliminated gets its last results in that step and leaves.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.notation import COMMON
from daide_server.board.orders import Order
from daide_server.judge.resolution import Resolution
from daide_server.library.variants import load_variant

from .env_game import ActionError, EnvGame, EnvSettings, Slot, start_of
from .observing import Bits, BoardObserver

AgentAction: TypeAlias = NDArray[np.int64]
Observation = dict[str, Any]
Info = dict[str, int]
Steps = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, Info],
]


class DiplomacyEnv(ParallelEnv):  # type: ignore[misc] # untyped
    """A game of Diplomacy; its agents are the powers of the board.

    *board* is the name of a board or a variant. An action has a number for each slot
    (see `choices`), and the observation's `action_mask` says which numbers there are.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "daide_server_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        board: str | Variant = "standard",
        settings: EnvSettings | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.variant = load_variant(board) if isinstance(board, str) else board
        self.settings = settings or EnvSettings()
        self.render_mode = render_mode
        self.observer = BoardObserver(self.variant.map)
        self.possible_agents: list[str] = list(self.variant.map.powers)
        self.agents: list[str] = []
        self._chance = np.random.default_rng()
        shape = self.settings.shape(self.variant)
        self.action_spaces = {
            agent: spaces.MultiDiscrete([shape.width] * shape.slots)
            for agent in self.possible_agents
        }
        rows = [spaces.MultiBinary(shape.width)] * shape.slots
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    **self._board_spaces(),
                    "power": spaces.Discrete(len(self.possible_agents)),
                    "action_mask": spaces.Tuple(rows),
                }
            )
            for agent in self.possible_agents
        }
        self._game = EnvGame(self.variant, self.settings, self.variant.start)

    # Agents, spaces and state

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the space of the observations of *agent*, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[AgentAction]:
        """Return the space of the actions of *agent*, always the same object."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The current position."""
        return self._game.position

    @property
    def resolution(self) -> Resolution | None:
        """The results of the orders of the last step, with their reasons."""
        return self._game.resolution

    def choices(self, agent: str) -> tuple[Slot, ...]:
        """Return the orders of each slot of *agent*; an action's number is an index."""
        return self._game.choices.of(Power(agent))

    def action(self, agent: str, orders: Iterable[Order]) -> AgentAction:
        """Return the action that gives *orders*; raises `ActionError` if none does.

        A unit without an order holds or disbands, a build without one is waived.
        """
        return np.array(self._game.choices.numbers(Power(agent), orders))

    # Steps

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin a game where *options* say (`env_game.start_of`), or at the start.

        Raises `ResetError` if no game can begin there, `ActionError` if a power needs
        more slots than its actions have.
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        position = start_of(self.variant, options or {}, self._chance)
        self._game = EnvGame(self.variant, self.settings, position)
        powers, alive = self.variant.map.powers, self._game.alive
        self.agents = [power for power in powers if power in alive]
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, AgentAction]) -> Steps:
        """Adjudicate the orders of all agents.

        The units of an agent without an action get no orders. Raises `ActionError`, and
        changes nothing, if an action is not among the choices.
        """
        game = self._game
        orders: list[Order] = []
        for agent, action in actions.items():
            if agent not in self.agents:
                raise ActionError(f"found an action of {agent!r}, which does not play")
            orders += game.choices.orders(Power(agent), np.asarray(action).tolist())
        game.play(orders)
        gone = dict.fromkeys(self.agents, True)
        if not game.is_over:
            gone = {agent: agent not in game.alive for agent in self.agents}
        truncated = dict.fromkeys(self.agents, game.is_truncated)
        leaving = frozenset(
            Power(agent) for agent in self.agents if gone[agent] or truncated[agent]
        )
        earned = game.rewards(leaving)
        rewards = {agent: earned.get(Power(agent), 0.0) for agent in self.agents}
        results = self._observations(), rewards, gone, truncated, self._infos()
        self.agents = [agent for agent in self.agents if agent not in leaving]
        return results

    # Observations

    def state(self) -> Bits:
        """Return the board as one array."""
        return self.observer.array(self.position)

    def render(self) -> str | None:
        """Return the turn and the units of each power as text (`ansi`)."""
        if self.render_mode is None:
            return None
        position = self.position
        lines = [
            f"{power} {len(position.centres_of(power))}: "
            + ", ".join(map(COMMON.unit, position.units_of(power)))
            for power in self.variant.map.powers
        ]
        return "\n".join((str(position.turn), *lines))

    def _board_spaces(self) -> Mapping[str, spaces.Space[Any]]:
        if self.settings.named:
            return self.observer.named_spaces()
        return {"observation": self.observer.array_space()}

    def _observations(self) -> dict[str, Observation]:
        board: Observation
        if self.settings.named:
            board = dict(self.observer.named(self.position))
        else:
            board = {"observation": self.observer.array(self.position)}
        number, mask = self.variant.map.power_index, self._game.choices.mask
        return {
            agent: {**board, "power": number[agent], "action_mask": mask(agent)}
            for agent in map(Power, self.agents)
        }

    def _infos(self) -> dict[str, Info]:
        """Return the slots that each agent needs, and the number of hidden choices."""
        choices = self._game.choices
        return {
            agent: {
                "slots": len(choices.counts[agent]),
                "hidden": choices.hidden(agent),
            }
            for agent in map(Power, self.agents)
        }


def parallel_env(
    board: str | Variant = "standard", settings: EnvSettings | None = None
) -> DiplomacyEnv:
    """Return an environment; PettingZoo expects a function with this name."""
    return DiplomacyEnv(board, settings)
