"""Press: every kind, above the level, from eliminated powers, and far too much of it.

The kinds of press are derived from the appendix of the Message Syntax.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import cycle

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.daide import grammar, messages
from daide_server.daide.commands import TERMS
from daide_server.daide.press import APPENDIX, PressGrammar
from daide_server.daide.tokens import HUH, SND, TOKENS_BY_NAME, Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.examine import scene
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene import FRESH, FRESH_ORDERS, ORDERS, SceneGroup, steps
from daide_server.examine.scene_log import SceneLog

PRESS = SceneGroup("press", is_shared=True, setup=scene.at_level(10))

PEACE = "PRP ( PCE ( ENG FRA ) )"
MOVES = "PRP ( XDO ( ( ENG FLT LON ) MTO ECH ) )"
FLOOD = 1000
GAP_SECONDS = 0.02
"""The pause between two messages, so that it shows which one was too much."""


@scene.if_ordered
def answers_in_level(log: SceneLog) -> scene.SceneFinding:
    """Judge that the bot continues; an answer that nobody can read differs."""
    unreadable = [each for each in log.unreadable if each.tokens[:1] != (SND,)]
    if unreadable:
        return scene.differs(f"sent what is no message: {unreadable[0].text}")
    return scene.ordered(log)


def england(text: str, copies: int = 1) -> scene.Step:
    """Return the step in which England sends press to the bot."""
    return lambda play: play.press("ENG", from_text(text, play.vocabulary), copies)


def one_message(text: str) -> scene.PlayScene:
    """Return a scene that sends press in a running turn, and plays the next turn."""
    return steps(FRESH, england(text), ORDERS, FRESH_ORDERS)


PRESS(
    "peace-proposed | answers or ignores a proposal of peace | MS Level 10",
    answers_in_level,
    control="level-10",
    fault=19,
)(one_message(PEACE))
PRESS(
    "moves-proposed | answers or ignores a proposal of orders | MS Level 20",
    answers_in_level,
    control="level-20",
    fault=19,
    setup=scene.at_level(20),
)(one_message(MOVES))


def _deliver_peace(play: BotConversation) -> None:
    """Send press of England that the game would not deliver."""
    content = from_text(PEACE, play.vocabulary)
    play.say(messages.PressDelivered(Power("ENG"), (play.game.power,), content))


PRESS(
    "press-without-press | ignores FRM in a game at level 0 | MS LVL",
    scene.should(scene.ordered),
    fault=19,
    setup=scene.at_level(0),
)(steps(FRESH, _deliver_peace, ORDERS))


async def all_kinds(play: BotConversation) -> None:
    """Send a message of each kind, up to the level of the game."""
    play.fresh()
    for content in press_examples(play.setup.options.level, play.vocabulary):
        if play.is_gone:
            return
        play.log.words["message"] = to_text(content, play.vocabulary)
        play.press("ENG", content)
        await play.sleep(GAP_SECONDS)
    await play.fresh_orders()


def after_all_kinds(log: SceneLog) -> scene.SceneFinding:
    """Judge as `ordered`; name the last message if the bot has gone."""
    found = scene.ordered(log)
    if found.verdict is scene.SceneVerdict.FAILS and not log.turns:
        return scene.fails(f"{found.did} after {log.words.get('message')}")
    return found


for level, section, control in (
    (20, "MS Appendix", "level-20"),
    (130, "MS Appendix", "level-130"),
    (160, "MS Levels 140 to 160", "second-turn"),
):
    PRESS(
        f"every-kind-{level} | continues after every kind of press up to level "
        f"{level} | {section}",
        after_all_kinds,
        control=control,
        setup=scene.at_level(level),
    )(all_kinds)


def within_level(log: SceneLog) -> scene.SceneFinding:
    """Judge that press is of the level, or stops when it is not understood."""
    above = [each for each in log.unreadable if each.tokens[:1] == (SND,)]
    sent = len(log.said(messages.SendPress))
    if len(above) > 1:
        did = f"{len(above)} times press above the level"
        return scene.fails(f"{did}: {above[-1].text}")
    if above:
        return scene.passes(f"stopped after HUH: {above[0].text}")
    return scene.trouble(log) or scene.passes(f"sent {sent} SND")


for level in (10, 20):
    PRESS(
        f"press-level-{level} | sends no press above level {level}, or stops after "
        "HUH | MS LVL",
        within_level,
        control=f"level-{level}",
        fault=20,
        setup=scene.at_level(level),
    )(steps(FRESH, partial(scene.turns, number=3)))


def no_huh_about_huh(log: SceneLog) -> scene.SceneFinding:
    """Judge that HUH was not answered by HUH."""
    if any(HUH in each.tokens[1:4] for each in log.said(messages.Complaint)):
        return scene.fails("answered HUH by HUH")
    return scene.ordered(log)


PRESS(
    "huh-answered | does not answer HUH by HUH | MS HUH",
    no_huh_about_huh,
    fault=21,
    setup=scene.at_level(0),
)(
    steps(
        FRESH,
        scene.tells("HUH ( ERR HST ( SPR 1901 ) )", "HUH ( SUB ( ERR FRA ) )"),
        ORDERS,
        scene.pauses(GAP_SECONDS * 10),
    )
)

PRESS(
    f"press-flood | orders in time after {FLOOD} messages in a turn | MS FRM",
    control="peace-proposed",
    fault=22,
    is_timing=True,
)(steps(FRESH, england(PEACE, copies=FLOOD), ORDERS, FRESH_ORDERS))


@PRESS(
    "press-from-all | answers or ignores proposals of all powers at the same "
    "time | MS Level 10",
    answers_in_level,
    control="peace-proposed",
)
async def six_senders(play: BotConversation) -> None:
    """Let all other powers propose peace, in each of two turns."""
    content = from_text(PEACE, play.vocabulary)
    for _ in range(2):
        play.fresh()
        for power in play.variant.map.powers:
            if power != play.game.power:
                play.press(power, content)
        await play.orders()


@PRESS(
    "press-from-the-dead | continues after press of a power that is out | MS OUT",
    answers_in_level,
    control="peace-proposed",
    is_shared=False,
)
async def from_the_dead(play: BotConversation) -> None:
    """Deliver press of a power that has nothing left."""
    units = ("FRA A PAR", "FRA A BUR", "GER A MUN", "RUS A MOS")
    owned = {"FRA": "LON LVP EDI"}
    turn = Turn(Season.SPRING, play.next_year)
    play.stage(scene.position(play.variant, turn, units, owned))
    _deliver_peace(play)
    await play.orders()


@PRESS(
    "press-refused | continues when its press is answered by CCD or OUT | MS SND",
    answers_in_level,
    control="level-10",
)
async def refused_press(play: BotConversation) -> None:
    """Answer the bot's own press with CCD and OUT, and continue."""
    answers: cycle[type[messages.Out | messages.InDisorder]]
    answers = cycle((messages.Out, messages.InDisorder))
    play.override = scene.answering(
        messages.SendPress, lambda press: next(answers)(press.recipients[0])
    )
    play.fresh()
    await scene.turns(play, 2)


