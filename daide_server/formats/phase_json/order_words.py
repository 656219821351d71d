"""The words of orders as people write them, and their meanings."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from daide_server.board.map import MAPS_KEPT
from daide_server.board.names import Coast, Province, UnitType
from daide_server.board.notation import COASTS_BY_TEXT
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError

from .map_names import names_of

WORD_FORMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("A", "A.", "ARMY", "F", "F.", "FLEET"), ""),
    **dict.fromkeys(
        ("-", "TO", "MOVE", "MOVES", "ATTACK", "ATTACKS", "MTO", "CTO"), "-"
    ),
    **dict.fromkeys(("H", "HOLD", "HOLDS", "STAND", "STANDS", "HLD"), "H"),
    **dict.fromkeys(("S", "SUP", "SUPPORT", "SUPPORTS"), "S"),
    **dict.fromkeys(("C", "CVY", "CONVOY", "CONVOYS", "TRANSPORTS"), "C"),
    **dict.fromkeys(("R", "RTO", "RETREAT", "RETREATS"), "R"),
    **dict.fromkeys(("D", "DSB", "DISBAND", "DISBANDS", "DESTROY", "REM"), "D"),
    **dict.fromkeys(("REMOVE", "REMOVES", "DISBANDED"), "D"),
    **dict.fromkeys(("B", "BLD", "BUILD", "BUILDS"), "B"),
    **dict.fromkeys(("VIA", "BY"), "VIA"),
    **dict.fromkeys(("THE", "IN", "AT", "UNIT", "INTO", "FROM"), "skip"),
}
"""The meaning of each word; a unit type means itself."""

COAST_WORDS: Final[Mapping[str, Coast]] = {
    **COASTS_BY_TEXT,
    "NORTH": Coast.NORTH,
    "EAST": Coast.EAST,
    "SOUTH": Coast.SOUTH,
    "WEST": Coast.WEST,
}
MIN_PREFIX: Final = 3
_ARROW: Final = re.compile(r"\s*(-+>|=+>|\u2013|\u2014|\u2192|>|-+(?!ATL))\s*")
_SPLIT: Final = re.compile(r"[\s,;]+")
_COAST: Final = re.compile(
    r"\s*[/(]\s*([NSEW])(?:ORTH|OUTH|AST|EST)?\.?\s*(?:C|CS|COAST)?\.?\s*\)?(?=\s|$|[-\u2013\u2014\u2192>])"
    r"|\s+(NORTH|SOUTH|EAST|WEST)(?:ERN)?\s+COAST\b"
    r"|\s+([NSEW])C\b"
)


class NamedPlace(Struct, frozen=True):
    """A place that was named: the provinces it may be, and its coast."""

    provinces: tuple[Province, ...]
    coast: Coast | None


ParsedWord = str | UnitType | NamedPlace


def items_in(text: str, names: Mapping[str, tuple[Province, ...]]) -> list[ParsedWord]:
    """Return the words of *text* with their meaning; raises `FormatError`."""
    plain = _COAST.sub(_marked, text.strip().rstrip(".!").upper())
    words = [w for w in _SPLIT.split(_ARROW.sub(r" - ", plain)) if w]
    items: list[ParsedWord] = []
    while words:
        size, item = _item(words, names, text, first=not items)
        if item != "skip" and not (item == "-" and items[-1:] in (["-"], ["R"])):
            items.append(item)
        del words[:size]
    return items


def _marked(found: re.Match[str]) -> str:
    """Return a coast as `/SC`, however it was written."""
    return f"/{(found[1] or found[2] or found[3])[0]}C "


def _item(
    words: Sequence[str],
    names: Mapping[str, tuple[Province, ...]],
    text: str,
    *,
    first: bool,
) -> tuple[int, ParsedWord]:
    """Return the meaning of the next words, and how many they are."""
    longest = 1 if words[0] in WORD_FORMS else min(len(words), _LONGEST_NAME)
    for size in range(longest, 0, -1):
        if "-" in words[:size] or any("/" in word for word in words[: size - 1]):
            continue
        name, slash, coast = " ".join(words[:size]).partition("/")
        found = names.get(_key(name))
        if found and not (size == 1 and name in WORD_FORMS and first):
            return size, NamedPlace(found, COAST_WORDS.get(coast) if slash else None)
    word = words[0]
    if word in {"WAIVE", "WVE"}:
        return 1, "WAIVE"
    if word in WORD_FORMS:
        if WORD_FORMS[word] == "VIA":
            return (2 if words[1:2] in (["CONVOY"], ["SEA"]) else 1), "VIA"
        return 1, WORD_FORMS[word] or UnitType(word[0])
    name, slash, coast = word.partition("/")
    found = _beginnings(name, names)
    if not found:
        message = f"order {text!r}: found {word!r}, expected a province or a verb"
        raise FormatError(message)
    return 1, NamedPlace(found, COAST_WORDS.get(coast) if slash else None)


_LONGEST_NAME: Final = 4


def _key(name: str) -> str:
    """Return *name* without full stops, hyphens and blanks, which people leave out."""
    return re.sub(r"[^A-Z]", "", name)


def _beginnings(
    name: str, names: Mapping[str, tuple[Province, ...]]
) -> tuple[Province, ...]:
    """Return the provinces whose names begin with *name*."""
    key = _key(name)
    if len(key) < MIN_PREFIX:
        return ()
    found = [each for full, each in names.items() if full.startswith(key)]
    return tuple(dict.fromkeys(place for places in found for place in places))


@lru_cache(MAPS_KEPT)
def names_on(variant: Variant) -> Mapping[str, tuple[Province, ...]]:
    """Return the provinces by their names: dipcc's, DAIDE's, and in full.

    An abbreviation of dipcc wins over one of DAIDE that means another place.
    """
    found: dict[str, tuple[Province, ...]] = {}
    names = names_of(variant.map)
    for place in variant.map.provinces:
        title = _key(variant.titles.get(place, place).upper())
        found.setdefault(title, (place,))
        found.setdefault(title.removesuffix("OCEAN").removesuffix("SEA"), (place,))
    for place in variant.map.provinces:
        found.setdefault(_key(place), (place,))
    found.update({text: (place,) for place, text in names.provinces.items()})
    return found
