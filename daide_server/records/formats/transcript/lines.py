"""The heads of a transcript's lines, for writing and reading."""

BEGINNING = "# daide transcript"
FIRST_LINE = f"{BEGINNING} 1"
SERVER = "-"
"""The sender of messages that no power sends: the server."""

GAME = "game"
VARIANT = "variant"
EDITION = "rules"
LEVEL = "level"
STARTED = "started"
ENDING = "ending"
WINNERS = "winners"
ENDED = "ended"
FOREIGN = "foreign"
METADATA = "metadata "
SAID = "said"
"""The heads of the lines that begin with `#`.

`SAID` has press as it was sent, in JSON, before a line whose tokens cannot represent
it.
"""

NO_TIME = "-"
"""Replaces the seconds if the source of a record has no time."""
