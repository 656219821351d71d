r"""Messages as text, `PRP ( PCE ( FRA ENG ) )`, for logs, tests and transcripts.

Names are read in upper or lower case. Strings are in single quotes; a backslash
escapes a quote or a backslash; what cannot be printed is `\x0A`, `\u2028` or
`\U000E0001`, its code. The decimal numbers of ULB and UUB have no quotes. A token
without a name is its code, `0x4AFE`. What is logged, kept or shown has 0 in the place
of passcodes (HLO, IAM).
"""

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from daide_server.errors import ReportedError

from .tokens import (
    BRA,
    HLO,
    IAM,
    ULB,
    UUB,
    Token,
    Tokens,
    is_number,
    is_text,
    number,
    text_of,
    text_tokens,
    value_of,
)
from .vocabulary import Vocabulary, code

_FLOAT: Final = r"[-+]?(?:\d*\.\d+|\d+\.|\d+(?=[eE]))(?:[eE][-+]?\d+)?"
_PIECE: Final = re.compile(
    rf"""\s*(?:
        '(?P<string>(?:[^'\\]|\\.)*)'
      | (?P<code>0[xX][0-9a-fA-F]{{4}})(?!\w)
      | (?P<float>{_FLOAT})(?!\w)
      | (?P<number>[-+]?\d+)(?!\w)
      | (?P<word>[A-Za-z]\w*|[()])
    )\s*""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED: Final = re.compile(
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
    is_bound = before[:1] in {(ULB,), (UUB,)} and before[1:2] == (BRA,)
    if is_bound and re.fullmatch(_FLOAT, text):
        return text
    return f"'{''.join(map(_escaped, text))}'" if _has_escapes(text) else f"'{text}'"


def _has_escapes(text: str) -> bool:
    return not text.isprintable() or "'" in text or "\\" in text


def _escaped(character: str) -> str:
    """Return *character* as it is written: what cannot be printed is its code."""
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
        message = f"no word is called {word!r}"
        raise TextError(message)
    return token


# Passcodes

HIDDEN: Final = Token(0)
TOKENS_BEFORE_PASSCODE: Final = 8
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
            tokens[place] = HIDDEN
            return
