"""The kinds of values that only `tournament.toml` has."""

import shlex
from collections.abc import Mapping
from typing import Final

from daide_server.settings.kinds import (
    Kind,
    ValueRefused,
    either,
    number,
    text,
    texts,
    whole,
)
from daide_server.tournament.chance import SEED_BITS

UNITS: Final = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
Variables = tuple[tuple[str, str], ...]
"""Names of variables of the environment, with their values."""
GIBIBYTE: Final = UNITS["GiB"]
MOST_GIBIBYTES: Final = 1_000_000
"""The system takes no limit of 2^63 bytes."""


def _size(value: object) -> int:
    amount, _, unit = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if unit not in UNITS or not amount.isdecimal():
        raise ValueRefused(value)
    most = MOST_GIBIBYTES * GIBIBYTE
    # Python converts no more digits than a few thousand.
    if len(amount) > len(str(most)) or int(amount) * UNITS[unit] > most:
        raise ValueRefused(value)
    return int(amount) * UNITS[unit]


def _size_text(size: int) -> str:
    unit = next(name for name in reversed(UNITS) if size % UNITS[name] == 0)
    return f"{size // UNITS[unit]} {unit}"


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return _without_nul(tuple(shlex.split(value)))
        except ValueError as error:
            raise ValueRefused(value) from error
    return _without_nul(texts("WORDS").read(value))


def _without_nul(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return *words* without the NUL at which the system would end them."""
    if any("\0" in word for word in words):
        raise ValueRefused(words)
    return words


def _variables(value: object) -> Variables:
    if not isinstance(value, Mapping):
        raise ValueRefused(value)
    if not all(isinstance(each, str) for each in value.values()):
        raise ValueRefused(value)
    if not all(name and "=" not in name for name in value):
        raise ValueRefused(value)
    _without_nul((*value, *value.values()))
    return tuple(value.items())


def _chance(value: object) -> float:
    found = number(0, unit="of 1").read(value)
    if not 0 < found < 1:
        raise ValueRefused(value)
    return found


def _list(value: tuple[str, ...]) -> tuple[str, ...]:
    return value


MOST_GAMES: Final = 1_000_000
"""Of a tournament: the plan of a million takes half a minute to look at."""
GAME_COUNT: Final = whole(1, MOST_GAMES)
CHANCE: Final = Kind("a number between 0 and 1", _chance, float, "CHANCE", "of 1")
GIVEN_NAME: Final = text("NAME", "a name")
BYTE_SIZE: Final = Kind(
    f"a size such as 512 MiB or 2 GiB, to {MOST_GIBIBYTES} GiB",
    _size,
    _size_text,
    "SIZE",
)
WORDS: Final = Kind(
    "a command: a text, or a list of its words, with no NUL", _words, _list, "WORDS"
)
NAMES: Final = texts("NAMES")
VARIABLES: Final = Kind(
    "a table of texts by name, with no = in a name and no NUL",
    _variables,
    dict,
    "VARIABLES",
)
TOURNAMENT_SEED: Final = whole(0, (1 << SEED_BITS) - 1, metavar="NUMBER")
ANY_NUMBER: Final = whole(0)
TEXT_OR_NONE: Final = either(text("TEXT"), "", "")
SHARE_OR_NONE: Final = either(number(0, unit="points"), 0.0, None)
RANK_OR_NONE: Final = either(whole(2), 0, None)
ANCHOR_POINTS: Final = 10_000
"""Of an anchor: beyond 100,000, chances to win differ by more than numbers can."""
RATING_OR_NONE: Final = either(
    number(-ANCHOR_POINTS, ANCHOR_POINTS, unit="points"), "", None
)
