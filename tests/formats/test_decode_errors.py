import json

import msgspec
import pytest

from daide_server.formats.errors import FormatError, decoded, expect_utf8
from daide_server.formats.phase_json.shapes import ReadGame

STATE = {"units": {"FRANCE": ["A PAR"]}, "centers": {}}


def told(text: str) -> str:
    """Return what is wrong with the file *text*."""
    with pytest.raises(FormatError) as caught:
        decoded(text, msgspec.json.Decoder(ReadGame))
    return str(caught.value)


def test_the_power_whose_units_are_wrong_is_told() -> None:
    wrong = {**STATE, "units": {"AUSTRIA": [], "FRANCE": ["A PAR", 3], "ITALY": [4]}}
    phases = [{"name": "S1901M", "state": each} for each in (STATE, wrong)]

    assert told(json.dumps({"phases": phases})) == (
        "$.phases[1].state.units['FRANCE'][1]: Expected `str`, got `int`"
    )


def test_every_key_of_a_place_is_told() -> None:
    retreats = {"FRANCE": {"A PAR": []}, "ITALY": {"A ROM": [], "A VEN": [None]}}
    phases = [{"name": "S1901R", "state": {**STATE, "retreats": retreats}}]

    assert told(json.dumps({"phases": phases})) == (
        "$.phases[0].state.retreats['ITALY']['A VEN'][0]: Expected `str`, got `null`"
    )


def test_one_key_of_many_is_found() -> None:
    units: dict[str, object] = {f"POWER {number}": [] for number in range(1000)}
    for at in ("POWER 0", "POWER 499", "POWER 999"):
        state = {**STATE, "units": {**units, at: 3}}
        text = json.dumps({"phases": [{"name": "S1901M", "state": state}]})

        assert f".units['{at}']: Expected `array`" in told(text)


def test_without_keys_the_place_is_what_msgspec_says() -> None:
    assert told('{"phases": 3}') == "$.phases: Expected `array`, got `int`"


def test_what_is_wrong_with_all_of_it_has_no_place() -> None:
    assert told("[]") == "Expected `object`, got `array`"
    assert told("{") == "Input data was truncated"


def test_a_file_that_breaks_off_keeps_its_keys_to_itself() -> None:
    text = json.dumps({"phases": [{"name": "S1901M", "state": {"units": {"A": 3}}}]})

    assert told(text[:-1]).startswith("$.phases[0].state.units[...]: Expected `array`")


@pytest.mark.parametrize(
    "text", [b'{"phases": [], "id": "\xff"}', b'{"phases": "\xff"}']
)
def test_invalid_utf8_has_its_place(text: bytes) -> None:
    place = text.index(b"\xff")

    with pytest.raises(FormatError, match=f"byte {place}: invalid UTF-8"):
        expect_utf8(text)
    with pytest.raises(FormatError):
        decoded(text, msgspec.json.Decoder(ReadGame))
