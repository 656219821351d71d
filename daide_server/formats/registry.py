"""The formats by name; the format of a file is recognised by its content."""

from collections.abc import Mapping
from typing import Final

from . import dipcc, dipcc_literal, diplobn, diplomacy, tables, transcript
from .errors import FormatError
from .format import Format, top_keys

FORMATS: Final[Mapping[str, Format]] = {
    "dipcc": dipcc.DIPCC,
    "dipcc-literal": dipcc_literal.DIPCC_LITERAL,
    "diplobn": diplobn.DIPLOBN,
    "diplomacy": diplomacy.DIPLOMACY,
    "transcript": transcript.TRANSCRIPT,
}
DEFAULT: Final = "dipcc"

TABLE_FORMATS: Final[Mapping[str, tables.TableFormat]] = {
    "csv": tables.CSV,
    "jsonl": tables.JSON_LINES,
    "parquet": tables.PARQUET,
}


def recognise(content: bytes) -> str:
    """Return the name of the format that reads *content*.

    dipcc's and the `diplomacy` package's files are read alike, as dipcc's. Raises
    `FormatError` if *content* is of no format here.
    """
    by_key: dict[str, str] = {}
    for name, form in FORMATS.items():
        signature = form.recognises
        if signature.key is not None:
            by_key.setdefault(signature.key, name)
        elif content.startswith(signature.beginning):
            return name
    keys = top_keys(content)
    for key, name in by_key.items():
        if key in keys:
            return name
    message = f"found neither {' nor '.join(by_key)}, expected a record of a game"
    raise FormatError(message)