PRESS(
    "free-text | answers or ignores free text | MS Level 8000",
    answers_in_level,
    control="level-8000",
    setup=scene.at_level(8000),
)(one_message("'Shall we share Belgium? ¿Sí?'"))


# A message of each kind

LIFELIKE = (
    ("ENG ENG", "ENG FRA"),
    ("SPR 1", "SPR 1902"),
    ("ENG WVE", "( ENG FLT LON ) MTO NTH"),
)
"""Replacements for the shortest words, by words that occur in games."""
FRAMES_OF_RULES: Mapping[str, str] = {
    "press_message": "{}",
    "reply": "{}",
    "arrangement": "PRP ( {} )",
    "plain_arrangement": "PRP ( {} )",
    "logical_operator": "PRP ( {} )",
    "future_offer": "PRP ( FOR ( SPR 1902 ) ( {} ) )",
    "message": "{}",
}
"""Frames that make whole messages of the parts that rules allow."""
TERMINALS_AS_TEXT: Mapping[str, str] = {
    "power": "ENG",
    "province": "BUR",
    "number": "1",
    "character": "'x'",
    "coast": "NCS",
    "unit_type": "AMY",
    "season": "SPR",
    "any_token": "YES",
    "try_token": "PRP",
    "sign": "'+'",
    "digit": "'1'",
    "point": "'.'",
    "letter_e": "'e'",
    "order_note": "MBV",
}


def press_examples(level: int, vocabulary: Vocabulary) -> Iterator[Tokens]:
    """Yield a message for each composition of the rules of press up to *level*."""
    rules = grammar.rules_up_to(level, (TERMS, *APPENDIX))
    shortest = _shortest(rules)
    allowed = PressGrammar(level, vocabulary, partial_draws=False)
    seen: set[str] = set()
    for rule, frame in FRAMES_OF_RULES.items():
        for items in rules.get(rule, ()):
            found = _text(items, shortest)
            text = _lifelike("" if found is None else frame.format(found))
            if text and text not in seen:
                seen.add(text)
                yield from _if_valid(text, allowed, vocabulary)


def _lifelike(text: str) -> str:
    for short, usual in LIFELIKE:
        text = re.sub(rf"{short}\b", usual, text)
    return text


def _if_valid(text: str, allowed: PressGrammar, words: Vocabulary) -> Iterator[Tokens]:
    sent = from_text(f"SND ( FRA ) ( {text} )", words)
    if isinstance(allowed.parts(sent), list):
        yield from_text(text, words)


def _shortest(rules: grammar.Productions) -> dict[str, str]:
    """Return the shortest text that each rule allows."""
    found = dict(TERMINALS_AS_TEXT)
    while True:
        before = dict(found)
        for rule, choices in rules.items():
            if rule in TERMINALS_AS_TEXT:
                continue
            texts = [
                text for each in choices if (text := _text(each, found)) is not None
            ]
            if texts:
                found[rule] = min(texts, key=len)
        if found == before:
            return found


def _text(items: grammar.Items, known: Mapping[str, str]) -> str | None:
    """Return the text of *items*; `None` if a rule in them is not known yet."""
    texts = [_part(each, known) for each in items]
    return None if None in texts else " ".join(filter(None, texts))


def _part(part: grammar.Part, known: Mapping[str, str]) -> str | None:
    match part:
        case grammar.BracketedPart(items):
            inner = _text(items, known)
            return None if inner is None else f"( {inner} )"
        case grammar.OptionalPart():
            return ""
        case grammar.Repeat(item):
            return _part(item, known)
        case _ if part in known:
            return known[part]
        case _:
            return part if part in TOKENS_BY_NAME else None
