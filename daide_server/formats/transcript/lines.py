"""The heads of a transcript's lines, for writing and reading."""

from typing import Final

BEGINNING: Final = "# daide transcript"
FIRST_LINE: Final = f"{BEGINNING} 1"
SERVER: Final = "-"
"""The sender of messages that no power sends: the server."""

GAME: Final = "game"
VARIANT: Final = "variant"
EDITION: Final = "rules"
LEVEL: Final = "level"
STARTED: Final = "started"
ENDING: Final = "ending"
WINNERS: Final = "winners"
ENDED: Final = "ended"
FOREIGN: Final = "foreign"
METADATA: Final = "metadata "
SAID: Final = "said"
"""The heads of the lines that begin with `#`.

`SAID` has press as it was sent, in JSON, before a line whose tokens cannot represent
it.
"""

NO_TIME: Final = "-"
"""Replaces the seconds if the source of a record has no time."""
