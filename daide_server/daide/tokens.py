"""The tokens of the language: 16 bits, a category and a number in it.

Client-Server Protocol, token tables: the words are in the document's order. The tokens
of powers and provinces depend on the variant (see `vocabulary`). Codes that are used
but not in the document are at the end.
"""

from collections.abc import Mapping
from typing import NewType, TypeVar

Token = NewType("Token", int)
Tokens = tuple[Token, ...]


# --- Categories: the high byte --------------------------------------------------

LAST_NUMBER_CATEGORY = 0x3F
BRACKET_CATEGORY = 0x40
POWER_CATEGORY = 0x41
COAST_CATEGORY = 0x46
COMMAND_CATEGORY = 0x48
PRESS_CATEGORY = 0x4A
TEXT_CATEGORY = 0x4B
FIRST_PROVINCE_CATEGORY = 0x50
LAST_PROVINCE_CATEGORY = 0x57


def category(token: Token) -> int:
    """Return the category of *token*, its high byte."""
    return token >> 8


def is_number(token: Token) -> bool:
    """Return whether *token* is a number."""
    return 0 <= token >> 8 <= LAST_NUMBER_CATEGORY


def is_text(token: Token) -> bool:
    """Return whether *token* is a character of a string."""
    return token >> 8 == TEXT_CATEGORY


def is_power(token: Token) -> bool:
    """Return whether *token* is a power, of this variant or another."""
    return token >> 8 == POWER_CATEGORY


def is_province(token: Token) -> bool:
    """Return whether *token* is a province, of this variant or another."""
    return FIRST_PROVINCE_CATEGORY <= token >> 8 <= LAST_PROVINCE_CATEGORY


# --- Numbers: 14 bits, two's complement -----------------------------------------

MAX_NUMBER = 8191
MIN_NUMBER = -8192
_NUMBER_BITS = 0x3FFF
LAST_PLAYED_YEAR = MAX_NUMBER - 1
"""The last year in any game, because NOW and SMR have the turn after it."""


def number(value: int) -> Token:
    """Return the token of *value*; raises `ValueError` beyond 14 bits."""
    if not MIN_NUMBER <= value <= MAX_NUMBER:
        raise ValueError(f"{value} does not fit the language's numbers of 14 bits")
    return Token(value & _NUMBER_BITS)


def value_of(token: Token) -> int:
    """Return the value of a number token."""
    return token if token <= MAX_NUMBER else token - _NUMBER_BITS - 1


# --- Strings: a token per byte, no quotes, no length ----------------------------

# A byte that is not UTF-8 is read as a private character, U+F780 to U+F7FF, so that
# any string can be logged and stored and still be sent on as it came; those
# characters themselves are read as three such bytes.
_STRAY = 0xF700
_ESCAPED = 0xDC00
_READ: Mapping[int, str] = {
    _ESCAPED + byte: chr(_STRAY + byte) for byte in range(0x80, 0x100)
} | {
    _STRAY + byte: "".join(chr(_STRAY + part) for part in chr(_STRAY + byte).encode())
    for byte in range(0x80, 0x100)
}
_WRITTEN = {_STRAY + byte: _ESCAPED + byte for byte in range(0x80, 0x100)}


def text_tokens(text: str) -> Tokens:
    """Return the tokens of a string: its bytes in UTF-8."""
    data = text.translate(_WRITTEN).encode("utf-8", "surrogateescape")
    return tuple(Token(TEXT_CATEGORY << 8 | byte) for byte in data)


def text_of(tokens: Tokens) -> str:
    """Return the string that text tokens spell."""
    data = bytes(token & 0xFF for token in tokens)
    return data.decode("utf-8", "surrogateescape").translate(_READ)


# --- Words ----------------------------------------------------------------------

