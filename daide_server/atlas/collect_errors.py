"""All that is wrong with the content of a map file, and not only what is met first.

What is wrong is taken out, and the rest is read again, as long as nothing else can
be wrong only because of that.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from daide_server.board.variant import VariantError, from_mapping

MOST: Final = 50
"""How many faults are worth telling at once."""
LISTS: Final = frozenset({"army", "units", "homes"})
NEEDED_BY_OTHERS: Final = frozenset(
    {"name", "first_turn", "powers", "provinces", "fleet", "centre"}
)
KEY_OF_ENTRY: Final = 2
"""Where the keys of a power or a province begin: after the table and its name."""


def errors_in(data: Mapping[str, Any]) -> Iterator[VariantError]:
    """Yield what is wrong with *data*, the content of a map file."""
    rest = deepcopy(dict(data))
    for _ in range(MOST):
        try:
            from_mapping(rest)
        except VariantError as error:
            yield error
            if not _taken_out(rest, error.keys):
                return
        else:
            return


def _taken_out(data: dict[str, Any], keys: tuple[str, ...]) -> bool:
    """Take out what *keys* lead to; return whether that could be done."""
    if not NEEDED_BY_OTHERS.isdisjoint(keys[KEY_OF_ENTRY:] or keys):
        return False
    table: Any = data
    for key in keys[:-1]:
        table = table.get(key) if isinstance(table, dict) else None
    last = keys[-1] if keys else ""
    if not isinstance(table, dict) or last not in table:
        return False
    if last in LISTS and table[last] != []:
        table[last] = []
    else:
        del table[last]
    return True
