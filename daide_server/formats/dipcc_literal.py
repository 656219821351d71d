"""dipcc's game JSON as its document says, not as its reader has it.

Messages are an object by time stamp, and every scoring system has its own name:
dipcc itself refuses such a file if it was scored otherwise than by the two it knows.
"""

from typing import Final

from daide_server.records.record import GameRecord

from .phase_json import reading, writing
from .phase_json.dialect import Dialect

DIALECT: Final = Dialect("ALL", stamps=100, keyed_messages=True)

read = reading.read


def write(record: GameRecord) -> str:
    """Return *record* by the document; raise `FormatError` if it cannot hold it."""
    return writing.write(record, DIALECT)
