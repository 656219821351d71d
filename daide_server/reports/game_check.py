"""Checks a file of a game: lists every fault with its place.

The check of its format, stricter than any reader, comes first. A file that passes is
read and replayed: positions must follow from orders.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from daide_server.formats.errors import FormatError
from daide_server.formats.format import FindVariant, Format, RecordFault
from daide_server.formats.registry import FORMATS, recognise
from daide_server.records.record import RecordError
from daide_server.records.replay import replay

from .difference_text import difference_text

MAX_FAULTS: Final = 1000
"""The most faults that are reported of one game."""


def faults_in(content: bytes, variants: FindVariant) -> list[RecordFault]:
    """Return the faults of the game in *content*, and remarks on it."""
    try:
        form = FORMATS[recognise(content)]
        found = list(islice(form.check(content, variants), MAX_FAULTS))
        return found or list(_found_by_reading(form, content, variants))
    except FormatError as error:
        return [RecordFault("", str(error))]


def _found_by_reading(
    form: Format, content: bytes, variants: FindVariant
) -> Iterator[RecordFault]:
    try:
        record = form.read(content, variants)
        for each in replay(record):
            text = difference_text(each, record.variant.map)
            problem = f"{text.power} {text.problem}"
            yield RecordFault(text.phase, problem, text.remark)
    except (FormatError, RecordError) as error:
        yield RecordFault("", str(error))
