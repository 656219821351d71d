"""The `Format` of a dialect."""

from functools import partial

from daide_server.formats.format import Format, imported, json_with

from .dialect import Dialect
from .writing import write


def phase_json_format(dialect: Dialect) -> Format:
    """Return the format that writes *dialect*; all dialects share reader and checks.

    A server writes records and reads none, so that the writer alone is imported here.
    """
    reading = f"{__package__}.reading"
    return Format(
        write=partial(write, dialect=dialect),
        read=imported(reading, "read"),
        suffix=".json",
        recognises=json_with("phases"),
        check=imported(f"{__package__}.checks.game_checks", "check"),
        read_outline=imported(reading, "read_outline"),
    )
