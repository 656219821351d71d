"""The tokens of the language: 16 bits, a category and a number in it.

Client-Server Protocol, token tables: the constants are in the document's order. The
tokens of powers and provinces depend on the variant (see `vocabulary`). Codes that are
used but not in the document are at the end.
"""

from collections.abc import Mapping
from typing import Final, NewType, TypeVar

Token = NewType("Token", int)
Tokens = tuple[Token, ...]


# --- Categories: the high byte --------------------------------------------------

LAST_NUMBER_CATEGORY: Final = 0x3F
BRACKET_CATEGORY: Final = 0x40
POWER_CATEGORY: Final = 0x41
UNIT_TYPE_CATEGORY: Final = 0x42
ORDER_CATEGORY: Final = 0x43
ORDER_NOTE_CATEGORY: Final = 0x44
RESULT_CATEGORY: Final = 0x45
COAST_CATEGORY: Final = 0x46
SEASON_CATEGORY: Final = 0x47
COMMAND_CATEGORY: Final = 0x48
PARAMETER_CATEGORY: Final = 0x49
PRESS_CATEGORY: Final = 0x4A
TEXT_CATEGORY: Final = 0x4B
FIRST_PROVINCE_CATEGORY: Final = 0x50
LAST_PROVINCE_CATEGORY: Final = 0x57


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

MAX_NUMBER: Final = 8191
MIN_NUMBER: Final = -8192
_NUMBER_BITS: Final = 0x3FFF
LAST_PLAYED_YEAR: Final = MAX_NUMBER - 1
"""The last year in any game, because NOW and SMR have the turn after it."""


def number(value: int) -> Token:
    """Return the token of *value*; raises `ValueError` beyond 14 bits."""
    if not MIN_NUMBER <= value <= MAX_NUMBER:
        message = f"{value} does not fit the language's numbers of 14 bits"
        raise ValueError(message)
    return Token(value & _NUMBER_BITS)


def value_of(token: Token) -> int:
    """Return the value of a number token."""
    return token if token <= MAX_NUMBER else token - _NUMBER_BITS - 1


# --- Strings: a token per byte, no quotes, no length ----------------------------

# A byte that is not UTF-8 is read as a private character, U+F780 to U+F7FF, so that
# any string can be logged and stored and still be sent on as it came; those
# characters themselves are read as three such bytes.
_STRAY: Final = 0xF700
_ESCAPED: Final = 0xDC00
_READ: Final[Mapping[int, str]] = {
    _ESCAPED + byte: chr(_STRAY + byte) for byte in range(0x80, 0x100)
} | {
    _STRAY + byte: "".join(chr(_STRAY + part) for part in chr(_STRAY + byte).encode())
    for byte in range(0x80, 0x100)
}
_WRITTEN: Final = {_STRAY + byte: _ESCAPED + byte for byte in range(0x80, 0x100)}


def text_tokens(text: str) -> Tokens:
    """Return the tokens of a string: its bytes in UTF-8."""
    data = text.translate(_WRITTEN).encode("utf-8", "surrogateescape")
    return tuple(Token(TEXT_CATEGORY << 8 | byte) for byte in data)


def text_of(tokens: Tokens) -> str:
    """Return the string that text tokens spell."""
    data = bytes(token & 0xFF for token in tokens)
    return data.decode("utf-8", "surrogateescape").translate(_READ)


# --- Brackets (0x40) ------------------------------------------------------------

BRA: Final = Token(0x4000)
KET: Final = Token(0x4001)

# --- Unit types (0x42) --------------------------------------------------------

AMY: Final = Token(0x4200)
FLT: Final = Token(0x4201)

# --- Orders (0x43) ------------------------------------------------------------

CTO: Final = Token(0x4320)
CVY: Final = Token(0x4321)
HLD: Final = Token(0x4322)
MTO: Final = Token(0x4323)
SUP: Final = Token(0x4324)
VIA: Final = Token(0x4325)
DSB: Final = Token(0x4340)
RTO: Final = Token(0x4341)
BLD: Final = Token(0x4380)
REM: Final = Token(0x4381)
WVE: Final = Token(0x4382)

# --- Order notes (0x44) -------------------------------------------------------

MBV: Final = Token(0x4400)
BPR: Final = Token(0x4401)
CST: Final = Token(0x4402)
ESC: Final = Token(0x4403)
FAR: Final = Token(0x4404)
HSC: Final = Token(0x4405)
NAS: Final = Token(0x4406)
NMB: Final = Token(0x4407)
NMR: Final = Token(0x4408)
NRN: Final = Token(0x4409)
NRS: Final = Token(0x440A)
NSA: Final = Token(0x440B)
NSC: Final = Token(0x440C)
NSF: Final = Token(0x440D)
NSP: Final = Token(0x440E)
NSU: Final = Token(0x4410)
NVR: Final = Token(0x4411)
NYU: Final = Token(0x4412)
YSC: Final = Token(0x4413)

# --- Order results (0x45) -----------------------------------------------------

SUC: Final = Token(0x4500)
BNC: Final = Token(0x4501)
CUT: Final = Token(0x4502)
DSR: Final = Token(0x4503)
FLD: Final = Token(0x4504)
NSO: Final = Token(0x4505)
RET: Final = Token(0x4506)

# --- Coasts (0x46) ------------------------------------------------------------

NCS: Final = Token(0x4600)
NEC: Final = Token(0x4602)
ECS: Final = Token(0x4604)
SEC: Final = Token(0x4606)
SCS: Final = Token(0x4608)
SWC: Final = Token(0x460A)
WCS: Final = Token(0x460C)
NWC: Final = Token(0x460E)

