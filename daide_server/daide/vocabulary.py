r"""The names of tokens: the vocabulary of a variant, and messages as text.

Clients know the vocabulary of the standard map; a server sends any other one in the
Representation Message. Client-Server Protocol, "Representation Message".

A dialect has other names for tokens whose codes differ between implementations: for
FCT, FOR and FWD the document differs from its author's library; CCL and NAR have two
codes each. A server accepts all of them by their context (see `press`) and
forwards them unchanged. Texts need a dialect.

A text is such as `PRP ( PCE ( FRA ENG ) )`. Names are read in upper or lower case.
Strings are in single quotes; a backslash escapes a quote or a backslash; what cannot be
printed is `\x0A`, `\u2028` or `\U000E0001`, its code. The decimal numbers of ULB and
UUB have no quotes. A token without a name is its code, `0x4AFE`. What is logged, kept
or shown has 0 in the place of passcodes (HLO, IAM).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import groupby
from operator import itemgetter

from attrs import define, evolve

from daide_server.board.map import MAPS_KEPT, Map, Terrain
from daide_server.board.names import Power, Province
from daide_server.errors import ReportedError

from .tokens import (
    FIRST_PROVINCE_CATEGORY,
    HLO,
    IAM,
    MNEMONICS,
    POWER_CATEGORY,
    Token,
    Tokens,
    is_number,
    is_power,
    is_province,
    is_text,
    named,
    number,
    text_of,
    text_tokens,
    value_of,
)

# Dialects

NORMAN = "norman"
"""The dialect of the original server, its library and all programs that use it."""

_OTHER: Mapping[str, Mapping[str, str]] = {
    NORMAN: {},
    # The protocol document; used by the server Parlance and its bots.
    "parlance": {"FCT": "FWD", "FOR": "FCT", "FWD": "FOR"},
    # The Python package `diplomacy` (2019) and programs ported from it.
    "diplomacy": {"CCL": "NAR", "NAR": "CCL"},
}

DIALECTS: Mapping[str, Mapping[Token, str]] = {
    name: {token: other.get(word, word) for token, word in MNEMONICS.items()}
    for name, other in _OTHER.items()
}
"""The name of each token, by dialect."""

# Vocabularies

STANDARD_POWERS = "AUS ENG FRA GER ITA RUS TUR"

STANDARD_PROVINCES: Mapping[int, str] = {
    0x50: "BOH BUR GAL RUH SIL TYR UKR",
    0x51: "BUD MOS MUN PAR SER VIE WAR",
    0x52: "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES",
    0x54: "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR",
    0x55: "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM "
    "SEV SMY SWE TRI TUN VEN",
    0x57: "BUL SPA STP",
}
"""The provinces of the standard map by category, in the order of their numbers."""

_TERRAINS: Mapping[Terrain, int] = {
    Terrain.INLAND: 0b000,
    Terrain.SEA: 0b010,
    Terrain.COASTAL: 0b100,
}
_BICOASTAL = 0b110
_CENTRE = 0b001


@define(eq=False, slots=False)
class Vocabulary:
    """Tokens and names of the powers and provinces of one variant.

    An unknown power or province is named by its code, such as `0x50FE`, so that the
    message can be written back unchanged.
    """

    powers: Mapping[Token, Power]
    provinces: Mapping[Token, Province]
    words: Mapping[Token, str] = MNEMONICS
    """The names of all other tokens, in the dialect of texts."""

    @classmethod
    @cache
    def standard(cls) -> "Vocabulary":
        """Return the vocabulary of the standard map."""
        provinces = [
            (category, name)
            for category, names in STANDARD_PROVINCES.items()
            for name in names.split()
        ]
        return cls(_numbered_powers(STANDARD_POWERS.split()), _numbered(provinces))

    @classmethod
    @lru_cache(MAPS_KEPT)
    def of(cls, board_map: Map) -> "Vocabulary":
        """Return the vocabulary of *board_map*, numbered in its order of provinces.

        Each game asks for it, and each reader and writer of records.
        """
        provinces = [(_category(board_map, name), name) for name in board_map.provinces]
        return cls(_numbered_powers(board_map.powers), _numbered(provinces))

    @classmethod
    def from_representation(cls, entries: Sequence[tuple[Token, str]]) -> "Vocabulary":
        """Return the vocabulary of a Representation Message with *entries*."""
        if not entries:
            return cls.standard()
        return cls(
            {token: Power(name) for token, name in entries if is_power(token)},
            {token: Province(name) for token, name in entries if is_province(token)},
        )

    def renamed(self, entries: Sequence[tuple[Token, str]]) -> "Vocabulary":
        """Return the vocabulary of an RM with *entries*, in the same dialect."""
        return evolve(self.from_representation(entries), words=self.words)

    def in_dialect(self, dialect: str) -> "Vocabulary":
        """Return this vocabulary for texts in *dialect*; raises `KeyError`."""
        words = DIALECTS[dialect]
        if words == self.words:
            return self
        if dialect not in self._dialects:
            self._dialects[dialect] = evolve(self, words=words)
        return self._dialects[dialect]

    @cached_property
    def _dialects(self) -> dict[str, "Vocabulary"]:
        return {}

    @cached_property
    def representation(self) -> tuple[tuple[Token, str], ...]:
        """The entries of the Representation Message; empty for the standard map."""
        standard = Vocabulary.standard()
        if self.powers == standard.powers and self.provinces == standard.provinces:
            return ()
        return (*self.powers.items(), *self.provinces.items())

    @cached_property
    def power_tokens(self) -> Mapping[Power, Token]:
        """The token of each power."""
        return {power: token for token, power in self.powers.items()}

    @cached_property
    def province_tokens(self) -> Mapping[Province, Token]:
        """The token of each province."""
        return {province: token for token, province in self.provinces.items()}

    @cached_property
    def centre_tokens(self) -> Mapping[Province, Token]:
        """The token of each supply centre, in the order of their numbers."""
        tokens = sorted(self.provinces, key=lambda token: token & 0xFF)
        return {self.provinces[each]: each for each in tokens if each >> 8 & _CENTRE}

    @cached_property
    def names(self) -> Mapping[Token, str]:
        """The name of each token in texts, also of numbers; a duplicate is left out.

        If a province and a press token have the same name, the province has it: some
        maps are older than some press tokens.
        """
        named = (*self.powers.items(), *self.provinces.items(), *self.words.items())
        tokens: dict[str, Token] = {}
        for token, name in named:
            if token in MNEMONICS or _is_word(name):
                tokens.setdefault(name.upper(), token)
        return _Names((token, name) for name, token in tokens.items())

    @cached_property
    def tokens(self) -> Mapping[str, Token]:
        """The token of each name in `names`, also of numbers."""
        return _Tokens((name, token) for token, name in self.names.items())

    def power(self, token: Token) -> Power:
        """Return the power of *token*."""
        return self.powers.get(token) or Power(code(token))

    def province(self, token: Token) -> Province:
        """Return the province of *token*."""
        return self.provinces.get(token) or Province(code(token))

    def power_token(self, power: Power) -> Token:
        """Return the token of *power*; raises `ValueError` for an unknown power."""
        return self.power_tokens.get(power) or _from_code(power)

    def province_token(self, province: Province) -> Token:
        """Return the token of *province*; raises `ValueError` for an unknown one."""
        return self.province_tokens.get(province) or _from_code(province)


class _Names(dict[Token, str]):
    """Names of tokens; that of a number is made when it is looked up."""

    def __missing__(self, token: Token) -> str:
        if is_number(token):
            return str(value_of(token))
        raise KeyError(token)


class _Tokens(dict[str, Token]):
    """Tokens by name; raises `ValueError` for a number that is too large."""

    def __missing__(self, name: str) -> Token:
        if name.isdecimal():
            return number(int(name))
        raise KeyError(name)


def code(token: Token) -> str:
    """Return *token* in hexadecimal, such as `0x50FE`."""
    return f"0x{token:04X}"


def _from_code(name: str) -> Token:
    if not name.startswith("0x"):
        raise ValueError(f"the variant has no power or province {name!r}")
    return Token(int(name, 16))


def _numbered_powers(names: Sequence[str]) -> Mapping[Token, Power]:
    return {
        Token(POWER_CATEGORY << 8 | place): Power(name)
        for place, name in enumerate(names)
    }


def _numbered(provinces: Sequence[tuple[int, str]]) -> Mapping[Token, Province]:
    return {
        Token(category << 8 | place): Province(name)
        for place, (category, name) in enumerate(provinces)
    }


def _category(board_map: Map, province: Province) -> int:
    if province in board_map.fixed_numbers:
        return board_map.fixed_numbers[province] >> 8
    kind = _TERRAINS[board_map.terrain[province]]
    if len(board_map.coasts.get(province, ())) > 1:
        kind = _BICOASTAL
    if board_map.is_island(province):
        # As AiServer does. Clients learn from MDF that armies can be on an island.
        kind = _TERRAINS[Terrain.SEA]
    centre = _CENTRE if province in board_map.centres else 0
    return FIRST_PROVINCE_CATEGORY | kind | centre


def _is_word(name: str) -> bool:
    return name.isascii() and name.isalnum() and name[0].isalpha()


# Messages as text

_FLOAT = r"[-+]?(?:\d*\.\d+|\d+\.|\d+(?=[eE]))(?:[eE][-+]?\d+)?"
_BOUNDS = {named("ULB ("), named("UUB (")}
_PIECE = re.compile(
    rf"""\s*(?:
        '(?P<string>(?:[^'\\]|\\.)*)'
      | (?P<code>0[xX][0-9a-fA-F]{{4}})(?!\w)
      | (?P<float>{_FLOAT})(?!\w)
      | (?P<number>[-+]?\d+)(?!\w)
      | (?P<word>[A-Za-z]\w*|[()])
    )\s*""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(
    r"""\\(?:
        x(?P<two>[0-9A-Fa-f]{2})
      | u(?P<four>(?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})
      | U(?P<eight>00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})
      | (?P<itself>.)
    )""",
    re.VERBOSE | re.DOTALL,
)


