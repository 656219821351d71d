"""Turns: all that must be ordered, in each phase."""

from collections.abc import Mapping
from typing import Unpack

from attrs import frozen
from msgspec.structs import replace

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.examine import conversation, scene, scene_log, scripted_game
from daide_server.examine.scene import FRESH_ORDERS, SceneGroup, steps

TURNS = SceneGroup("turns", is_shared=True)
RUSSIA = scripted_game.SceneSetup(power=Power("RUS"))
SILENT_TURN_SECONDS = 0.5
RIVALS = "AUS A VIE, TUR A CON, RUS A MOS, ENG F LON, GER A MUN"
DISLODGED = "GER A BUR, FRA A PAR, FRA F MAO, ENG F LON, ITA A PIE"
SEVENTEEN = (
    "FRA A PAR, FRA A MAR, FRA F BRE, FRA A SPA, FRA F POR, FRA A BEL, FRA A HOL, "
    "FRA A KIE, FRA A BER, FRA F DEN, FRA F LON, FRA A LVP, FRA F EDI, FRA A VEN, "
    "FRA A ROM, FRA F NAP, FRA A MUN, AUS A VIE, TUR A CON, RUS A MOS"
)
SEVENTEEN_CENTRES = (
    "PAR MAR BRE SPA POR BEL HOL KIE BER DEN LON LVP EDI VEN ROM NAP MUN"
)


@frozen
class StagedTurn:
    """A position in which the bot has to order something."""

    board: str
    """The season and the units, such as `SPR: FRA A PAR, ENG F LON`."""
    owned: Mapping[str, str] = {}
    retreats: Mapping[str, str] = {}

    def go(self, play: conversation.BotConversation) -> None:
        """Go to the position."""
        season, _, units = self.board.partition(": ")
        turn, placed = Turn(Season(season), play.next_year), units.split(", ")
        play.stage(
            scene.position(play.variant, turn, placed, self.owned, self.retreats)
        )

    async def play(self, play: conversation.BotConversation) -> None:
        """Go to the position, and wait for orders."""
        self.go(play)
        await play.orders()

    async def silently(self, play: conversation.BotConversation) -> None:
        """Go to the position, in which the bot has nothing to order."""
        self.go(play)
        await play.sleep(SILENT_TURN_SECONDS)


def no_coast_missing(log: scene_log.SceneLog) -> scene.SceneFinding:
    """Judge that no order was refused for lack of a coast."""
    if any(each.note.value == "CST" for each in log.refusals):
        return scene.fails("an order without its coast was refused: CST")
    return scene.ordered_legally(log)


def _staged(
    row: str,
    board: str,
    owned: Mapping[str, str] = {},
    retreats: Mapping[str, str] = {},
    judge: scene.JudgeScene = scene.ordered_legally,
    **fields: Unpack[scene.SceneFields],
) -> None:
    TURNS(row, judge, **fields)(StagedTurn(board, owned, retreats).play)


def _france(*owned: str) -> Mapping[str, str]:
    """Return the owners of centres: those of France, then those of England."""
    return dict(zip(("FRA", "ENG"), owned, strict=False))


