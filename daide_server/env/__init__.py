"""Environments for learners: games in process, over the judge, without sockets.

`DiplomacyEnv` is a PettingZoo parallel environment (`parallel`), `GameBatch` many games
in arrays of numbers (`batch`). `choosing` says what an action means, `observing` what
is seen, `playing` has one game, `starting` where it begins. Needs the extra `env`:
pip install 'daide-server[env]'. docs/environment.md has an example.
"""

from .batch import GameBatch as GameBatch
from .choosing import ActionError as ActionError
from .parallel import DiplomacyEnv as DiplomacyEnv
from .parallel import parallel_env as parallel_env
from .playing import EnvSettings as EnvSettings
from .starting import StartError as StartError

__all__ = [
    "ActionError",
    "DiplomacyEnv",
    "EnvSettings",
    "GameBatch",
    "StartError",
    "parallel_env",
]
