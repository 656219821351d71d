"""The formats by name; the format of a file is recognised by its content."""

from collections.abc import Mapping

from . import diplobn, transcript
from .errors import FormatError
from .format import Format, top_keys
from .phase_json.dialects import DIPCC, DIPCC_LITERAL, DIPLOMACY

FORMATS: Mapping[str, Format] = {
    "dipcc": DIPCC,
    "dipcc-literal": DIPCC_LITERAL,
    "diplobn": diplobn.DIPLOBN,
    "diplomacy": DIPLOMACY,
    "transcript": transcript.TRANSCRIPT,
}
DEFAULT = "dipcc"


def recognise(content: bytes) -> str:
    """Return the name of the format that reads *content*.

    dipcc's and the `diplomacy` package's files are read alike, as dipcc's. Raises
    `FormatError` if *content* is of no format here.
    """
    for name, form in FORMATS.items():
        if form.key is None and content.startswith(form.beginning):
            return name
    keys = top_keys(content)
    for name, form in FORMATS.items():
        if form.key in keys:
            return name
    known = dict.fromkeys(form.key for form in FORMATS.values() if form.key is not None)
    message = f"found neither {' nor '.join(known)}, expected a record of a game"
    raise FormatError(message)
