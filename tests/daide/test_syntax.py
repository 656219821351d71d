from collections.abc import Mapping

import pytest
from attrs import evolve

from daide_server.board.map import Map, Variant
from daide_server.board.map_reading import from_mapping
from daide_server.board.names import Location, Province
from daide_server.board.orders import ConvoyedMove
from daide_server.daide.commands import server_grammar
from daide_server.daide.messages import MapDefinition
from daide_server.daide.server_codecs import read_map, write_map
from daide_server.daide.syntax import OrderReader, OrderWriter, is_turn, parts
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from tests.atlas.boards import isle


@pytest.mark.parametrize("said", ["SPR", "1901 SPR", "SPR SPR", "SPR 1901 1", ""])
def test_tokens_that_are_not_a_turn(said: str) -> None:
    assert not is_turn(from_text(said, Vocabulary.standard()))


VOCABULARY = Vocabulary.standard()
READER = OrderReader(VOCABULARY, None)
WRITER = OrderWriter(VOCABULARY)


def test_an_order_of_unknown_places_is_written_as_it_was_read() -> None:
    tokens = from_text("(0x4109 FLT 0x50FE) MTO (0x50FD NEC)", VOCABULARY)

    assert WRITER.order(READER.order(tokens)) == tokens
    # Once more, from what the writer has kept.
    assert WRITER.order(READER.order(tokens)) == tokens


def test_units_and_places_are_the_maps_own(standard: Variant) -> None:
    """So they are found, in the position and the judge's tables, without comparing."""
    reader = OrderReader(VOCABULARY, standard.map)

    for unit in standard.start.units:
        assert reader.unit(WRITER.unit_within(unit)) is unit
    for place in standard.map.locations.values():
        assert reader.locations(WRITER.location(place)) == (place,)


def test_an_order_without_a_route_is_written_without_one() -> None:
    """Other notations leave the route open; DAIDE does not."""
    unit = READER.unit(from_text("ENG AMY YOR", VOCABULARY))
    order = ConvoyedMove(unit, Location(Province("NWY")), None)

    assert to_text(WRITER.order(order), VOCABULARY) == "( ENG AMY YOR ) CTO NWY"


SKY = {"name": "Sky", "homes": [], "units": []}
ISLAND = from_mapping(
    isle(
        *(("powers BLU homes", ["TWO"]), ("powers BLU owns", [])),
        *(("powers RED owns", ["TWO"]), ("powers SKY", SKY)),
    )
).map
"""A board with an island, a home of two powers, and a power without a home."""


def definition(board_map: Map) -> Tokens:
    return write_map(OrderWriter(Vocabulary.of(board_map)), MapDefinition(board_map))


def facts(board_map: Map) -> Mapping[str, object]:
    return {
        "powers": board_map.powers,
        "provinces": board_map.provinces,
        "centres": board_map.centres,
        "homes": dict(board_map.homes),
        "neighbours": dict(board_map.neighbours),
    }


def read(board_map: Map) -> Map:
    said = parts(definition(board_map))
    return read_map(OrderReader(Vocabulary.of(board_map), None), said).map


def test_the_standard_map_has_the_size_that_servers_send(standard: Variant) -> None:
    assert 2 * len(definition(standard.map)) == 2562


def test_islands_shared_homes_and_powers_without_a_home() -> None:
    """A land ringed by sea has an empty group for armies."""
    text = to_text(definition(ISLAND), Vocabulary.of(ISLAND))

    assert text == (
        "MDF ( RED BLU SKY ) ( ( ( ( RED BLU ) TWO ) ( UNO ILE ONE ) ) ( SEA ) ) "
        "( ( SEA ( FLT ILE ONE ( TWO NCS ) ( TWO SCS ) ) ) "
        "( ILE ( AMY ) ( FLT SEA ) ) ( ONE ( AMY TWO ) ( FLT SEA ) ) "
        "( TWO ( AMY ONE ) ( ( FLT NCS ) SEA ) ( ( FLT SCS ) SEA ) ) )"
    )
    assert facts(read(ISLAND)) == facts(ISLAND)
    assert server_grammar().error_index(definition(ISLAND)) is None


def test_the_groups_may_come_in_any_order(standard: Variant) -> None:
    """Clients and servers go by structure, not by order."""
    vocabulary = Vocabulary.of(standard.map)
    backwards = dict(reversed([*standard.map.neighbours.items()]))
    board_map = evolve(standard.map, neighbours=backwards)
    said = parts(write_map(OrderWriter(vocabulary), MapDefinition(board_map)))

    again = read_map(OrderReader(vocabulary, None), said).map

    assert facts(again) == facts(standard.map)
    assert again.terrain == standard.map.terrain
