"""A game as its DAIDE messages, a line each.

Lines that begin with `#` have what DAIDE has no message for. Any other is the second
of the game, the sender (`-` is the server), and the message, with tabs between:

    2.000<tab>FRA<tab>SUB ( ( FRA AMY PAR ) MTO BUR )

`lines` has what is common to `writing` and `reading`; a line that is read becomes an
entry of the journal, and `records.folding` makes the record of them.
"""

from typing import Final

from daide_server.formats.format import Format, Signature

from .lines import BEGINNING
from .reading import read
from .writing import write

TRANSCRIPT: Final = Format(write, read, ".txt", Signature(BEGINNING.encode()))
