"""The formats by name; the format of a file is recognised by its content."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from . import diplobn, transcript
from .errors import FormatError
from .format import Format, top_keys
from .phase_json.dialects import DIPCC, DIPCC_LITERAL, DIPLOMACY

FORMATS: Final[Mapping[str, Format]] = {
    "dipcc": DIPCC,
    "dipcc-literal": DIPCC_LITERAL,
    "diplobn": diplobn.DIPLOBN,
    "diplomacy": DIPLOMACY,
    "transcript": transcript.TRANSCRIPT,
}
DEFAULT: Final = "dipcc"


def likely_format(content: bytes) -> str | None:
    """Return the format of nearly every file with such *content*, without reading it.

    `None`: `recognise` has to look.
    """
    for key, name in _by_key().items():
        if f'"{key}"'.encode() in content:
            return name
    return None


def recognise(content: bytes) -> str:
    """Return the name of the format that reads *content*.

    dipcc's and the `diplomacy` package's files are read alike, as dipcc's. Raises
    `FormatError` if *content* is of no format here.
    """
    for name, form in FORMATS.items():
        signature = form.recognises
        if signature.key is None and content.startswith(signature.beginning):
            return name
    keys, by_key = top_keys(content), _by_key()
    for key, name in by_key.items():
        if key in keys:
            return name
    message = f"found neither {' nor '.join(by_key)}, expected a record of a game"
    raise FormatError(message)


@cache
def _by_key() -> Mapping[str, str]:
    """Return the formats that are JSON, by the key that they have at the top."""
    found: dict[str, str] = {}
    for name, form in FORMATS.items():
        if form.recognises.key is not None:
            found.setdefault(form.recognises.key, name)
    return found