_WORDS: Mapping[int, str] = {
    0x4000: "( )",
    # Unit types and orders
    0x4200: "AMY FLT",
    0x4320: "CTO CVY HLD MTO SUP VIA",
    0x4340: "DSB RTO",
    0x4380: "BLD REM WVE",
    # Order notes and order results
    0x4400: "MBV BPR CST ESC FAR HSC NAS NMB NMR NRN NRS NSA NSC NSF NSP",
    0x4410: "NSU NVR NYU YSC",
    0x4500: "SUC BNC CUT DSR FLD NSO RET",
    # Coasts and seasons
    0x4600: "NCS - NEC - ECS - SEC - SCS - SWC - WCS - NWC",
    0x4700: "SPR SUM FAL AUT WIN",
    # Commands and parameters
    0x4800: "CCD DRW FRM GOF HLO HST HUH IAM LOD MAP MDF MIS NME NOT NOW OBS OFF ORD "
    "OUT PRN REJ SCO SLO SND SUB SVE THX TME YES ADM SMR",
    0x4900: "AOA BTL ERR LVL MRT MTL NPB NPR PDA PTL RTL UNO - DSD",
    # Press
    0x4A00: "ALY AND BWX DMZ ELS EXP FCT FOR FWD HOW IDK IFF INS - OCC ORR PCE POB - "
    "PRP QRY SCD SRY SUG THK THN TRY - VSS WHT WHY XDO XOY YDO CHO BCC UNT",
    # Codes that differ between programs, and levels 140 to 160, for which the document
    # has no codes.
    0x4A25: "CCL NAR UHY HPY ANG ROF ULB UUB",
    # Removed from the language, or an extension of one program; clients list them in
    # TRY.
    0x4A0D: "IOU",
    0x4A12: "PPT",
    0x4A1B: "UOM",
    0x4E05: "PRB",
}
"""The words from each code on; a dash is a code without a word."""

MNEMONICS: Mapping[Token, str] = {
    Token(code): word
    for first, words in _WORDS.items()
    for code, word in enumerate(words.split(), first)
    if word != "-"
}
"""The name of each token, as it is printed in texts."""

TOKENS_BY_NAME: Mapping[str, Token] = {name: token for token, name in MNEMONICS.items()}


def named(words: str) -> Tokens:
    """Return the tokens of *words*, which are names with blanks between them."""
    return tuple(TOKENS_BY_NAME[word] for word in words.split())


# Words that the program names

BRA, KET = named("( )")
AMY, FLT = named("AMY FLT")
CTO, CVY, MTO, SUP, VIA, WVE = named("CTO CVY MTO SUP VIA WVE")
MBV, RET = named("MBV RET")
DRW, GOF, HLO, HST, HUH, IAM = named("DRW GOF HLO HST HUH IAM")
MAP, MDF, MIS, NME, NOW = named("MAP MDF MIS NME NOW")
OBS, OFF, ORD, PRN, REJ, SCO = named("OBS OFF ORD PRN REJ SCO")
SLO, SND, SUB, THX = named("SLO SND SUB THX")
YES, ADM, SMR = named("YES ADM SMR")
ERR, MRT, UNO = named("ERR MRT UNO")
AND, FCT, FOR, FWD, ORR, TRY = named("AND FCT FOR FWD ORR TRY")
CCL, NAR, ULB = named("CCL NAR ULB")

# --- Caches: bots send and receive the same orders again and again ----------------

KeyT = TypeVar("KeyT")
CachedT = TypeVar("CachedT")

MAX_ENTRIES = 8192
"""Maximum number of entries of a cache; a full one is emptied before the next."""

MAX_CACHED_TOKENS = 64
"""Maximum tokens of a cached order; only long convoy routes exceed it."""


class BoundedCache(dict[KeyT, CachedT]):
    """A dictionary that clients cannot grow without limit.

    A hit is `dict.get`. `functools.lru_cache` would store every key; a reader stores
    only valid, short orders.
    """

    def store(self, key: KeyT, value: CachedT) -> CachedT:
        """Add the entry and return *value*."""
        if len(self) >= MAX_ENTRIES:
            self.clear()
        self[key] = value
        return value


def is_cacheable(tokens: Tokens) -> bool:
    """Return whether *tokens* are short enough for a cache."""
    return len(tokens) <= MAX_CACHED_TOKENS