class TextError(ReportedError, ValueError):
    """A text is not a message; the error gives the position or the unknown name."""


def to_text(tokens: Tokens, vocabulary: Vocabulary) -> str:
    """Return *tokens* as text; `from_text` reads it back."""
    try:
        # Most messages have no strings. All words in one call take two thirds of the
        # time: the journal has each SUB as text.
        if len(tokens) > 1:
            return " ".join(itemgetter(*tokens)(vocabulary.names))
    except KeyError:
        pass
    return " ".join(_pieces(tokens, vocabulary))


def from_text(text: str, vocabulary: Vocabulary) -> Tokens:
    """Return the tokens of *text*; raises `TextError`."""
    try:
        # Without strings, as `to_text` writes it: a tenth of the time, of which the
        # recovery of many games consists.
        tokens = vocabulary.tokens
        return tuple([tokens[word] for word in text.split()])
    except (KeyError, ValueError):
        pass
    found: list[Token] = []
    place = 0
    while place < len(text):
        piece = _PIECE.match(text, place)
        if piece is None:
            message = f"cannot read {text[place : place + 12]!r} at character {place}"
            raise TextError(message)
        found += _tokens(piece, vocabulary)
        place = piece.end()
    return tuple(found)


def _pieces(tokens: Tokens, vocabulary: Vocabulary) -> Iterator[str]:
    place = 0
    for spelt, run in groupby(tokens, is_text):
        same = tuple(run)
        if spelt:
            yield _string(text_of(same), tokens[max(place - 3, 0) : place])
        else:
            yield from (_word(token, vocabulary) for token in same)
        place += len(same)


