"""A game as its DAIDE messages, one per line.

Lines that begin with `#` have data for which DAIDE has no message. Any other line has
the time in seconds, the sender (`-` is the server) and the message, separated by tabs:

    2.000<tab>FRA<tab>SUB ( ( FRA AMY PAR ) MTO BUR )

The heads of the lines are here, for `writing` and `reading`. `reading` turns lines into
entries of a record, which `records.entries.fold` joins.
"""

from daide_server.records.formats.format import Format, imported

BEGINNING = "# daide transcript"
FIRST_LINE = f"{BEGINNING} 1"
SERVER = "-"
"""The sender of messages that no power sends: the server."""
NO_TIME = "-"
"""Replaces the seconds if the source of a record has no time."""

# The heads of the lines that begin with `#`

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
"""Press as it was sent, in JSON, before a line whose tokens cannot represent it."""

TRANSCRIPT = Format(
    imported(f"{__name__}.writing", "write"),
    imported(f"{__name__}.reading", "read"),
    ".txt",
    key=None,
    beginning=BEGINNING.encode(),
)
