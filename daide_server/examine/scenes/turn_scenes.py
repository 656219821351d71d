"""Turns: all that must be ordered, in each phase."""

from collections.abc import Mapping
from typing import Final

from attrs import evolve
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.classes import frozen
from daide_server.examine.bot_scene import (
    BotScene,
    JudgeScene,
    PlayScene,
    SceneFinding,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import SceneLog
from daide_server.examine.scene_setup import USUAL_SETUP, SceneSetup

from .playing_on import dislodged, ordered, ordered_legally, position

GROUP_OF_TURNS: Final = "turns"
RUSSIA: Final = SceneSetup(power=Power("RUS"))
RIVALS: Final = ("AUS A VIE", "TUR A CON", "RUS A MOS", "ENG F LON", "GER A MUN")
SEVENTEEN: Final = (
    *("FRA A PAR", "FRA A MAR", "FRA F BRE", "FRA A SPA", "FRA F POR", "FRA A BEL"),
    *("FRA A HOL", "FRA A KIE", "FRA A BER", "FRA F DEN", "FRA F LON", "FRA A LVP"),
    *("FRA F EDI", "FRA A VEN", "FRA A ROM", "FRA F NAP", "FRA A MUN"),
    *("AUS A VIE", "TUR A CON", "RUS A MOS"),
)
SEVENTEEN_CENTRES: Final = (
    "PAR MAR BRE SPA POR BEL HOL KIE BER DEN LON LVP EDI VEN ROM NAP MUN"
)


@frozen(kw_only=True)
class StagedTurn:
    """A position in which the bot has to order something."""

    name: str
    expected: str
    season: str
    units: tuple[str, ...]
    owned: Mapping[str, str] = {}
    retreats: Mapping[str, str] = {}
    section: str = "MS SUB"
    fault: int | None = None
    control: str = "second-turn"
    judge: JudgeScene = ordered_legally
    setup: SceneSetup = USUAL_SETUP
    is_shared: bool = True

    def scene(self) -> BotScene:
        """Return the scene of the position."""
        return BotScene(
            name=self.name,
            group=GROUP_OF_TURNS,
            expected=self.expected,
            section=self.section,
            play=self.play,
            judge=self.judge,
            setup=self.setup,
            control=self.control,
            fault=self.fault,
            is_shared=self.is_shared,
        )

    async def play(self, play: BotConversation) -> None:
        """Go to the position, and wait for orders."""
        self.go(play)
        await play.orders()

    def go(self, play: BotConversation) -> None:
        """Go to the position."""
        turn = self.season, play.next_year
        placed = position(play.variant, turn, self.units, self.owned)
        play.stage(dislodged(play.variant, placed, self.retreats))


def no_coast_missing(log: SceneLog) -> SceneFinding:
    """Judge that no order was refused for want of a coast."""
    if any(each.note.value == "CST" for each in log.refusals):
        return fails("an order without its coast was refused: CST")
    return ordered_legally(log)


_DISLODGED: Final = ("GER A BUR", "FRA A PAR", "FRA F MAO", "ENG F LON", "ITA A PIE")
_STAGED: Final = (
    StagedTurn(
        name="spring-moves",
        expected="orders each unit in spring",
        season="SPR",
        units=("FRA A PAR", "FRA A BUR", "FRA F MAO", "FRA F ECH", *RIVALS),
    ),
    StagedTurn(
        name="fall-moves",
        expected="orders each unit in fall",
        season="FAL",
        units=("FRA A PAR", "FRA A GAS", "FRA F BRE", *RIVALS),
    ),
    StagedTurn(
        name="many-units",
        expected="orders all of 17 units",
        season="FAL",
        units=SEVENTEEN,
        owned={"FRA": SEVENTEEN_CENTRES},
        fault=11,
        judge=ordered,
    ),
    StagedTurn(
        name="convoys",
        expected="orders armies and fleets that could convoy",
        season="SPR",
        units=(
            "FRA A BRE",
            "FRA A PIC",
            "FRA F ECH",
            "FRA F NTH",
            "FRA F MAO",
            *RIVALS,
        ),
    ),
    StagedTurn(
        name="coasts",
        expected="orders fleets on coasts, and beside provinces with two",
        season="SPR",
        units=("FRA F MAO", "FRA F SPA/SC", "FRA F GOB", "FRA F CON", "FRA F STP/NC"),
        section="MS Coasts",
        fault=13,
        judge=no_coast_missing,
    ),
    StagedTurn(
        name="retreat-several",
        expected="retreats or disbands a unit that has a choice",
        season="SUM",
        units=_DISLODGED,
        retreats={"FRA A BUR": "GAS BEL PIC"},
    ),
    StagedTurn(
        name="retreat-one",
        expected="retreats or disbands a unit that has one way out",
        season="AUT",
        units=_DISLODGED,
        retreats={"FRA A BUR": "GAS"},
    ),
    StagedTurn(
        name="retreat-none",
        expected="disbands a unit with MRT ( )",
        season="SUM",
        units=_DISLODGED,
        retreats={"FRA A BUR": ""},
        fault=14,
        control="retreat-several",
    ),
    StagedTurn(
        name="retreats-of-two",
        expected="orders two dislodged units with one way out in common",
        season="AUT",
        units=(*_DISLODGED, "ITA A MAR"),
        retreats={"FRA A BUR": "GAS BEL", "FRA A MAR": "GAS SPA"},
    ),
    StagedTurn(
        name="builds",
        expected="builds or waives twice",
        season="WIN",
        units=("FRA A SPA", "FRA F POR", "FRA A BUR", *RIVALS),
        owned={"FRA": "PAR MAR BRE SPA POR"},
    ),
    StagedTurn(
        name="builds-without-sites",
        expected="waives builds for which there is no site",
        season="WIN",
        units=("FRA A PAR", "FRA A SPA", "FRA F MAO", *RIVALS),
        owned={"FRA": "PAR MAR BRE SPA POR BEL"},
        section="MS WVE",
        fault=12,
    ),
    StagedTurn(
        name="builds-nowhere",
        expected="waives when all home centres are occupied",
        season="WIN",
        units=("FRA A PAR", "FRA A MAR", "FRA F BRE", *RIVALS),
        owned={"FRA": "PAR MAR BRE SPA"},
        section="MS WVE",
        fault=12,
    ),
    StagedTurn(
        name="removals",
        expected="removes two of four units",
        season="WIN",
        units=("FRA A PAR", "FRA A GAS", "FRA F MAO", "FRA A BUR", *RIVALS),
        owned={"FRA": "PAR MAR", "ENG": "BRE"},
        section="MS REM",
    ),
    StagedTurn(
        name="removes-the-last",
        expected="removes its last unit",
        season="WIN",
        units=("FRA A GAS", *RIVALS),
        owned={"ENG": "PAR MAR BRE"},
        section="MS REM",
        # It has lost then, and may stop to play.
        is_shared=False,
    ),
    StagedTurn(
        name="builds-on-a-coast",
        expected="builds in St. Petersburg: an army, or a fleet with its coast",
        season="WIN",
        units=("RUS A MOS", "RUS A WAR", "RUS F SEV", "RUS A RUM", "ENG F LON"),
        owned={"RUS": "STP MOS WAR SEV RUM"},
        section="MS BLD",
        fault=13,
        judge=no_coast_missing,
        setup=RUSSIA,
    ),
)

_SCENES: Final = tuple(each.scene() for each in _STAGED)
_NOTHING_DUE: Final = StagedTurn(
    name="nothing-due",
    expected="goes on after a retreat turn that is not its own",
    season="SUM",
    units=("GER A BUR", "FRA A PAR", "ENG F LON"),
    retreats={"ITA A BUR": "MAR"},
)
_NO_ADJUSTMENT: Final = StagedTurn(
    name="no-adjustment",
    expected="goes on after a winter in which it neither builds nor removes",
    season="WIN",
    units=("FRA A PAR", "FRA A GAS", "FRA F BRE", "ENG F LON", "ENG A YOR"),
    owned={"FRA": "PAR MAR BRE", "ENG": "LON EDI LVP"},
)
_NO_UNITS: Final = StagedTurn(
    name="no-units",
    expected="goes on without units, and builds later",
    season="SPR",
    units=RIVALS,
    fault=15,
)
_ELIMINATED: Final = StagedTurn(
    name="eliminated",
    expected="stays, or leaves in good order, when it has lost",
    season="SPR",
    units=RIVALS,
    owned={"ENG": "PAR MAR BRE"},
    fault=15,
)
_REBUILD: Final = StagedTurn(
    name="rebuild",
    expected="",
    season="WIN",
    units=RIVALS,
    owned={"FRA": "PAR MAR BRE"},
)
SILENT_TURN_SECONDS: Final = 0.5


def without_orders(turn: StagedTurn) -> PlayScene:
    """Return a scene that plays *turn*, in which nothing is due, then a usual one."""

    async def nothing_due(play: BotConversation) -> None:
        turn.go(play)
        await play.sleep(SILENT_TURN_SECONDS)
        play.fresh()
        await play.orders()

    return nothing_due


async def no_units(play: BotConversation) -> None:
    """Take all units away, and give builds back in winter."""
    _NO_UNITS.go(play)
    await play.sleep(SILENT_TURN_SECONDS)
    await _REBUILD.play(play)


async def eliminated(play: BotConversation) -> None:
    """Take all units and centres away, and go on for two turns."""
    play.may_close = True
    _ELIMINATED.go(play)
    await play.sleep(SILENT_TURN_SECONDS)
    play.end_turn()
    await play.sleep(SILENT_TURN_SECONDS)


async def many_years(play: BotConversation) -> None:
    """Play turns before and after the year 2000."""
    start = play.variant.start
    for year in (1999, 2000, 2001):
        play.stage(replace(start, turn=replace(start.turn, year=year)))
        await play.orders()


def left_in_order(log: SceneLog) -> SceneFinding:
    """Judge that a bot that has lost did not crash; leaving with code 0 differs."""
    if log.exit is not None and log.exit.code != 0:
        return fails(log.exit.text)
    if log.lost is not None or log.exit is not None:
        return differs("left when it was eliminated")
    return passes("stays")


TURN_SCENES: Final = (
    *_SCENES,
    *(
        evolve(each.scene(), play=without_orders(each))
        for each in (_NOTHING_DUE, _NO_ADJUSTMENT)
    ),
    evolve(_NO_UNITS.scene(), play=no_units, judge=ordered),
    evolve(_ELIMINATED.scene(), play=eliminated, judge=left_in_order, is_shared=False),
    BotScene(
        name="years-past-1999",
        group=GROUP_OF_TURNS,
        expected="plays in 1999, 2000 and 2001",
        section="MS NOW",
        play=many_years,
        judge=ordered,
    ),
)
