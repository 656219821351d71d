"""The bots of this program: names, summaries, strategies.

Light to import, for help texts: a strategy is imported when its bot plays.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from daide_server.classes import frozen

if TYPE_CHECKING:
    from .view import Strategy


@frozen
class BuiltInBot:
    """A bot; called with its source of chance, it returns its strategy."""

    summary: str
    _strategy: "Callable[[Random], Strategy]"

    def __call__(self, chance: Random) -> "Strategy":
        """Return the strategy."""
        return self._strategy(chance)


def _hold(_: Random) -> "Strategy":
    from . import hold  # noqa: PLC0415 - imported when it plays

    return hold.orders


def _rand(chance: Random) -> "Strategy":
    from . import rand  # noqa: PLC0415 - imported when it plays

    return partial(rand.orders, chance=chance)


def _dumb(chance: Random) -> "Strategy":
    from . import dumb  # noqa: PLC0415 - imported when it plays

    return partial(dumb.orders, chance=chance)


BOTS: Final[Mapping[str, BuiltInBot]] = {
    "hold": BuiltInBot("orders every unit to hold", _hold),
    "rand": BuiltInBot("gives random legal orders", _rand),
    "dumb": BuiltInBot("moves to the provinces it values most, as DumbBot", _dumb),
}