# --- Seasons (0x47) -----------------------------------------------------------

SPR: Final = Token(0x4700)
SUM: Final = Token(0x4701)
FAL: Final = Token(0x4702)
AUT: Final = Token(0x4703)
WIN: Final = Token(0x4704)

# --- Commands (0x48) ----------------------------------------------------------

CCD: Final = Token(0x4800)
DRW: Final = Token(0x4801)
FRM: Final = Token(0x4802)
GOF: Final = Token(0x4803)
HLO: Final = Token(0x4804)
HST: Final = Token(0x4805)
HUH: Final = Token(0x4806)
IAM: Final = Token(0x4807)
LOD: Final = Token(0x4808)
MAP: Final = Token(0x4809)
MDF: Final = Token(0x480A)
MIS: Final = Token(0x480B)
NME: Final = Token(0x480C)
NOT: Final = Token(0x480D)
NOW: Final = Token(0x480E)
OBS: Final = Token(0x480F)
OFF: Final = Token(0x4810)
ORD: Final = Token(0x4811)
OUT: Final = Token(0x4812)
PRN: Final = Token(0x4813)
REJ: Final = Token(0x4814)
SCO: Final = Token(0x4815)
SLO: Final = Token(0x4816)
SND: Final = Token(0x4817)
SUB: Final = Token(0x4818)
SVE: Final = Token(0x4819)
THX: Final = Token(0x481A)
TME: Final = Token(0x481B)
YES: Final = Token(0x481C)
ADM: Final = Token(0x481D)
SMR: Final = Token(0x481E)

# --- Parameters (0x49) --------------------------------------------------------

AOA: Final = Token(0x4900)
BTL: Final = Token(0x4901)
ERR: Final = Token(0x4902)
LVL: Final = Token(0x4903)
MRT: Final = Token(0x4904)
MTL: Final = Token(0x4905)
NPB: Final = Token(0x4906)
NPR: Final = Token(0x4907)
PDA: Final = Token(0x4908)
PTL: Final = Token(0x4909)
RTL: Final = Token(0x490A)
UNO: Final = Token(0x490B)
DSD: Final = Token(0x490D)

# --- Press (0x4A) -------------------------------------------------------------

ALY: Final = Token(0x4A00)
AND: Final = Token(0x4A01)
BWX: Final = Token(0x4A02)
DMZ: Final = Token(0x4A03)
ELS: Final = Token(0x4A04)
EXP: Final = Token(0x4A05)
FCT: Final = Token(0x4A06)
FOR: Final = Token(0x4A07)
FWD: Final = Token(0x4A08)
HOW: Final = Token(0x4A09)
IDK: Final = Token(0x4A0A)
IFF: Final = Token(0x4A0B)
INS: Final = Token(0x4A0C)
OCC: Final = Token(0x4A0E)
ORR: Final = Token(0x4A0F)
PCE: Final = Token(0x4A10)
POB: Final = Token(0x4A11)
PRP: Final = Token(0x4A13)
QRY: Final = Token(0x4A14)
SCD: Final = Token(0x4A15)
SRY: Final = Token(0x4A16)
SUG: Final = Token(0x4A17)
THK: Final = Token(0x4A18)
THN: Final = Token(0x4A19)
TRY: Final = Token(0x4A1A)
VSS: Final = Token(0x4A1C)
WHT: Final = Token(0x4A1D)
WHY: Final = Token(0x4A1E)
XDO: Final = Token(0x4A1F)
XOY: Final = Token(0x4A20)
YDO: Final = Token(0x4A21)
CHO: Final = Token(0x4A22)
BCC: Final = Token(0x4A23)
UNT: Final = Token(0x4A24)

# Codes that differ between programs, and levels 140 to 160, for which the document
# has no codes.
CCL: Final = Token(0x4A25)
NAR: Final = Token(0x4A26)
UHY: Final = Token(0x4A27)
HPY: Final = Token(0x4A28)
ANG: Final = Token(0x4A29)
ROF: Final = Token(0x4A2A)
ULB: Final = Token(0x4A2B)
UUB: Final = Token(0x4A2C)

# Removed from the language, or an extension of one program; clients list them in TRY.
IOU: Final = Token(0x4A0D)
PPT: Final = Token(0x4A12)
UOM: Final = Token(0x4A1B)
PRB: Final = Token(0x4E05)

# --- Names ----------------------------------------------------------------------

MNEMONICS: Final[Mapping[Token, str]] = {
    token: name
    for name, token in tuple(globals().items())
    if len(name) == len("BRA") and name.isupper()
} | {BRA: "(", KET: ")"}
"""The name of each constant above, as it is printed in texts."""

TOKENS_BY_NAME: Final[Mapping[str, Token]] = {
    name: token for token, name in MNEMONICS.items()
}
"""The constant of each name."""


def named(words: str) -> Tokens:
    """Return the tokens of *words*, which are names with blanks between them."""
    return tuple(TOKENS_BY_NAME[word] for word in words.split())


# --- Caches: bots send and receive the same orders again and again ----------------

KeyT = TypeVar("KeyT")
CachedT = TypeVar("CachedT")

MAX_ENTRIES: Final = 8192
"""The most entries of a cache; a full one is emptied before the next entry."""

MAX_CACHED_TOKENS: Final = 64
"""The longest order that is cached; only those with long convoy routes exceed it."""


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
