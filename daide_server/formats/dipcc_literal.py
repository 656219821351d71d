"""dipcc's game JSON as its document specifies it, where its reader differs.

Messages are an object by time stamp, and every scoring system has its own name:
dipcc itself refuses such a file if it was scored otherwise than by the two it knows.
"""

from typing import Final

from .phase_json.dialect import Dialect
from .phase_json.dialect_format import phase_json_format

_DIALECT: Final = Dialect("ALL", stamps=100, keyed_messages=True)

DIPCC_LITERAL: Final = phase_json_format(_DIALECT)
