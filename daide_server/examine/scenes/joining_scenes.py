"""Joining: RM, NME, MAP, MDF, HLO."""

from typing import Final

from daide_server.board.names import Power
from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import Opened, SceneLog
from daide_server.examine.scene_setup import SceneSetup
from daide_server.game.options import GameOptions
from daide_server.language.hello_options import LANGUAGE_LEVELS
from daide_server.language.messages import (
    AskMapDefinition,
    ClientMessage,
    Name,
    RefuseMap,
    Rejected,
    ServerMessage,
)

from .playing_on import ordered, ordered_legally, should, trouble, turns

GROUP: Final = "joining"
FIRST_TURN_SCENE: Final = "first-turn"
FEW_STARTS: Final = 3
NO_IM: Final = "no IM"
SPIN_SECONDS: Final = 2.0
SPIN_RATE: Final = 10
LEVELS_WITH_PRESS: Final = LANGUAGE_LEVELS[1:]
USUAL_LEVELS: Final = (10, 20, 130, 8000)
"""The others are played with --thorough."""
FVA: Final = SceneSetup(board="fva", power=Power("FRA"))


async def join_only(play: BotConversation) -> None:
    """Wait until the bot has answered MAP."""
    await play.join()
    if play.connection is not None and not play.connection.has_im:
        play.log.words[NO_IM] = play.connection.unfinished or "it sent nothing"


def joined(log: SceneLog) -> SceneFinding:
    """Judge that the bot has come, and answered MAP."""
    if log.is_joined:
        opened, names = log.of(Opened), log.said(Name)
        if len(names) > len(opened):
            return differs(f"sent NME {len(names)} times; a connection needs one")
        return passes(f"YES (MAP) after {opened[0].seconds:.1f} s to connect")
    if log.exit is None and not log.of(Opened):
        return fails("did not connect")
    if log.said(RefuseMap):
        return differs("REJ (MAP)")
    if log.lost is None and log.exit is None and NO_IM in log.words:
        return fails(f"connected, and did not send IM: {log.words[NO_IM]}")
    if log.lost is None and log.exit is None and not log.said(Name):
        return fails(f"connected, and sent no correct NME: {log.last_words}")
    return trouble(log) or passes("YES (MAP)")


async def refuse_name(play: BotConversation) -> None:
    """BotAnswer each NME with REJ, for a while."""

    def refuse(message: ClientMessage) -> list[ServerMessage] | None:
        if isinstance(message, Name):
            play.log.figures["tries"] = play.log.figures.get("tries", 0) + 1
            return [Rejected(play.name_tokens(message))]
        return None

    play.override, play.may_close = refuse, True
    await play.until(lambda: any(play.log.said(Name)), play.measures.start_seconds)
    await play.sleep(SPIN_SECONDS)


def no_spinning(log: SceneLog) -> SceneFinding:
    """Judge how often a refused bot tries again."""
    rate = log.figures.get("tries", 0) / SPIN_SECONDS
    tries = f"{log.figures.get('tries', 0):.0f} NME in {SPIN_SECONDS:.0f} s"
    return fails(tries) if rate >= SPIN_RATE else passes(tries)


async def first_turn(play: BotConversation) -> None:
    """Join, and wait for the orders of the first turn."""
    if await play.join():
        play.begin()
        await play.orders()


async def second_turn(play: BotConversation) -> None:
    """Play the first turn to its end, and wait for the orders of the next one."""
    if await play.join():
        play.begin()
        await turns(play, 1)
        await play.orders()


def plays_or_refuses(log: SceneLog) -> SceneFinding:
    """Judge that the bot either plays, or says that it cannot: both readings pass."""
    if log.said(RefuseMap):
        return passes("REJ (MAP)")
    found = ordered_legally(log)
    if log.said(AskMapDefinition) or not log.is_joined:
        return found
    return found if not log.refusals else fails(f"YES without MDF; {found.did}")


async def slow_hello(play: BotConversation) -> None:
    """Begin the game a while after the bot has joined."""
    if await play.join():
        await play.sleep(3.0)
        play.begin()
        await play.orders()


async def slow_definition(play: BotConversation) -> None:
    """BotAnswer MDF late."""
    play.mdf_delay = 2.0
    await first_turn(play)


async def hello_again(play: BotConversation) -> None:
    """Send HLO once more, in the game."""
    play.say(play.game.greeting())
    play.fresh()
    await play.orders()


