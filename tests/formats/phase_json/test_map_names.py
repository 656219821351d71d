import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.orders import ConvoyedMove, Move, SupportHold, Waive
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.order_texts import MAX_ORDER_LENGTH

FRANCE = Power("FRA")


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def test_powers_have_their_long_names(names: Names) -> None:
    assert names.power("AUSTRIA") == "AUS"
    assert list(names.powers.values())[:2] == ["AUSTRIA", "ENGLAND"]


@pytest.mark.parametrize("ours", ["ENG", "austria", "Austria", "SERVER", ""])
def test_other_names_of_powers_are_unknown(names: Names, ours: str) -> None:
    with pytest.raises(FormatError, match=r"unknown power .*, expected one of AUSTRIA"):
        names.power(ours)


@pytest.mark.parametrize(
    ("daide", "dipcc"), [("ECH", "ENG"), ("GOB", "BOT"), ("GOL", "LYO")]
)
def test_three_seas_are_spelled_otherwise(names: Names, daide: str, dipcc: str) -> None:
    location = Location(Province(daide))

    assert names.location_text(location) == dipcc
    assert names.location(dipcc) == location
    with pytest.raises(FormatError, match=f"unknown place '{daide}'"):
        names.location(daide)


def test_a_map_without_those_seas_keeps_its_names() -> None:
    sea, land = Location(Province("ENG")), Location(Province("ECH"))
    fleet = UnitType.FLEET
    board_map = Map(
        name="small",
        powers=(Power("ONE"),),
        provinces=(sea.province, land.province),
        centres=frozenset({land.province}),
        homes={Power("ONE"): frozenset({land.province})},
        neighbours={(fleet, sea): (land,), (fleet, land): (sea,)},
    )
    names = names_of(board_map)

    assert names.location_text(land) == "ECH"
    assert names.location("ENG") == sea
    assert names.power("ONE") == "ONE"


def test_a_fleet_on_a_coast_is_written_with_two_letters(
    names: Names, standard: Variant
) -> None:
    fleet = standard.map.unit(
        Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH)
    )

    assert names.unit_text(fleet) == "F STP/SC"
    assert names.unit(Power("RUS"), "F STP/SC") is fleet


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A ENG", "an army cannot stand there"),
        ("F PAR", "a fleet cannot stand there"),
        ("F STP", "a fleet needs a coast"),
        ("A STP/NC", "an army cannot stand there"),
        ("A XXX", "found, expected such as"),
        ("PAR", "found, expected such as"),
        ("a par", "found, expected such as"),
    ],
)
def test_a_unit_that_cannot_be_is_refused(names: Names, text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        names.unit(FRANCE, text)
    assert repr(text) in str(caught.value)


def test_a_centre_is_told_from_other_places(names: Names) -> None:
    assert names.centre("PAR") == "PAR"
    with pytest.raises(FormatError, match="not a supply centre: 'BUR'"):
        names.centre("BUR")
    with pytest.raises(FormatError, match="unknown: 'STP/NCS'"):
        names.centre("STP/NCS")


def test_a_route_is_not_written(names: Names, standard: Variant) -> None:
    army = standard.map.unit(Power("ENG"), UnitType.ARMY, Location(Province("LON")))
    to = Location(Province("NWY"))

    assert names.order_text(ConvoyedMove(army, to, (Province("NTH"),))) == (
        names.order_text(ConvoyedMove(army, to, None))
    )
    assert names.order_text(ConvoyedMove(army, to, None)) == "A LON - NWY VIA"


def test_the_power_of_a_supported_unit_is_looked_up(
    names: Names, standard: Variant
) -> None:
    at = {unit.province: unit for unit in standard.start.units}
    munich = at[Province("MUN")]

    order = names.order("A PAR S A MUN", FRANCE, at, Phase.MOVEMENT)

    assert order == SupportHold(at[Province("PAR")], munich)
    assert munich.power == "GER"
    elsewhere = names.order("A PAR S A MUN", FRANCE, {}, Phase.MOVEMENT)
    assert isinstance(elsewhere, SupportHold)
    assert elsewhere.supported.power == FRANCE


def test_the_channel_is_a_sea_among_orders_too(names: Names, standard: Variant) -> None:
    at = {unit.province: unit for unit in standard.start.units}

    order = names.order("F BRE - ENG", FRANCE, at, Phase.MOVEMENT)

    assert order == Move(at[Province("BRE")], Location(Province("ECH")))


def test_waives_are_read(names: Names) -> None:
    assert names.order("WAIVE", FRANCE, {}, Phase.ADJUSTMENTS) == Waive(FRANCE)


def test_what_is_no_order_is_quoted(names: Names) -> None:
    with pytest.raises(FormatError, match="order 'A PAR X': found"):
        names.order("A PAR X", FRANCE, {}, Phase.MOVEMENT)


def test_a_text_of_any_length_is_no_order(names: Names) -> None:
    """Nor is it kept, as the orders that were read are."""
    text = "A PAR S A " + "X" * MAX_ORDER_LENGTH
    with pytest.raises(FormatError, match="found 410 characters, expected 400 at most"):
        names.order(text, FRANCE, {}, Phase.MOVEMENT)


@given(season=st.sampled_from(Season), year=st.integers(1000, 9999))
def test_phase_names_round_trip(season: Season, year: int) -> None:
    turn = Turn(season, year)

    assert phase_turn(Names.phase_text(turn)) == turn


@pytest.mark.parametrize("year", [0, 950, 10000])
def test_years_that_no_reader_takes_are_refused(year: int) -> None:
    with pytest.raises(FormatError, match=f"year {year}: .* 1000 to 9999"):
        Names.phase_text(Turn(Season.SPRING, year))


@pytest.mark.parametrize(
    "text",
    ["", "S", "S1901", "S1901A", "W1901M", "S190M", "S0950M", "S-901M", "S19_1M",
     "S\u0661\u0669\u0660\u0661M", "s1901m", "COMPLETED"],
)  # fmt: skip
def test_what_is_no_phase_is_quoted(text: str) -> None:
    with pytest.raises(FormatError, match="expected a phase such as 'S1901M'"):
        phase_turn(text)
