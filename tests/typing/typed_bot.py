"""A bot, as its author's type checker sees it. It is checked, not run."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import assert_type

from daide_server import bots


def orders(view: bots.View) -> list[bots.Order]:
    """Everything in a view has a type, and what a strategy returns is checked."""
    assert_type(view.power, bots.Power)
    assert_type(view.phase, bots.Phase)
    assert_type(view.units, tuple[bots.Unit, ...])
    assert_type(view.surplus, int)
    assert_type(view.map, bots.Map)
    assert_type(view.position, bots.Position)
    assert_type(view.reports, tuple[bots.Report, ...])
    choices = bots.possible_orders(view.map, view.position)
    assert_type(choices, Mapping[bots.Unit, tuple[bots.Order, ...]])
    return [choices[unit][0] for unit in view.units]


STRATEGY: bots.Strategy = orders
PARIS = bots.Unit(
    bots.Power("FRA"), bots.UnitType.ARMY, bots.Location(bots.Province("PAR"))
)
MOVE = bots.Move(PARIS, bots.Location(bots.Province("BUR")))
assert_type(MOVE.destination.province, bots.Province)

bots.Move(PARIS, "BUR")  # type: ignore[arg-type]  # a place is a Location
bots.Move(PARIS)  # type: ignore[call-arg]  # it needs one
MOVE.unit = PARIS  # type: ignore[misc]  # values do not change
STRATEGY = len  # type: ignore[assignment]  # it takes a View


async def play() -> None:
    """Play: turns, submissions, events, and a seat that is taken again."""
    async with bots.join("127.0.0.1", 16713, name="MyBot") as game:
        assert_type(game.turns(), AsyncIterator[bots.View])
        async for view in game.turns():
            submission = await game.submit(orders(view))
            assert_type(submission, bots.Submission)
            assert_type(await game.time_left(), int | None)
        async for event in game:
            assert_type(event, bots.BotEvent)
            if isinstance(event, bots.PressDelivered):
                assert_type(event.sender, bots.Power)
                assert_type(event.recipients, tuple[bots.Power, ...])
        passcode = game.known.passcode
        assert_type(passcode, int)
    async with bots.rejoin(
        "127.0.0.1", 16713, power=bots.Power("FRA"), passcode=passcode
    ):
        pass
    async with bots.observe("127.0.0.1", 16713) as seen:
        assert_type(seen.power, bots.Power)
    bots.join("127.0.0.1", 16713)  # type: ignore[call-arg]  # a name is needed


def strategies(known: Sequence[bots.Strategy]) -> bots.Strategy:
    return known[0]
