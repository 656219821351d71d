"""The findings of `replay` and `check` in words; names and terms are dipcc's.

`check` is stricter than any reader: a file that passes the check of its format is also
read and replayed, and positions must follow from orders.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import assert_never

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province
from daide_server.records import replay as differences
from daide_server.records.consequences import Consequences
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.format import FindVariant, Format, RecordFault
from daide_server.records.formats.phase_json import map_names
from daide_server.records.formats.registry import FORMATS, recognise
from daide_server.records.record import RecordError
from daide_server.records.replay import Contrast, Difference, replay

NOTHING = "-"
"""Stands for a missing power (the whole board), or a missing result."""


@frozen
class DifferenceText:
    """A difference in words; a `remark` is a known habit of a recorder, not a fault."""

    phase: str
    power: str
    what: str
    recorded: str
    adjudicated: str
    remark: bool

    def __str__(self) -> str:
        return f"{self.phase} {self.power} {self.problem}"

    @property
    def problem(self) -> str:
        """Return the recorded and the adjudicated value, without phase and power."""
        return f"{self.what}: recorded {self.recorded}, adjudicated {self.adjudicated}"


def difference_text(difference: Difference, board_map: Map) -> DifferenceText:
    """Return the text; raises `FormatError` for a year that no phase name can hold."""
    names, turn = map_names.names_of(board_map), difference.turn
    phase = map_names.COMPLETED_PHASE if turn is None else names.phase_text(turn)
    power, what, recorded, adjudicated = _Words(names).of(difference.contrast)
    called = NOTHING if power is None else names.powers[power]
    return DifferenceText(phase, called, what, recorded, adjudicated, difference.remark)


@frozen
class _Words:
    """The words for the contrasts on one map."""

    names: map_names.Names

    def of(self, contrast: Contrast) -> tuple[Power | None, str, str, str]:
        """Return whom *contrast* concerns, what, and what both sides say of it."""
        match contrast:
            case differences.UnitsDiffer(power, here, there):
                return power, "units", self._units(here), self._units(there)
            case differences.UnitRemoved(unit):
                text = f"*{self.names.unit_text(unit)}"
                return unit.power, text, "removed", "dislodged"
            case differences.CentresDiffer(power, owned, due):
                return power, "centers", self._provinces(owned), self._provinces(due)
            case differences.RetreatsDiffer(unit, recorded, adjudicated):
                what = f"retreats of {self.names.unit_text(unit)}"
                texts = self._places(recorded), self._places(adjudicated)
                return unit.power, what, *texts
            case differences.ConsequencesDiffer(unit, recorded, found):
                what = f"result of {self.names.unit_text(unit)}"
                return unit.power, what, _result(recorded), _result(found)
            case differences.TurnSkipped():
                return None, "phase", "skipped", "played"
            case differences.NextTurnDiffers(turn, other):
                phase = self.names.phase_text
                return None, "next phase", phase(turn), phase(other)
            case differences.SoloNotReached(power):
                return power, "ending", "a solo", "no solo"
            case differences.SoloNotRecorded(power, turn):
                return power, "ending", self.names.phase_text(turn), "a solo"
            case _:
                assert_never(contrast)

    def _units(self, units: Iterable[differences.UnitOnBoard]) -> str:
        return _listed(
            ("*" if each.dislodged else "") + self.names.unit_text(each.unit)
            for each in units
        )

    def _provinces(self, provinces: Iterable[Province]) -> str:
        return _listed(self.names.provinces[each] for each in provinces)

    def _places(self, places: Iterable[Location]) -> str:
        return _listed(map(self.names.location_text, places))


def _result(consequences: Consequences | None) -> str:
    return _listed(
        [NOTHING] if consequences is None else map_names.words_of(consequences)
    )


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(sorted(texts))}]"


MAX_FAULTS = 1000
"""The most faults that are reported for one game."""


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
