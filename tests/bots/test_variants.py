"""Games of any variant: a client learns the board from RM and MDF."""

import trio

from daide_server.board.map_reading import from_mapping
from daide_server.board.names import Province, UnitType
from daide_server.bots.client import enter
from daide_server.language.messages import Name
from tests.bots.conftest import Server

BOT = Name("Bot", "1")
NORTH = Province("NOR")
ISLANDS = from_mapping(
    {
        "name": "islands",
        "first_turn": "WIN 1900",
        "powers": {
            "RED": {"name": "Red", "homes": ["NOR"], "units": [], "owns": ["NOR"]},
            "BLU": {"name": "Blue", "homes": ["SOU"], "units": ["F SOU/ECS"]},
        },
        "provinces": {
            "NOR": {"name": "N", "centre": True, "army": ["MID"], "fleet": ["SEA"]},
            "MID": {"name": "M", "army": ["NOR", "SOU"]},
            "SOU": {
                "name": "S",
                "centre": True,
                "army": ["MID"],
                "fleet": {"ECS": ["SEA"], "WCS": ["SEA"]},
            },
            "SEA": {"name": "Sea", "fleet": ["NOR", "SOU/ECS", "SOU/WCS"]},
        },
    }
)


async def test_any_variant_can_be_played() -> None:
    """RM names the provinces and MDF has their borders; units are built in winter."""
    server = Server(ISLANDS)

    async def script() -> None:
        peer = await server.accepts()
        await peer.greets()
        await peer.hears("NME ('Bot') ('1')")
        await peer.says("YES (NME ('Bot') ('1'))", "MAP ('islands')")
        await peer.defines_map()
        await peer.hears("YES (MAP ('islands'))")
        await peer.says("HLO (RED) (1) ((LVL 0))", "SCO (RED NOR) (BLU SOU)")
        await peer.says("NOW (WIN 1900) (BLU FLT (SOU ECS))")
        await peer.hears("SUB (WIN 1900) ((RED FLT NOR) BLD)")
        await peer.says("THX ((RED FLT NOR) BLD) (MBV)", "NOW (SPR 1901) (RED FLT NOR)")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT) as game:
            turns = game.turns()
            view = await anext(turns)
            builds = dict.fromkeys(build.unit.type for build in view.builds_in(NORTH))
            submission = await game.submit(view.builds_in(NORTH)[1:])
            await anext(turns)

    assert list(builds) == [UnitType.ARMY, UnitType.FLEET]
    assert submission.refused == ()
    assert view.map.provinces == ISLANDS.map.provinces
