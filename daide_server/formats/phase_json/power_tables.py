"""Tables of a state or of orders: power by power, as files and queries have them."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError

from .map_names import Names

Entry = TypeVar("Entry")


def read_table(
    names: Names,
    title: str,
    table: Mapping[str, Entry],
    read: Callable[[Power, Entry], None],
) -> None:
    """Call *read* with each power of *table* and its entry, unless the entry is empty.

    Powers that the variant lacks may have empty entries. The `FormatError`
    of *read* is raised again with the *title* of the table and the power.
    """
    for text, entry in table.items():
        if not entry and text in names.absent:
            continue
        # Not `within`: queries pass here thousands of times a second.
        try:
            power = names.power(text)
            if entry:
                read(power, entry)
        except FormatError as error:
            message = f"{title} of {text!r}: {error}"
            raise FormatError(message) from None
