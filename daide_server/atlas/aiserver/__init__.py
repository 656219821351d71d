"""The files of a variant of AiServer, the original DAIDE server.

| extension | content |
|---|---|
| .mdf | the Map Definition Message as text: powers, provinces, borders; required |
| .now | the Current Position Message: the first turn and the units |
| .sco | the Supply Centre Ownership Message |
| .rem | the tokens of the Representation Message, one `CODE:NAME` a line |
| .nam | full names, one `TOKEN:Name` or `TOKEN:Name:Adjective` a line |

`tokenizer` splits a message into words and brackets, `definition` reads the .mdf,
`full_names` the .nam; `variant_reader` combines the files, `variant_writer` writes
them. The messages are those of DAIDE's Message Syntax (MDF, NOW, SCO, RM).
"""

from typing import Final

from .variant_reader import read as read
from .variant_writer import write as write

EXTENSIONS: Final[tuple[str, ...]] = ("mdf", "now", "sco", "rem", "nam")
"""The first is required, the others are optional."""
