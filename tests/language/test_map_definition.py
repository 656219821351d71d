from collections.abc import Mapping

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.variant import Variant
from daide_server.language.brackets import parts
from daide_server.language.commands import server_grammar
from daide_server.language.map_definition import read_map, write_map
from daide_server.language.order_syntax import OrderReader, OrderWriter
from daide_server.language.text import to_text
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary

RED, TAN, SKY = Power("RED"), Power("TAN"), Power("SKY")
HUB, ISL, OCE = Province("HUB"), Province("ISL"), Province("OCE")


def army(*places: Province) -> tuple[Location, ...]:
    return tuple(map(Location, places))


ISLAND = Map(
    name="island",
    powers=(RED, TAN, SKY),
    provinces=(ISL, OCE, HUB),
    centres=frozenset({HUB}),
    homes={RED: frozenset({HUB}), TAN: frozenset({HUB}), SKY: frozenset()},
    neighbours={
        (UnitType.ARMY, Location(HUB)): (),
        (UnitType.FLEET, Location(HUB, Coast.NORTH)): army(OCE),
        (UnitType.FLEET, Location(HUB, Coast.SOUTH)): army(OCE),
        (UnitType.ARMY, Location(ISL)): (),
        (UnitType.FLEET, Location(ISL)): army(OCE),
        (UnitType.FLEET, Location(OCE)): (
            Location(ISL),
            Location(HUB, Coast.NORTH),
            Location(HUB, Coast.SOUTH),
        ),
    },
)


def definition(board_map: Map) -> Tokens:
    return write_map(board_map, OrderWriter(Vocabulary.of(board_map)))


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
    return read_map(said, OrderReader(Vocabulary.of(board_map), None))


def test_the_standard_map_is_read_as_it_was_written(standard: Variant) -> None:
    assert facts(read(standard.map)) == facts(standard.map)


def test_the_standard_map_has_the_size_that_servers_send(standard: Variant) -> None:
    assert 2 * len(definition(standard.map)) == 2562


def test_islands_shared_homes_and_powers_without_a_home() -> None:
    """A land ringed by sea has an empty group for armies."""
    text = to_text(definition(ISLAND), Vocabulary.of(ISLAND))

    assert text == (
        "MDF ( RED TAN SKY ) ( ( ( ( RED TAN ) HUB ) ) ( ISL OCE ) ) "
        "( ( ISL ( AMY ) ( FLT OCE ) ) "
        "( OCE ( FLT ISL ( HUB NCS ) ( HUB SCS ) ) ) "
        "( HUB ( AMY ) ( ( FLT NCS ) OCE ) ( ( FLT SCS ) OCE ) ) )"
    )
    assert facts(read(ISLAND)) == facts(ISLAND)
    assert server_grammar().error_index(definition(ISLAND)) is None


def test_the_groups_may_come_in_any_order(standard: Variant) -> None:
    """Clients and servers go by structure, not by order."""
    vocabulary = Vocabulary.of(standard.map)
    backwards = Map(
        name="",
        powers=standard.map.powers,
        provinces=standard.map.provinces,
        centres=standard.map.centres,
        homes=standard.map.homes,
        neighbours=dict(reversed(list(standard.map.neighbours.items()))),
    )
    said = parts(write_map(backwards, OrderWriter(vocabulary)))

    again = read_map(said, OrderReader(vocabulary, None))

    assert facts(again) == facts(standard.map)
    assert again.terrain == standard.map.terrain
