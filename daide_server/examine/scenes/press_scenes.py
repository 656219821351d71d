"""Press: of each kind, above the level, from the dead, and far too much of it."""

from functools import partial
from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    SceneVerdict,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import SceneLog
from daide_server.examine.scene_setup import USUAL_SETUP, SceneSetup
from daide_server.game.options import GameOptions
from daide_server.language.messages import (
    ClientMessage,
    InDisorder,
    Out,
    PressDelivered,
    SendPress,
    ServerMessage,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import BRA, HUH, SND

from .playing_on import ordered, position, should, survived, turns
from .press_examples import press_examples

GROUP_OF_PRESS: Final = "press"
PEACE: Final = "PRP ( PCE ( ENG FRA ) )"
MOVES: Final = "PRP ( XDO ( ( ENG FLT LON ) MTO ECH ) )"
FREE_TEXT: Final = "'Shall we share Belgium? ¿Sí?'"
FLOOD: Final = 1000
HIGHEST: Final = 160
GAP_SECONDS: Final = 0.02
"""Between two messages, so that it shows which one was too much."""


def at_press_level(level: int) -> SceneSetup:
    """Return the setup of games at *level*."""
    return SceneSetup(options=GameOptions(level=level))


async def one_message(play: BotConversation, text: str) -> None:
    """Send press in a turn that is not over, and play the next one."""
    play.fresh()
    play.press("ENG", from_text(text, play.vocabulary))
    await play.orders()
    play.fresh()
    await play.orders()


async def at_no_press(play: BotConversation) -> None:
    """Send press in a game without press."""
    content = from_text(PEACE, play.vocabulary)
    play.fresh()
    play.say(PressDelivered(Power("ENG"), (play.game.power,), content))
    await play.orders()


async def all_kinds(play: BotConversation) -> None:
    """Send a message of each kind, up to the level of the game."""
    play.fresh()
    for content in press_examples(play.setup.options.level, play.vocabulary):
        if play.is_gone:
            return
        play.log.words["message"] = to_text(content, play.vocabulary)
        play.press("ENG", content)
        await play.sleep(GAP_SECONDS)
    play.fresh()
    await play.orders()


def after_all_kinds(log: SceneLog) -> SceneFinding:
    """Judge as `ordered`; name the last message if the bot has gone."""
    found = ordered(log)
    if found.verdict is SceneVerdict.FAILS and not log.turns:
        return fails(f"{found.did} after {log.words.get('message')}")
    return found


async def own_press(play: BotConversation) -> None:
    """Play three turns of a game with press, and listen."""
    play.fresh()
    await turns(play, 3)


def within_level(log: SceneLog) -> SceneFinding:
    """Judge that press is of the level, or stops when it is not understood."""
    above = [each for each in log.unreadable if each.tokens[:1] == (SND,)]
    sent = len(log.said(SendPress))
    if len(above) > 1:
        return fails(f"{len(above)} times press above the level: {above[-1].text}")
    if above:
        return passes(f"stopped after HUH: {above[0].text}")
    found = survived(log)
    return found if found.verdict is SceneVerdict.FAILS else passes(f"sent {sent} SND")


async def own_huh(play: BotConversation) -> None:
    """Send HUH about a message that the bot may have sent."""
    play.fresh()
    play.say_text("HUH ( ERR HST ( SPR 1901 ) )", "HUH ( SUB ( ERR FRA ) )")
    await play.orders()
    await play.sleep(GAP_SECONDS * 10)


def no_huh_about_huh(log: SceneLog) -> SceneFinding:
    """Judge that HUH was not answered by HUH."""
    echoed = [each for each in log.complaints if each.tokens[:3] == (HUH, BRA, HUH)]
    marked = [each for each in log.complaints if HUH in each.tokens[1:4]]
    if echoed or marked:
        return fails("answered HUH by HUH")
    return ordered(log)


async def flood(play: BotConversation) -> None:
    """Send press a thousand times in one turn."""
    content = from_text(PEACE, play.vocabulary)
    play.fresh()
    play.press("ENG", content, copies=FLOOD)
    await play.orders()
    play.fresh()
    await play.orders()


async def from_the_dead(play: BotConversation) -> None:
    """Deliver press of a power that has nothing left."""
    units = ("FRA A PAR", "FRA A BUR", "GER A MUN", "RUS A MOS")
    owned = {"FRA": "LON LVP EDI"}
    turn = "SPR", play.next_year
    play.stage(position(play.variant, turn, units, owned))
    content = from_text(PEACE, play.vocabulary)
    play.say(PressDelivered(Power("ENG"), (play.game.power,), content))
    await play.orders()


async def refused_press(play: BotConversation) -> None:
    """Answer the bot's own press with CCD and OUT, and play on."""
    answers: list[type[InDisorder | Out]] = [InDisorder, Out]

    def refuse(message: ClientMessage) -> list[ServerMessage] | None:
        if not isinstance(message, SendPress):
            return None
        answers.append(answers.pop(0))
        return [answers[0](message.recipients[0])]

    play.override = refuse
    play.fresh()
    await turns(play, 2)


async def ten_senders(play: BotConversation) -> None:
    """Let all other powers propose peace, in each of two turns."""
    content = from_text(PEACE, play.vocabulary)
    for _ in range(2):
        play.fresh()
        for power in play.variant.map.powers:
            if power != play.game.power:
                play.press(power, content)
        await play.orders()


def answers_in_level(log: SceneLog) -> SceneFinding:
    """Judge that it goes on; an answer that nobody can read differs."""
    found = ordered(log)
    unreadable = [each for each in log.unreadable if each.tokens[:1] != (SND,)]
    if unreadable and log.turns and log.turns[-1].is_complete:
        return differs(f"sent what is no message: {unreadable[0].text}")
    return found


_PRESS: Final = BotScene(
    name="peace-proposed",
    group=GROUP_OF_PRESS,
    expected="answers or ignores a proposal of peace",
    section="MS Level 10",
    play=partial(one_message, text=PEACE),
    judge=answers_in_level,
    setup=at_press_level(10),
    level=10,
    control="level-10",
    fault=19,
    is_shared=True,
)
_QUIET: Final = evolve(_PRESS, control="peace-proposed", fault=None)

PRESS_SCENES: Final = (
    _PRESS,
    evolve(
        _PRESS,
        name="moves-proposed",
        expected="answers or ignores a proposal of orders",
        section="MS Level 20",
        play=partial(one_message, text=MOVES),
        setup=at_press_level(20),
        level=20,
        control="level-20",
    ),
    evolve(
        _PRESS,
        name="press-without-press",
        expected="bears FRM in a game at level 0",
        section="MS LVL",
        play=at_no_press,
        judge=should(ordered),
        setup=USUAL_SETUP,
        level=0,
        control="second-turn",
    ),
    *(
        evolve(
            _QUIET,
            name=f"every-kind-{level}",
            expected=f"bears press of each kind up to level {level}",
            section="MS Appendix",
            play=all_kinds,
            judge=after_all_kinds,
            setup=at_press_level(level),
            level=level,
            control=f"level-{level}",
        )
        for level in (20, 130)
    ),
    evolve(
        _QUIET,
        name=f"every-kind-{HIGHEST}",
        expected=f"bears press of each kind up to level {HIGHEST}",
        section="MS Levels 140 to 160",
        play=all_kinds,
        judge=after_all_kinds,
        setup=at_press_level(HIGHEST),
        level=HIGHEST,
        control="second-turn",
    ),
    *(
        evolve(
            _PRESS,
            name=f"press-level-{level}",
            expected=f"sends no press above level {level}, or stops after HUH",
            section="MS LVL",
            play=own_press,
            judge=within_level,
            setup=at_press_level(level),
            level=level,
            control=f"level-{level}",
            fault=20,
        )
        for level in (10, 20)
    ),
    evolve(
        _PRESS,
        name="huh-answered",
        expected="does not answer HUH by HUH",
        section="MS HUH",
        play=own_huh,
        judge=no_huh_about_huh,
        setup=USUAL_SETUP,
        level=0,
        control="second-turn",
        fault=21,
    ),
    evolve(
        _QUIET,
        name="press-flood",
        expected=f"orders in time after {FLOOD} messages in a turn",
        section="MS FRM",
        play=flood,
        judge=ordered,
        fault=22,
        is_timing=True,
    ),
    evolve(
        _QUIET,
        name="press-from-all",
        expected="answers or ignores proposals of all powers at once",
        play=ten_senders,
    ),
    evolve(
        _QUIET,
        name="press-from-the-dead",
        expected="bears press of a power that is out",
        section="MS OUT",
        play=from_the_dead,
        is_shared=False,
    ),
    evolve(
        _QUIET,
        name="press-refused",
        expected="goes on when its press is answered by CCD or OUT",
        section="MS SND",
        play=refused_press,
        control="level-10",
    ),
    evolve(
        _QUIET,
        name="free-text",
        expected="answers or ignores free text",
        section="MS Level 8000",
        play=partial(one_message, text=FREE_TEXT),
        setup=at_press_level(8000),
        level=8000,
        control="level-8000",
    ),
)
