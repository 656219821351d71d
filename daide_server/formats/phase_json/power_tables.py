"""Tables of a state or of orders: power by power, as files and questions have them."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError

from .map_names import Names

Told = TypeVar("Told")


def read_table(
    names: Names,
    title: str,
    table: Mapping[str, Told],
    read: Callable[[Power, Told], None],
) -> None:
    """Let *read* take what each power has in *table*, if it has anything.

    Powers that are not on this board may be there, with nothing. What is wrong is
    told with the *title* of the table and the power.
    """
    for text, told in table.items():
        if not told and text in names.absent:
            continue
        # Not `within`: questions pass here thousands of times a second.
        try:
            power = names.power(text)
            if told:
                read(power, told)
        except FormatError as error:
            message = f"{title} of {text!r}: {error}"
            raise FormatError(message) from None