def _word(token: Token, vocabulary: Vocabulary) -> str:
    if is_number(token):
        return str(value_of(token))
    return vocabulary.names.get(token) or code(token)


def _string(text: str, before: Tokens) -> str:
    is_bound = before[:2] in _BOUNDS
    if is_bound and re.fullmatch(_FLOAT, text):
        return text
    return f"'{''.join(map(_escaped, text))}'" if _has_escapes(text) else f"'{text}'"


def _has_escapes(text: str) -> bool:
    return not text.isprintable() or "'" in text or "\\" in text


def _escaped(character: str) -> str:
    """Return *character* as it is written: an unprintable one as its code."""
    if character in "'\\":
        return f"\\{character}"
    if character.isprintable():
        return character
    point = ord(character)
    if point <= 0xFF:  # noqa: PLR2004 - \u - two digits
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"  # noqa: PLR2004 - \u


def _unescape(found: re.Match[str]) -> str:
    digits = found["two"] or found["four"] or found["eight"]
    return chr(int(digits, 16)) if digits else found["itself"]


def _tokens(piece: re.Match[str], vocabulary: Vocabulary) -> Tokens:
    found = piece[piece.lastgroup or 0]
    match piece.lastgroup:
        case "string":
            return text_tokens(_ESCAPED.sub(_unescape, found))
        case "float":
            return text_tokens(found)
        case "code":
            return (Token(int(found, 16)),)
        case "number":
            return (_number(found),)
        case _:
            return (_named(found, vocabulary),)


def _number(found: str) -> Token:
    try:
        return number(int(found))
    except ValueError as error:
        raise TextError(*error.args) from None


def _named(word: str, vocabulary: Vocabulary) -> Token:
    token = vocabulary.tokens.get(word.upper())
    if token is None:
        raise TextError(f"no word is called {word!r}")
    return token


# Passcodes

TOKENS_BEFORE_PASSCODE = 8
"""A passcode is the first number among this many tokens after HLO or IAM: the power,
the brackets around both, and ERR come before it."""


def without_passcodes(tokens: Tokens) -> Tokens:
    """Return *tokens* with 0 in the place of each passcode."""
    if HLO not in tokens and IAM not in tokens:
        return tokens
    shown = list(tokens)
    for place, token in enumerate(tokens):
        if token in (HLO, IAM):
            _hide(shown, place + 1)
    return tuple(shown)


def _hide(tokens: list[Token], begin: int) -> None:
    for place in range(begin, min(begin + TOKENS_BEFORE_PASSCODE, len(tokens))):
        if is_number(tokens[place]):
            tokens[place] = Token(0)
            return
