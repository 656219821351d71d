"""The `Format` of a dialect."""

from functools import partial

from daide_server.formats.format import Format, imported, json_with

from .dialect import Dialect
from .reading import read, read_outline
from .writing import write


def phase_json_format(dialect: Dialect) -> Format:
    """Return the format that writes *dialect*; all dialects share reader and checks."""
    return Format(
        write=partial(write, dialect=dialect),
        read=read,
        suffix=".json",
        recognises=json_with("phases"),
        check=imported(f"{__package__}.checks.game_checks", "check"),
        read_outline=read_outline,
    )
