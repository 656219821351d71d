"""A server for Diplomacy bots that speak DAIDE.

`daide_server.read` reads recorded games for notebooks; `daide_server.bots` is for bots
in Python. Neither is imported before it is used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .reading import read as read

__version__ = "0.2.0"
__all__ = ["__version__", "read"]


def __getattr__(name: str) -> object:
    """Import what is used for the first time (PEP 562)."""
    if name == "read":
        from .reading import read  # noqa: PLC0415 - commands need not wait for it

        return read
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
