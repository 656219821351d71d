"""A failing scenario made smaller: with fewer faults, players and years.

What is left is an explicit list of actions, kept as JSON: see `scenario`.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from .scenario import Kind, Scenario
from .simulate import simulate

ATTEMPTS = 200
"""Runs that making one scenario smaller may take: about half a minute."""


def shrink(scenario: Scenario) -> Scenario:
    """Return the smallest scenario found that fails as *scenario* does."""
    kind, left = _kind_of(scenario), ATTEMPTS
    is_smaller = True
    while is_smaller and left > 0:
        is_smaller = False
        for smaller in _smaller(scenario):
            left -= 1
            if _kind_of(smaller) == kind:
                scenario, is_smaller = smaller, True
                break
            if not left:
                break
    return scenario


def _kind_of(scenario: Scenario) -> str:
    """Return what is broken, without the names of who and what; empty: nothing."""
    first = "".join(simulate(scenario).problems[:1])
    return " ".join(word for word in first.split() if word.islower())


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Yield scenarios with less in them, those with much less first."""
    faults = scenario.faults
    size = len(faults)
    while size:
        for at in range(0, len(faults), size):
            yield replace(scenario, faults=faults[:at] + faults[at + size :])
        size //= 2
    limit = scenario.settings["year_limit"]
    for year in range(1901, limit):
        yield replace(scenario, settings={**scenario.settings, "year_limit": year})
    if scenario.splits:
        yield replace(scenario, splits=False)
    steady = Kind.STEADY.value
    for number, player in enumerate(scenario.players):
        if player != steady:
            players = list(scenario.players)
            players[number] = steady
            yield replace(scenario, players=tuple(players))
