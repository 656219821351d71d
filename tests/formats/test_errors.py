import pytest

from daide_server.formats.errors import MAX_MESSAGE, FormatError, shortened, within


def test_what_is_long_is_told_by_its_ends() -> None:
    """The place is at one end, what was expected at the other."""
    message = f"orders: found {'A' * 5_000}, expected 'A PAR - BUR'"

    told = shortened(message)

    assert len(told) == MAX_MESSAGE + len(" ... ")
    assert told.startswith("orders: found AAA")
    assert told.endswith("AAA, expected 'A PAR - BUR'")
    assert str(FormatError(message)) == told


def test_what_is_short_is_told_in_full() -> None:
    message = "x" * MAX_MESSAGE

    assert shortened(message) == message


def test_how_much_is_told_can_be_chosen() -> None:
    assert shortened("0123456789", 4) == "01 ... 89"
    assert shortened("0123", 4) == "0123"


def test_what_is_wrong_is_told_with_its_place() -> None:
    message = "no unit"
    with pytest.raises(FormatError, match=r"^S1901M: no unit$"), within("S1901M"):
        raise FormatError(message)