_staged(
    "spring-moves | orders each unit in spring | MS SUB",
    f"SPR: FRA A PAR, FRA A BUR, FRA F MAO, FRA F ECH, {RIVALS}",
)
_staged(
    "fall-moves | orders each unit in fall | MS SUB",
    f"FAL: FRA A PAR, FRA A GAS, FRA F BRE, {RIVALS}",
)
_staged(
    "many-units | orders all of 17 units | MS SUB",
    f"FAL: {SEVENTEEN}",
    _france(SEVENTEEN_CENTRES),
    judge=scene.ordered,
    fault=11,
)
_staged(
    "convoys | orders armies and fleets that could convoy | MS SUB",
    f"SPR: FRA A BRE, FRA A PIC, FRA F ECH, FRA F NTH, FRA F MAO, {RIVALS}",
)
_staged(
    "coasts | orders fleets on coasts, and beside provinces with two | MS Coasts",
    "SPR: FRA F MAO, FRA F SPA/SC, FRA F GOB, FRA F CON, FRA F STP/NC",
    judge=no_coast_missing,
    fault=13,
)
_staged(
    "retreat-several | retreats or disbands a unit that has a choice | MS SUB",
    f"SUM: {DISLODGED}",
    retreats={"FRA A BUR": "GAS BEL PIC"},
)
_staged(
    "retreat-one | retreats or disbands a unit that has one way out | MS SUB",
    f"AUT: {DISLODGED}",
    retreats={"FRA A BUR": "GAS"},
)
_staged(
    "retreat-none | disbands a unit with MRT ( ) | MS SUB",
    f"SUM: {DISLODGED}",
    retreats={"FRA A BUR": ""},
    control="retreat-several",
    fault=14,
)
_staged(
    "retreats-of-two | orders two dislodged units with one way out in common | MS SUB",
    f"AUT: {DISLODGED}, ITA A MAR",
    retreats={"FRA A BUR": "GAS BEL", "FRA A MAR": "GAS SPA"},
)
_staged(
    "builds | builds or waives twice | MS SUB",
    f"WIN: FRA A SPA, FRA F POR, FRA A BUR, {RIVALS}",
    _france("PAR MAR BRE SPA POR"),
)
_staged(
    "builds-without-sites | waives builds for which there is no site | MS WVE",
    f"WIN: FRA A PAR, FRA A SPA, FRA F MAO, {RIVALS}",
    _france("PAR MAR BRE SPA POR BEL"),
    fault=12,
)
_staged(
    "builds-nowhere | waives when all home centres are occupied | MS WVE",
    f"WIN: FRA A PAR, FRA A MAR, FRA F BRE, {RIVALS}",
    _france("PAR MAR BRE SPA"),
    fault=12,
)
_staged(
    "removals | removes two of four units | MS REM",
    f"WIN: FRA A PAR, FRA A GAS, FRA F MAO, FRA A BUR, {RIVALS}",
    _france("PAR MAR", "BRE"),
)
_staged(
    "removes-the-last | removes its last unit | MS REM",
    f"WIN: FRA A GAS, {RIVALS}",
    _france("", "PAR MAR BRE"),
    # The bot has lost then, and may stop playing.
    is_shared=False,
)
_staged(
    "builds-on-a-coast | builds in St. Petersburg: an army, or a fleet with its "
    "coast | MS BLD",
    "WIN: RUS A MOS, RUS A WAR, RUS F SEV, RUS A RUM, ENG F LON",
    {"RUS": "STP MOS WAR SEV RUM"},
    judge=no_coast_missing,
    setup=RUSSIA,
    fault=13,
)


# Turns in which nothing is due, and eliminations

NOTHING_DUE = StagedTurn(
    "SUM: GER A BUR, FRA A PAR, ENG F LON", retreats={"ITA A BUR": "MAR"}
)
NO_ADJUSTMENT = StagedTurn(
    "WIN: FRA A PAR, FRA A GAS, FRA F BRE, ENG F LON, ENG A YOR",
    _france("PAR MAR BRE", "LON EDI LVP"),
)
NO_UNITS = StagedTurn(f"SPR: {RIVALS}")
ELIMINATED = StagedTurn(f"SPR: {RIVALS}", _france("", "PAR MAR BRE"))
REBUILD = StagedTurn(f"WIN: {RIVALS}", _france("PAR MAR BRE"))


TURNS(
    "nothing-due | continues after a retreat turn that is not its own | MS SUB",
    scene.ordered_legally,
)(steps(NOTHING_DUE.silently, FRESH_ORDERS))

TURNS(
    "no-adjustment | continues after a winter in which it neither builds nor "
    "removes | MS SUB",
    scene.ordered_legally,
)(steps(NO_ADJUSTMENT.silently, FRESH_ORDERS))

TURNS("no-units | continues without units, and builds later | MS SUB", fault=15)(
    steps(NO_UNITS.silently, REBUILD.play)
)


def left_in_order(log: scene_log.SceneLog) -> scene.SceneFinding:
    """Judge that a bot that has lost did not crash; leaving with code 0 differs."""
    if log.exit is not None and log.exit.code != 0:
        return scene.fails(log.exit.text)
    if log.lost is not None or log.exit is not None:
        return scene.differs("left when it was eliminated")
    return scene.passes("stays")


@TURNS(
    "eliminated | stays, or leaves in good order, when it has lost | MS SUB",
    left_in_order,
    fault=15,
    is_shared=False,
)
async def eliminated(play: conversation.BotConversation) -> None:
    """Take all units and centres away, and continue for two turns."""
    play.may_close = True
    await ELIMINATED.silently(play)
    play.end_turn()
    await play.sleep(SILENT_TURN_SECONDS)


@TURNS("years-past-1999 | plays in 1999, 2000 and 2001 | MS NOW", is_shared=False)
async def many_years(play: conversation.BotConversation) -> None:
    """Play turns before and after the year 2000."""
    start = play.variant.start
    for year in (1999, 2000, 2001):
        play.stage(replace(start, turn=replace(start.turn, year=year)))
        await play.orders()
