"""What people write, and what the `diplomacy` project's syntax makes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Position, Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.lenient_orders import (
    AmbiguousOrderError,
    LenientOrderReader,
    NamedPlace,
    items_in,
    names_on,
)
from daide_server.records.formats.phase_json.map_names import names_of
from tests.support.boards import position
from tests.support.random_games import Recorded

UNITS = (
    "FRANCE: A PAR, A GAS, F MAO, F BRE, A MAR; ENGLAND: A YOR, F NTH, F ENG, F NWG, "
    "A LVP; RUSSIA: F STP/SC, A MOS, A LVN; TURKEY: F CON, A SMY"
)


Texts = tuple[str, ...]


@pytest.fixture(scope="session")
def board(standard: Variant) -> Position:
    return position(standard, "S1901M", UNITS)


def understood(standard: Variant, board: Position, power: str, text: str) -> str:
    order = LenientOrderReader(standard, board).order(text, Power(power))
    return names_of(standard.map).notation.order(order)


MEANT = [
    ("FRA", "A PAR - BUR", "A PAR - BUR"),
    ("FRA", "a par-bur", "A PAR - BUR"),
    ("FRA", "A Paris --> Burgundy", "A PAR - BUR"),
    ("FRA", "army Paris to Burgundy", "A PAR - BUR"),
    ("FRA", "Par -> Burg", "A PAR - BUR"),
    ("FRA", "Paris moves to Burgundy.", "A PAR - BUR"),
    ("FRA", "A PAR \u2013 BUR", "A PAR - BUR"),
    ("FRA", "PAR H", "A PAR H"),
    ("FRA", "A Paris holds", "A PAR H"),
    ("FRA", "Paris", "A PAR H"),
    ("FRA", "A PAR HOLD", "A PAR H"),
    ("FRA", "F BRE S F MAO", "F BRE S F MAO"),
    ("FRA", "Brest supports Mid-Atlantic Ocean", "F BRE S F MAO"),
    ("FRA", "BRE S MAO H", "F BRE S F MAO"),
    (
        "FRA",
        "fleet brest support the fleet mid-atlantic to gascony",
        "F BRE S F MAO - GAS",
    ),
    ("FRA", "A GAS S A MAR - BUR", "A GAS S A MAR - BUR"),
    ("FRA", "Gascony S Marseilles - Burgundy", "A GAS S A MAR - BUR"),
    ("FRA", "A MAR - SPA/NC", "A MAR - SPA"),
    ("FRA", "F MAO - SPA(SC)", "F MAO - SPA/SC"),
    ("FRA", "F Mid-Atlantic Ocean - Spain (south coast)", "F MAO - SPA/SC"),
    ("FRA", "F MAO - Spain south coast", "F MAO - SPA/SC"),
    ("FRA", "F MAO - spa sc", "F MAO - SPA/SC"),
    ("ENG", "A YOR - NWY VIA CONVOY", "A YOR - NWY VIA"),
    ("ENG", "A YOR - NWY via", "A YOR - NWY VIA"),
    ("ENG", "Yorkshire - Norway by convoy", "A YOR - NWY VIA"),
    ("ENG", "A YOR - NTH - NWY", "A YOR - NWY VIA NTH"),
    ("ENG", "Yorkshire - North Sea - Nwg - Norway", "A YOR - NWY VIA NTH NWG"),
    ("ENG", "F NTH C A YOR - NWY", "F NTH C A YOR - NWY"),
    ("ENG", "North Sea convoys Yorkshire to Norway", "F NTH C A YOR - NWY"),
    ("ENG", "F ECH H", "F ENG H"),
    ("ENG", "English Channel - MAO", "F ENG - MAO"),
    ("ENG", "Liv H", "A LVP H"),
    ("RUS", "F STP - BOT", "F STP/SC - BOT"),
    ("RUS", "St. Petersburg(sc) - Gulf of Bothnia", "F STP/SC - BOT"),
    ("RUS", "A MOS S F STP", "A MOS S F STP/SC"),
    ("RUS", "Liv - War", "A LVN - WAR"),
    ("TUR", "F CON - BUL", None),
    ("TUR", "F CON - BUL/EC", "F CON - BUL/EC"),
    ("TUR", "A SMY - ANK", "A SMY - ANK"),
]


@pytest.mark.parametrize(("power", "text", "meant"), MEANT)
def test_orders_as_people_write_them_are_read(
    standard: Variant, board: Position, power: str, text: str, meant: str | None
) -> None:
    if meant is None:
        with pytest.raises(FormatError):
            understood(standard, board, power, text)
        return
    assert understood(standard, board, power, text) == meant


@pytest.mark.parametrize(
    ("power", "text", "candidates"),
    [
        ("FRA", "F MAO - SPA", ("F MAO - SPA/NC", "F MAO - SPA/SC")),
        ("TUR", "F CON - BUL", ("F CON - BUL/EC", "F CON - BUL/SC")),
        ("ENG", "F NWG - Nor", ("F NWG - NAO", "F NWG - NTH", "F NWG - NWY")),
        ("FRA", "A PAR - Liv", ("A PAR - LVN", "A PAR - LVP")),
    ],
)
def test_an_ambiguous_order_is_refused_with_its_meanings(
    standard: Variant, board: Position, power: str, text: str, candidates: Texts
) -> None:
    with pytest.raises(AmbiguousOrderError) as caught:
        understood(standard, board, power, text)

    assert tuple(sorted(caught.value.candidates)) == candidates


def test_every_province_is_found_by_its_title(standard: Variant) -> None:
    names = names_on(standard)
    for province in standard.map.provinces:
        [found] = items_in(standard.titles[province], names)
        assert isinstance(found, NamedPlace)
        assert province in found.provinces


def test_orders_to_build_and_to_remove_are_read(standard: Variant) -> None:
    taken = tuple(u for u in standard.start.units if u.power not in {"RUS", "FRA"})
    winter = replace(standard.start, turn=Turn(Season.WINTER, 1901), units=taken)

    for text, meant in [
        ("build army paris", "A PAR B"),
        ("A PAR", "A PAR B"),
        ("BUILD F BRE", "F BRE B"),
        ("paris", "A PAR B"),
        ("waive", "WAIVE"),
    ]:
        assert understood(standard, winter, "FRA", text) == meant
    assert understood(standard, winter, "RUS", "F STP/NC B") == "F STP/NC B"
    with pytest.raises(AmbiguousOrderError, match="A BRE B, F BRE B"):
        understood(standard, winter, "FRA", "build Brest")
    with pytest.raises(AmbiguousOrderError, match="F STP/NC B, F STP/SC B"):
        understood(standard, winter, "RUS", "build fleet St Petersburg")
    assert understood(standard, winter, "AUS", "remove A Vienna") == "A VIE D"


def test_retreats_may_be_written_as_moves(standard: Variant) -> None:
    dislodged = {"AUSTRIA": {"A SER": ["ALB"]}}
    retreat = position(standard, "S1901R", "", "", dislodged)

    for text in ("A SER R ALB", "Serbia - Albania", "A SER retreats to ALB"):
        assert understood(standard, retreat, "AUS", text) == "A SER R ALB"
    for text in ("A SER D", "disband Serbia", "A Serbia disbands"):
        assert understood(standard, retreat, "AUS", text) == "A SER D"


@pytest.mark.parametrize("text", ["", "hello", "A", "A XYZ H", "- - -", "F", "S S S"])
def test_nonsense_is_refused(standard: Variant, board: Position, text: str) -> None:
    with pytest.raises(FormatError):
        understood(standard, board, "FRA", text)


@given(text=st.text(max_size=30))
def test_any_text_is_read_or_refused(
    standard: Variant, board: Position, text: str
) -> None:
    try:
        order = understood(standard, board, "FRA", text)
    except FormatError:
        return
    assert understood(standard, board, "FRA", order) == order


def test_orders_as_we_print_them_are_read(record_of: Recorded) -> None:
    record = record_of(7, turns=20)
    names = names_of(record.variant.map)
    for turn in record.turns:
        reader = LenientOrderReader(record.variant, turn.position)
        for order in turn.orders:
            if hasattr(order, "unit"):
                text = names.notation.order(order)
                assert reader.order(text.lower(), order.unit.power) == order
