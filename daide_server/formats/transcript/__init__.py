"""A game as the DAIDE messages that told it, a line each.

Lines that begin with `#` tell what DAIDE has no message for. Any other is the second
of the game, who said it (`-` is the server), and the message, with tabs between:

    2.000<tab>FRA<tab>SUB ( ( FRA AMY PAR ) MTO BUR )
"""

from .reading import read as read
from .writing import write as write

__all__ = ["read", "write"]