def at_level(level: int, *, is_long: bool) -> BotScene:
    """Return the scene of a whole first turn in a game of *level*."""
    return BotScene(
        name=f"level-{level}",
        group=GROUP,
        expected=f"plays in a game with LVL {level}",
        section="MS HLO",
        setup=SceneSetup(options=GameOptions(level=level)),
        play=first_turn,
        judge=ordered,
        level=level,
        joins=False,
        is_long=is_long,
    )


def from_year(year: int) -> BotScene:
    """Return the scene of a first turn in *year*."""
    return BotScene(
        name=f"first-year-{year}",
        group=GROUP,
        expected=f"orders for SPR {year}, or REJ (MAP)",
        section="MS NOW",
        setup=SceneSetup(first_year=year),
        play=first_turn,
        judge=plays_or_refuses,
        control=FIRST_TURN_SCENE,
        joins=False,
        fault=29,
    )


JOINING_SCENES: Final = (
    BotScene(
        name="joins",
        group=GROUP,
        expected="sends IM and NME, and answers MAP within 60 s",
        section="CS IM, MS NME",
        play=join_only,
        judge=joined,
        control="",
        joins=False,
    ),
    BotScene(
        name=FIRST_TURN_SCENE,
        group=GROUP,
        expected="orders all its units in SPR 1901",
        section="MS SUB",
        play=first_turn,
        judge=ordered_legally,
        control="joins",
        joins=False,
    ),
    BotScene(
        name="second-turn",
        group=GROUP,
        expected="orders all its units in a second turn, too",
        section="MS SUB",
        play=second_turn,
        judge=ordered,
        control=FIRST_TURN_SCENE,
        joins=False,
    ),
    *(
        BotScene(
            name=name,
            group=GROUP,
            expected=f"joins in each of {starts} starts when RM comes at once",
            section="CS RM",
            setup=SceneSetup(rm_delay=0.0),
            play=join_only,
            judge=should(joined),
            control="joins",
            joins=False,
            fault=1,
            starts=starts,
            is_long=starts > FEW_STARTS,
        )
        for name, starts in (("rm-at-once", FEW_STARTS), ("rm-at-once-often", 20))
    ),
    BotScene(
        name="full-rm",
        group=GROUP,
        expected="reads the names in RM, also those of the standard board",
        section="CS RM",
        setup=SceneSetup(full_rm=True),
        play=first_turn,
        judge=ordered,
        control=FIRST_TURN_SCENE,
        joins=False,
        fault=2,
    ),
    BotScene(
        name="name-refused",
        group=GROUP,
        expected=f"fewer than {SPIN_RATE} tries a second after REJ (NME)",
        section="MS NME",
        play=refuse_name,
        judge=no_spinning,
        control=FIRST_TURN_SCENE,
        joins=False,
        fault=5,
    ),
    BotScene(
        name="slow-definition",
        group=GROUP,
        expected="waits for MDF, and answers MAP within 60 s",
        section="MS MDF",
        play=slow_definition,
        judge=ordered,
        control=FIRST_TURN_SCENE,
        joins=False,
        fault=3,
    ),
    BotScene(
        name="unknown-board",
        group=GROUP,
        expected="asks for MDF and plays the board fva, or REJ (MAP)",
        section="MS MAP",
        setup=FVA,
        play=first_turn,
        judge=plays_or_refuses,
        control=FIRST_TURN_SCENE,
        joins=False,
        fault=4,
    ),
    BotScene(
        name="unknown-map-name",
        group=GROUP,
        expected="YES or REJ to a MAP of another name",
        section="MS MAP",
        setup=SceneSetup(map_name="standard_2"),
        play=first_turn,
        judge=plays_or_refuses,
        control=FIRST_TURN_SCENE,
        joins=False,
    ),
    BotScene(
        name="slow-hello",
        group=GROUP,
        expected="waits for HLO while other powers join",
        section="MS HLO",
        play=slow_hello,
        judge=ordered,
        control=FIRST_TURN_SCENE,
        joins=False,
    ),
    BotScene(
        name="hello-again",
        group=GROUP,
        expected="goes on after a second HLO",
        section="MS HLO",
        play=hello_again,
        judge=ordered,
        is_shared=True,
    ),
    from_year(1000),
    from_year(8180),
    *(
        at_level(level, is_long=level not in USUAL_LEVELS)
        for level in LEVELS_WITH_PRESS
    ),
)
