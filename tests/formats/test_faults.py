from daide_server.formats.errors import MAX_MESSAGE, shortened
from daide_server.formats.format import MAX_SHOWN, RecordFault, shown

LONG = "A" * 10_000


def test_a_value_is_shown_as_it_is_written() -> None:
    assert shown(["A PAR", None]) == "['A PAR', None]"


def test_a_long_value_is_shown_by_its_ends() -> None:
    assert shown(LONG) == shortened(repr(LONG), MAX_SHOWN)
    assert shown(LONG).startswith("'AAA")
    assert shown(LONG).endswith("AAA'")


def test_a_fault_is_no_longer_than_anybody_reads() -> None:
    """Keys are parts of the place, and may be of any length."""
    told = str(RecordFault(f"phases[0].{LONG}", "found 3, expected an object"))

    assert len(told) <= MAX_MESSAGE + len(" ... ")
    assert told.startswith("phases[0].AAA")
    assert told.endswith("AAA: found 3, expected an object")


def test_a_fault_without_a_place_is_its_problem() -> None:
    assert str(RecordFault("", "found nothing")) == "found nothing"
