"""Random games, as entries."""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power, Unit, UnitType
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders, Rules
from daide_server.records import entries
from daide_server.records.record import Ending, GameRecord

Play = Callable[..., list[entries.RecordEntry]]
"""Plays a game of chance: the seed, then what `play` takes by name."""

Recorded = Callable[..., GameRecord]
"""Plays one as well, and returns its record."""


class Chance:
    """Players that order at random, and hit each other often enough."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.map = variant.map
        self.dice = random.Random(seed)

    def drawn(self, position: Position) -> Iterator[orders.Order]:
        match position.turn.phase:
            case Phase.MOVEMENT:
                yield from self._movement(position)
            case Phase.RETREATS:
                for unit, places in position.dislodged.items():
                    options: list[orders.Order] = [orders.Disband(unit)]
                    options += (orders.Retreat(unit, at) for at in places)
                    yield self.dice.choice(options)
            case Phase.ADJUSTMENTS:
                for power in self.map.powers:
                    yield from self._adjustments(position, power)

    def _movement(self, position: Position) -> Iterator[orders.Order]:
        moves: dict[Unit, orders.Order] = {}
        for unit in position.units:
            near = self.map.neighbours[unit.type, unit.location]
            moves[unit] = orders.Move(unit, self.dice.choice(near))
        self._convoy(position, moves)
        for unit in position.units:
            if self.dice.random() < 0.6:
                moves[unit] = self._support(unit, moves)
        yield from moves.values()

    def _support(self, unit: Unit, moves: dict[Unit, orders.Order]) -> orders.Order:
        """Return a support of something next to *unit*, if it has nothing to carry."""
        if isinstance(moves[unit], orders.Convoy | orders.ConvoyedMove):
            return moves[unit]
        places = self.map.neighbours[unit.type, unit.location]
        near = {at.province for at in places}
        options: list[orders.Order] = [orders.Hold(unit)]
        for other, order in moves.items():
            if isinstance(order, orders.Move | orders.ConvoyedMove) and other != unit:
                if order.destination.province in near:
                    options.append(orders.SupportMove(unit, other, order.destination))
            elif other.province in near:
                options.append(orders.SupportHold(unit, other))
        return self.dice.choice(options)

    def _convoy(self, position: Position, moves: dict[Unit, orders.Order]) -> None:
        """Let fleets at sea carry an army from one of their coasts to another."""
        at = {unit.province: unit for unit in position.units}
        for fleet in position.units:
            if fleet.type is UnitType.ARMY or fleet.province in self.map.coasts:
                continue
            shores = self.map.neighbours[fleet.type, fleet.location]
            armies = [
                at[place.province]
                for place in shores
                if place.province in at
                and at[place.province].type is UnitType.ARMY
                and isinstance(moves[at[place.province]], orders.Move)
            ]
            goals = [
                self.map.locations[place.province, None]
                for place in shores
                if self.map.can_stand(
                    UnitType.ARMY, self.map.locations[place.province, None]
                )
            ]
            if armies and goals and self.dice.random() < 0.7:
                army, goal = self.dice.choice(armies), self.dice.choice(goals)
                if goal.province != army.province:
                    moves[army] = orders.ConvoyedMove(army, goal, (fleet.province,))
                    moves[fleet] = orders.Convoy(fleet, army, goal)

    def _adjustments(self, position: Position, power: Power) -> Iterator[orders.Order]:
        surplus = position.surplus(power)
        taken = {unit.province for unit in position.units}
        for home in sorted(self.map.homes[power] - taken):
            if surplus > 0 and position.owners.get(home) == power:
                surplus -= 1
                at = self.map.locations[home, None]
                yield orders.Build(self.map.unit(power, UnitType.ARMY, at))
        # One removal is left to civil disorder.
        yield from (
            orders.Remove(unit) for unit in position.units_of(power)[: -surplus - 1]
        )


def _resolved(
    variant: Variant, position: Position, dice: Chance, rules: Rules, seconds: float
) -> tuple[entries.TurnResolved, bool]:
    """Return a turn with random orders, and whether it was won.

    Illegal ones are left out, as if they had been refused, unless *rules* report them.
    """
    given = tuple(dice.drawn(position))
    if rules.illegal_orders is IllegalOrders.FORGOTTEN:
        void = {order for order, _ in adjudicate(variant, position, given, rules).void}
        given = tuple(order for order in given if order not in void)
    result = adjudicate(variant, position, given, rules)
    turn = entries.TurnResolved(position, given, result.reports, result.next, seconds)
    return turn, result.winner is not None


def _alive(powers: tuple[Power, ...], position: Position) -> tuple[Power, ...]:
    """Return those of *powers* that can share a draw, or else all survivors."""
    survivors = dict.fromkeys(unit.power for unit in position.units)
    survivors |= dict.fromkeys(position.owners.values())
    return tuple(power for power in powers if power in survivors) or tuple(survivors)


@pytest.fixture(scope="session")
def play(standard: Variant) -> Play:
    """Return a function that plays a game of chance with press and draw votes."""

    def played(
        seed: int = 1,
        *,
        turns: int = 25,
        rules: Rules = DAIDE_RULES,
        edition: str = "daide",
        ending: Ending = Ending.DRAW,
    ) -> list[entries.RecordEntry]:
        chance = Chance(standard, seed)
        position, seconds = standard.start, 0.0
        aus, eng, fra, *others = standard.map.powers
        told: list[entries.RecordEntry] = [
            entries.Began(standard.name, edition, 20, position, 0.0),
            *(
                entries.Seated(power, "Chance", "1.0", 0.0)
                for power in standard.map.powers
            ),
            entries.PressSent(aus, (eng,), "PRP (PCE (AUS ENG))", 0.5),
            entries.PressSent(eng, (aus, fra), "YES (PRP (PCE (AUS ENG)))", 0.5),
            entries.PressSent(fra, (aus, eng, *others), "PRP (DRW)", 0.75),
            entries.Vacated(eng, 1.0),
            entries.Seated(eng, "Second", "2.1", 1.5),
        ]
        for number in range(turns):
            seconds = 2.0 + number
            turn, won = _resolved(standard, position, chance, rules, seconds)
            told.append(turn)
            position = turn.next
            if won:
                ending = Ending.SOLO
                break
        if ending is Ending.DRAW:
            told += [
                entries.DrawVoted(fra, None, withdrawn=False, seconds=seconds + 0.25),
                entries.DrawVoted(aus, None, withdrawn=True, seconds=seconds + 0.25),
                entries.DrawVoted(
                    fra, (aus, fra), withdrawn=False, seconds=seconds + 0.5
                ),
            ]
        winners = (aus, fra) if ending is Ending.SOLO else _alive((aus, fra), position)
        told.append(entries.Ended(ending, winners, position, seconds + 0.75))
        return told

    return played


@pytest.fixture(scope="session")
def record_of(standard: Variant, play: Play) -> Recorded:
    """Return a function that plays a game of chance and folds its record."""

    @lru_cache(100)
    def recorded(seed: int = 1, **how: object) -> GameRecord:
        return entries.fold(
            play(seed, **how),
            standard,
            game=f"chance-{seed}",
            started=1795253860.37,
            metadata={"seed": str(seed), "server": "test"},
        )

    return recorded
