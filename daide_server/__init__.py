"""A server for Diplomacy bots that speak DAIDE.

`daide_server.read` reads recorded games for notebooks; `daide_server.bots` is for bots
in Python. Neither is imported before it is used. `__init__.pyi` has the types.
"""

from importlib import import_module

__version__ = "0.3.0"

_MODULES = {"read": "daide_server.reading"}


def __getattr__(name: str) -> object:
    """Return an export; its module is imported when it is used (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
