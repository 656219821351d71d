"""DAIDE text as players hear and say it.

The same bytes are heard by all players, and are read once.
"""

import re
from collections import defaultdict
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from daide_server.board.map import Variant
from daide_server.board.names import Location, UnitType
from daide_server.daide import frames
from daide_server.daide.vocabulary import from_text, to_text
from tests.support.peers import WORDS

UNIT = re.compile(
    r"\( (\w{3}) (AMY|FLT) (\w{3}|\( \w{3} \w{3} \))"
    r"( MRT \( ((?:\w{3} |\( \w{3} \w{3} \) )*)\))? \)"
)
"""A unit in NOW, and where it may retreat to."""
PLACE = re.compile(r"\( \w{3} \w{3} \)|\w{3}")
ORDERED = re.compile(r"\( (\w{3} \w{3} (?:\w{3}|\( \w{3} \w{3} \))) \) ")
"""The unit of an order."""
SEASONS = ("SPR", "SUM", "FAL", "AUT", "WIN")
MOVEMENT = ("SPR", "FAL")
BUILDS = "WIN"
DIGITS = (
    "ALB", "BEL", "BUD", "BUL", "CLY", "DEN", "EDI", "FIN", "GRE", "HOL"
)  # fmt: skip
"""Provinces that stand for digits, so that a text of press has a number."""


@lru_cache(10_000)
def spoken(text: str) -> bytes:
    """Return the bytes of a message."""
    return frames.encode_tokens(from_text(text, WORDS))


@lru_cache(10_000)
def heard(body: bytes) -> str:
    """Return a message as text."""
    return to_text(frames.decode_tokens(body), WORDS)


NO_MESSAGE = "frame"
"""Stands for the first word of a frame that is no message."""
Heard = tuple[str, tuple[str, ...]]
"""The first word of messages that follow each other, and those messages."""


@lru_cache(1_000)
def messages_in(data: bytes) -> tuple[list[Heard], bytes]:
    """Return the messages in *data*, and what has come of one that is not whole.

    What is told to all is taken apart once.
    """
    found: list[tuple[str, str]] = []
    start, size, diplomacy = 0, len(data), frames.FrameType.DIPLOMACY.value
    while size >= start + frames.HEADER_SIZE:
        kind, length = frames.HEADER.unpack_from(data, start)
        body = start + frames.HEADER_SIZE
        if size < body + length:
            break
        start = body + length
        if kind == diplomacy:
            text = heard(data[body:start])
            found.append((text[:3], text))
        else:
            found.append((NO_MESSAGE, f"{kind} {data[body:start]!r}"))
    groups = groupby(found, itemgetter(0))
    told = [(word, tuple([text for _, text in group])) for word, group in groups]
    return told, data[start:]


UnitTold = tuple[str, str, list[str]]
"""The kind of a unit, its place, and where it may retreat to."""


@lru_cache(1_000)
def units_told(now: str) -> dict[str, list[UnitTold]]:
    """Return the units in a NOW, by their powers."""
    units: defaultdict[str, list[UnitTold]] = defaultdict(list)
    for power, kind, place, _, places in UNIT.findall(now):
        units[power].append((kind, place, PLACE.findall(places or "")))
    return units


@lru_cache(1_000)
def when(turn: str) -> tuple[int, int]:
    """Return what orders turns by time; of no turn, what comes before all."""
    season, _, year = turn.partition(" ")
    return (int(year), SEASONS.index(season)) if turn else (0, 0)


def unit_of(order: str) -> str:
    """Return the unit that *order* is for."""
    found = ORDERED.match(order)
    assert found is not None, order
    return found[1]


class Board:
    """What players know of a map."""

    def __init__(self, variant: Variant) -> None:
        kinds = {UnitType.ARMY: "AMY", UnitType.FLEET: "FLT"}
        self.homes: Final = variant.map.homes
        self.near: Final = {
            (kinds[kind], _spelt(at)): [_spelt(each) for each in near]
            for (kind, at), near in variant.map.neighbours.items()
        }
        """Where each kind of unit can go from each place, all as DAIDE spells it."""


def _spelt(at: Location) -> str:
    return f"( {at.province} {at.coast.value} )" if at.coast else str(at.province)
