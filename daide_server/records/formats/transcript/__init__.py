"""A game as its DAIDE messages, one per line.

Lines that begin with `#` have data for which DAIDE has no message. Any other line has
the time in seconds, the sender (`-` is the server) and the message, separated by tabs:

    2.000<tab>FRA<tab>SUB ( ( FRA AMY PAR ) MTO BUR )

`lines` has what `writing` and `reading` share. `reading` turns lines into entries of a
journal, of which `records.entries` makes the record.
"""

from daide_server.records.formats.format import Format, imported

from .lines import BEGINNING

TRANSCRIPT = Format(
    imported(f"{__name__}.writing", "write"),
    imported(f"{__name__}.reading", "read"),
    ".txt",
    key=None,
    beginning=BEGINNING.encode(),
)
