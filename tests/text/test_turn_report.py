"""What a person is told of a turn: a reason for every order."""

import json

import pytest

from daide_server.board.results import OrderNote
from daide_server.judge.rules import DAIDE_RULES
from daide_server.library.variants import load_variant
from daide_server.text.queries import QueryAdjudicator
from daide_server.text.turn_report import NOTE_TEXTS
from tests.support.boards import by_power


def told(
    orders: str, units: str, phase: str = "S1901M", centers: str = "", **more: object
) -> dict[str, str]:
    """Return the reason for each order that a question has."""
    tables = {"units": units, "centers": centers, "orders": orders}
    question = {key: by_power(texts) for key, texts in tables.items()}
    asked = {"phase": phase, **question, **more}
    reply = QueryAdjudicator(load_variant, DAIDE_RULES).explain(
        json.dumps(asked).encode(), 1
    )
    assert reply.good, reply.text
    lines = reply.text.decode().splitlines()[1:]
    pairs = (line.strip().split("  ", 1) for line in lines if line.startswith("    "))
    return {order: reason.strip() for order, reason in pairs}


SEA = "FRANCE: A BRE, F ENG, A PIC; ENGLAND: F NTH, F LON, A YOR"


@pytest.mark.parametrize(
    ("orders", "order", "reason"),
    [
        ("FRANCE: A BRE - WAL VIA, F ENG C A BRE - WAL", "A BRE - WAL VIA", "moves"),
        ("FRANCE: A BRE - WAL VIA", "A BRE - WAL VIA", "no path"),
        (
            "FRANCE: F ENG - LON",
            "F ENG - LON",
            "bounced by F LON of ENGLAND, which stays: strength 1 against 1",
        ),
        (
            "FRANCE: F ENG - NTH; ENGLAND: F NTH - ENG",
            "F ENG - NTH",
            "bounced by F NTH of ENGLAND, which comes the other way: strength 1",
        ),
        (
            "FRANCE: F ENG - BEL, A PIC S F ENG - BEL; ENGLAND: F NTH - BEL",
            "F NTH - BEL",
            "bounced by F ENG of FRANCE, which goes there as well: strength 1",
        ),
        (
            "FRANCE: A BRE - PIC",
            "A BRE - PIC",
            "bounced by A PIC of FRANCE, which is its own and stays: strength 0",
        ),
        (
            "FRANCE: F ENG S F NTH; ENGLAND: F LON - ENG, F NTH H",
            "F ENG S F NTH",
            "support cut by F LON of ENGLAND",
        ),
        (
            "FRANCE: F ENG S F NTH; ENGLAND: F NTH - HOL",
            "F ENG S F NTH",
            "void: the order is F NTH - HOL",
        ),
        (
            "FRANCE: A BRE - YOR VIA, F ENG C A BRE - YOR",
            "F ENG C A BRE - YOR",
            "void: no fleets with orders to convoy it all the way",
        ),
        ("FRANCE: F ENG - PAR", "F ENG - PAR", "illegal, it cannot get there (FAR)"),
        ("FRANCE: A PIC H, A PIC - PAR", "A PIC H", "replaced by A PIC - PAR"),
        ("", "A PIC", "no order: holds"),
    ],
)
def test_movement(orders: str, order: str, reason: str) -> None:
    found = told(units=SEA, orders=orders)
    assert found[order].startswith(reason)


def test_a_disrupted_convoy_says_where() -> None:
    convoy = "FRANCE: A BRE - WAL VIA, F ENG C A BRE - WAL"
    orders = f"{convoy}; ENGLAND: F NTH - ENG, F LON S F NTH - ENG"
    found = told(units=SEA, orders=orders)
    assert found["A BRE - WAL VIA"] == "convoy disrupted in ENG"
    assert found["F ENG C A BRE - WAL"] == "dislodged by F NTH of ENGLAND"


def test_a_dislodged_unit_is_told_so_whatever_it_did() -> None:
    attack = "ENGLAND: F NTH - ENG, F LON S F NTH - ENG"
    for order in ("F ENG S A BRE", "F ENG - WAL", "F ENG - PAR"):
        found = told(units=f"{SEA}, A WAL", orders=f"FRANCE: {order}; {attack}")
        assert found[order].endswith("; dislodged by F NTH of ENGLAND")
    found = told(units=SEA, orders=attack)
    assert found["F ENG"] == "no order: holds; dislodged by F NTH of ENGLAND"


def test_retreats() -> None:
    found = told(
        phase="F1901R",
        units="ITALY: *A VEN, *A NAP, *F ION, *F TYS",
        retreats={
            "ITALY": {"A VEN": ["APU"], "A NAP": ["APU"], "F ION": ["ADR"], "F TYS": []}
        },
        orders="ITALY: A VEN R APU, A NAP R APU, F ION R ADR",
    )
    assert found == {
        "A VEN R APU": "disbanded: A NAP of ITALY retreats there as well",
        "A NAP R APU": "disbanded: A VEN of ITALY retreats there as well",
        "F ION R ADR": "retreats",
        "F TYS": "no order: disbanded",
    }


def test_adjustments() -> None:
    found = told(
        phase="W1901A",
        units="FRANCE: A PAR, A PIC, F MAO",
        centers="FRANCE: PAR; RUSSIA: MOS, STP",
        orders="FRANCE: A PAR D, A GAS D; RUSSIA: A MOS B, WAIVE",
    )
    assert found == {
        "A PAR D": "removed",
        "A GAS D": "illegal, there is no such unit (NSU)",
        "F MAO": "civil disorder: removed",
        "A MOS B": "built",
        "WAIVE": "waived",
    }


def test_every_note_has_its_words() -> None:
    assert NOTE_TEXTS.keys() == set(OrderNote)
