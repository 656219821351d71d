"""Where units can be built."""

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.judge.resolution import free_homes
from tests.judge.scenes import scene


def test_homes_are_free_that_are_owned_and_empty(standard: Variant) -> None:
    position = scene(
        standard,
        "WIN 1901",
        {"FRA": ["A PAR"], "ENG": ["F EDI"]},
        centres={"FRA": ["PAR", "MAR", "BRE", "SPA"], "GER": ["LON"]},
    )
    assert free_homes(standard.map, position, Power("FRA")) == ["BRE", "MAR"]
    assert free_homes(standard.map, position, Power("ENG")) == []
