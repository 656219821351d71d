"""A bot, as its author's type checker sees it. It is checked, not run."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import assert_type

from daide_server.bots import (
    BotEvent,
    Location,
    Map,
    Move,
    Order,
    Phase,
    Position,
    Power,
    PressDelivered,
    Province,
    Report,
    Strategy,
    Submission,
    Unit,
    UnitType,
    View,
    join,
    observe,
    possible_orders,
    rejoin,
)


def orders(view: View) -> list[Order]:
    """Everything in a view has a type, and what a strategy returns is checked."""
    assert_type(view.power, Power)
    assert_type(view.phase, Phase)
    assert_type(view.units, tuple[Unit, ...])
    assert_type(view.surplus, int)
    assert_type(view.map, Map)
    assert_type(view.position, Position)
    assert_type(view.reports, tuple[Report, ...])
    choices = possible_orders(view.map, view.position)
    assert_type(choices, Mapping[Unit, tuple[Order, ...]])
    return [choices[unit][0] for unit in view.units]


STRATEGY: Strategy = orders
PARIS = Unit(Power("FRA"), UnitType.ARMY, Location(Province("PAR")))
MOVE = Move(PARIS, Location(Province("BUR")))
assert_type(MOVE.destination.province, Province)

Move(PARIS, "BUR")  # type: ignore[arg-type]  # a place is a Location
Move(PARIS)  # type: ignore[call-arg]  # it needs one
MOVE.unit = PARIS  # type: ignore[misc]  # values do not change
STRATEGY = len  # type: ignore[assignment]  # it takes a View


async def play() -> None:
    """Play: turns, submissions, events, and a seat that is taken again."""
    async with join("127.0.0.1", 16713, name="MyBot") as game:
        assert_type(game.turns(), AsyncIterator[View])
        async for view in game.turns():
            submission = await game.submit(orders(view))
            assert_type(submission, Submission)
            assert_type(await game.time_left(), int | None)
        async for event in game:
            assert_type(event, BotEvent)
            if isinstance(event, PressDelivered):
                assert_type(event.sender, Power)
                assert_type(event.recipients, tuple[Power, ...])
        passcode = game.known.passcode
        assert_type(passcode, int)
    async with rejoin("127.0.0.1", 16713, power=Power("FRA"), passcode=passcode):
        pass
    async with observe("127.0.0.1", 16713) as seen:
        assert_type(seen.power, Power)
    join("127.0.0.1", 16713)  # type: ignore[call-arg]  # a name is needed


def strategies(known: Sequence[Strategy]) -> Strategy:
    return known[0]
