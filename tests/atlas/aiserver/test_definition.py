"""A Map Definition Message as text becomes the tables of a map file."""

import pytest

from daide_server.atlas.aiserver.definition import Definition, read_message
from daide_server.atlas.checking import AtlasError

GOOD = """MDF (FRA)
(((FRA PAR)) (SEA))
((PAR (AMY) (FLT SEA)) (SEA (FLT PAR)))"""


def read(text: str) -> Definition:
    """Return the definition in *text*."""
    definition = Definition("x.mdf")
    definition.read(read_message(text, "x.mdf", "MDF"))
    return definition


def test_powers_provinces_and_borders_are_read() -> None:
    definition = read(GOOD)

    assert definition.homes == {"FRA": ["PAR"]}
    assert definition.provinces == {
        "PAR": {"centre": True, "army": [], "fleet": ["SEA"]},
        "SEA": {"fleet": ["PAR"]},
    }
    assert definition.lines == {"PAR": 3, "SEA": 3}
    assert definition.faults == []


def test_a_centre_may_be_home_of_several_powers() -> None:
    definition = read(GOOD.replace("(FRA PAR)", "((FRA) PAR)"))

    assert definition.homes == {"FRA": ["PAR"]}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("(SEA))\n", "(SEA SEA))\n", "x.mdf:2: SEA is listed twice"),
        ("(SEA))\n", "())\n", "x.mdf:3: SEA has borders, but is in no list of prov"),
        ("(FRA PAR)", "(GER PAR)", "x.mdf:2: no power is called GER"),
        ("(FLT SEA)", "(FLT SEA XXX)", "x.mdf:3: PAR borders XXX, which is no prov"),
        (" (SEA (FLT PAR))", "", "x.mdf:2: SEA is in a list of provinces, but has no"),
    ],
)
def test_faults_are_reported_and_repaired(old: str, new: str, fault: str) -> None:
    definition = read(GOOD.replace(old, new))

    assert str(definition.faults[0]).startswith(fault)
    assert definition.provinces["SEA"]["fleet"] == ["PAR"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("MDF (FRA)", "expected three groups: powers, provinces, borders"),
        ("MDF (FRA) (((FRA PAR))) ()", "expected two groups: centres, other provinces"),
        ("MDF (FRA) (() ()) (())", "expected a province and its borders"),
        ("MDF (FRA) (() (SEA)) ((SEA (XXX)))", r"expected AMY, FLT or \(FLT and a co"),
        ("MDF (FRA) (() (SEA)) ((SEA ((FLT X))))", "found X, expected a coast: ECS"),
    ],
)
def test_another_structure_is_refused(text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=fault):
        read(text)
