import pytest

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.phase_json.position_state import read_table
from daide_server.storage.variants import load_variant


def refused(_power: Power, _texts: list[str]) -> None:
    message = "no unit"
    raise FormatError(message)


def test_powers_that_the_board_lacks_may_have_nothing() -> None:
    names = names_of(load_variant("fva").map)
    found: dict[Power, list[str]] = {}
    table: dict[str, list[str]] = {"FRANCE": ["A PAR"], "AUSTRIA": [], "ITALY": []}

    read_table(names, "units", table, found.__setitem__)

    assert found == {"FRA": ["A PAR"]}
    with pytest.raises(FormatError, match=r"^units of 'ITALY': unknown power 'ITALY'"):
        read_table(names, "units", {"ITALY": ["A ROM"]}, refused)


def test_what_is_wrong_is_told_with_the_table_and_the_power() -> None:
    names = names_of(load_variant("standard").map)

    with pytest.raises(FormatError, match=r"^units of 'FRANCE': no unit$"):
        read_table(names, "units", {"FRANCE": ["A PAR"]}, refused)
