"""Environments for learners: games in process, over the judge, without sockets.

`DiplomacyEnv` is a PettingZoo parallel environment (`parallel`), `GameBatch` many games
in arrays of numbers (`batch`). `env_game` has one game, the meaning of actions and the
start of games, `observing` the observations. Needs an extra: pip install
'daide-server[env]'. docs/environment.md has an example.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .batch import GameBatch as GameBatch
    from .env_game import ActionError as ActionError
    from .env_game import EnvSettings as EnvSettings
    from .env_game import ResetError as ResetError
    from .parallel import DiplomacyEnv as DiplomacyEnv
    from .parallel import parallel_env as parallel_env

_MODULES: Mapping[str, str] = {
    "ActionError": "daide_server.env.env_game",
    "DiplomacyEnv": "daide_server.env.parallel",
    "EnvSettings": "daide_server.env.env_game",
    "GameBatch": "daide_server.env.batch",
    "ResetError": "daide_server.env.env_game",
    "parallel_env": "daide_server.env.parallel",
}
"""The module of each name; it is imported when the name is first used."""

__all__ = list(_MODULES)


def __getattr__(name: str) -> object:
    """Return the export *name*; an error names the packages that it needs."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found: object = getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        message = f"{name} needs {error.name}: pip install 'daide-server[env]'"
        raise ImportError(message) from error
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return what is exported."""
    return sorted(_MODULES)
