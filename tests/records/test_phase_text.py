import pytest

from daide_server.board.turns import Season, Turn
from daide_server.records.errors import FormatError
from daide_server.records.phase_text import long_phase, read_phase

PHASES = [
    ("S1901M", Turn(Season.SPRING, 1901), "SPRING 1901 MOVEMENT"),
    ("s1901r", Turn(Season.SUMMER, 1901), "SPRING 1901 RETREATS"),
    ("Fall 1902", Turn(Season.FALL, 1902), "FALL 1902 MOVEMENT"),
    ("autumn 1902 retreats", Turn(Season.AUTUMN, 1902), "FALL 1902 RETREATS"),
    ("WINTER 1903 ADJUSTMENTS", Turn(Season.WINTER, 1903), "WINTER 1903 ADJUSTMENTS"),
    ("SPRING 0050 MOVEMENT", Turn(Season.SPRING, 50), "SPRING 0050 MOVEMENT"),
    ("SUM 1901", Turn(Season.SUMMER, 1901), "SPRING 1901 RETREATS"),
]


@pytest.mark.parametrize(("text", "turn", "printed"), PHASES)
def test_phases_are_read_and_printed(text: str, turn: Turn, printed: str) -> None:
    assert read_phase(text) == turn
    assert long_phase(turn) == printed
    assert read_phase(printed) == turn


@pytest.mark.parametrize("text", ["", "1901", "SPRING", "WINTER 1901 RETREATS"])
def test_what_is_no_phase_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_phase(text)
