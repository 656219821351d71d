"""What a game's runner asks of others."""

from collections.abc import Callable
from typing import Generic, TypeVar

from daide_server.classes import frozen

RunnerT = TypeVar("RunnerT")


def describe_nothing(_: object) -> bytes:
    """Return nothing, for a server without a journal."""
    return b""


@frozen
class RunnerHooks(Generic[RunnerT]):
    """What a game's runner asks of others."""

    on_ended: Callable[[RunnerT], None]
    """Called once, when the game has its result."""
    describe: Callable[[RunnerT], bytes] = describe_nothing
    """Returns how the game was opened, for the journal."""
