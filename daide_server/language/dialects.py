"""Dialects: the codes that programs disagree on, by who says them how.

Client-Server Protocol, token table: the document's lines differ from its author's
own library, and CCL and NAR were given codes twice. A server can tell them apart
by what heads what (see `press`) and passes them on untouched; people who read or
write them must say which they mean. All other words are the same to everybody.
"""

from collections.abc import Mapping
from typing import Final

from .tokens import CCL, FCT, FOR, FWD, MNEMONICS, NAR, Token

USUAL: Final = "norman"
"""The dialect of the original server, its library and all programs made with it."""

_OTHER: Final[Mapping[str, Mapping[Token, str]]] = {
    USUAL: {},
    # The protocol document's own lines, followed by one server and its bots.
    "parlance": {FCT: "FWD", FOR: "FCT", FWD: "FOR"},
    # The Python package of 2019 and what was ported from it.
    "diplomacy": {CCL: "NAR", NAR: "CCL"},
}

DIALECTS: Final[Mapping[str, Mapping[Token, str]]] = {
    name: {**MNEMONICS, **other} for name, other in _OTHER.items()
}
"""The words of the language in each dialect."""
