"""What is wrong with a file: every fault with its place, where reading is lenient.

A file is looked at by the rules of its format first. If it passes, it is read and
replayed: positions must follow from orders.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

import msgspec

from daide_server.board.variant import Variant
from daide_server.formats import FORMATS, recognise
from daide_server.formats.diplobn import checks as diplobn
from daide_server.formats.errors import FormatError
from daide_server.formats.faults import RecordFault
from daide_server.formats.phase_json.checks import game_checks as phases
from daide_server.records.record import RecordError
from daide_server.records.replay import replay

Check = Callable[[dict[str, object], Callable[[str], Variant]], Iterator[RecordFault]]

CHECKS: Final[Mapping[str, Check]] = {"dipcc": phases.faults, "diplobn": diplobn.faults}
"""The format that is recognised to what checks its JSON."""


MOST_FAULTS: Final = 1000
"""Faults that are told of one game: who has more does not read them."""


def faults_in(content: bytes, variants: Callable[[str], Variant]) -> list[RecordFault]:
    """Return what is wrong with the game in *content*; nothing, if it is sound."""
    try:
        form = recognise(content)
        check = CHECKS.get(form)
        found: list[RecordFault] = []
        if check is not None:
            found += islice(check(msgspec.json.decode(content), variants), MOST_FAULTS)
        return found or list(_told_by_reading(form, content, variants))
    except FormatError as error:
        return [RecordFault("", str(error))]


def _told_by_reading(
    form: str, content: bytes, variants: Callable[[str], Variant]
) -> Iterator[RecordFault]:
    try:
        for each in replay(FORMATS[form].read(content, variants)):
            if not each.remark:
                problem = f"recorded {each.recorded}, adjudicated {each.adjudicated}"
                yield RecordFault(each.phase, f"{each.power} {each.what}: {problem}")
    except (FormatError, RecordError) as error:
        yield RecordFault("", str(error))
