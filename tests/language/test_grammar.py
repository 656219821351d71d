"""What the original server's own grammar allows a client to say, ours allows too.

Its table lists groups of productions with their levels; sentences are drawn from
it by chance. Where ours is stricter by decision, the sentences keep to ours: lists
for peace and draws name two powers, and FOR is not within FOR.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.grammar import Grammar, Level, categories, rules_up_to
from daide_server.language.press import APPENDIX
from daide_server.language.syntax import parts
from daide_server.language.vocabulary import Vocabulary, from_text
from tests.support.data import original_grammar

RULES = """
    start = PRP (thing)
    start = PRP (AND (thing) (thing) ...)
    start = NOW (NOT power) (number number ...)
    start = NOW (NOT) [power]
    thing = NOT (thing)
    thing = DRW
    thing = PCE (power power power ...)
    thing = HUH (quoted)
    quoted = [part part ...]
    part = any
    part = (quoted)
"""
GRAMMAR = Grammar(
    rules_up_to(0, [Level(0, "test", RULES)]),
    {
        "power": categories(0x41),
        "number": categories(*range(0x40)),
        "any": categories(*(code for code in range(0x100) if code != 0x40)),
    },
    "start",
)


def error_index(text: str) -> int | None:
    return GRAMMAR.error_index(from_text(text, Vocabulary.standard()))


@pytest.mark.parametrize(
    "text",
    [
        "PRP (DRW)",
        "PRP (NOT (NOT (DRW)))",
        "PRP (PCE (ENG FRA))",
        "PRP (PCE (ENG FRA GER))",
        "PRP (AND (DRW))",
        "PRP (AND (DRW) (NOT (DRW)) (PCE (ENG FRA)))",
        "PRP (HUH (SUB (1 (YES)) () OFF))",
        "PRP (HUH ())",
        "NOW (NOT ENG) (1 2)",
        "NOW (NOT)",
        "NOW (NOT) ENG",
    ],
)
def test_sentences(text: str) -> None:
    tokens = from_text(text, Vocabulary.standard())

    assert GRAMMAR.error_index(tokens) is None
    assert GRAMMAR.parts(tokens) == parts(tokens)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", 0),
        ("DRW", 0),
        ("(PRP (DRW))", 0),
        ("PRP", 1),
        ("PRP (", 2),
        ("PRP (DRW", 3),
        ("PRP ()", 2),
        ("PRP (SLO)", 2),
        ("PRP (DRW) GOF", 4),
        ("PRP (PCE (ENG))", 5),
        ("PRP (PCE (ENG (FRA)))", 5),
        ("PRP (AND)", 3),
        ("PRP (AND (DRW) DRW)", 6),
        ("NOW (NOT ENG)", 5),
        ("NOW (NOT) (1)", 4),
        ("NOW (NOT ENG) ENG", 5),
        ("PRP (DRW))", 4),
        ("NOW (NOT ENG) (1 YES)", 7),
    ],
)
def test_the_fault_is_at_the_first_token_that_no_sentence_goes_on_with(
    text: str, place: int
) -> None:
    """Where something is missing in a part, that is its close bracket."""
    assert error_index(text) == place


@given(st.data())
def test_what_precedes_the_fault_could_have_gone_on(data: st.DataObject) -> None:
    """The longest faultless beginning does not depend on what follows it."""
    words = ["PRP", "NOW", "AND", "NOT", "DRW", "PCE", "HUH", "ENG", "1", *"()()"]
    chosen = data.draw(st.lists(st.sampled_from(words), max_size=12))
    tokens = from_text(" ".join(chosen), Vocabulary.standard())
    place = GRAMMAR.error_index(tokens)

    if place is not None and place < len(tokens):
        assert GRAMMAR.error_index(tokens[: place + 1]) == place
        assert GRAMMAR.error_index(tokens[:place]) in {None, place}


Answers = Callable[..., str]

UNPAIRED = """
    IAM ( NOT
    IAM ) NOT (
    SUB ( ( ENG FLT LON ) HLD
    GOF )
    ) GOF (
    YES ( ( MAP
"""

WRONG = """
    0: ERR WHT ( YES )
    0: NME ( 'a' ) ERR
    0: NME ( 'a' ) ( ERR -3 )
    10: DRW ( ENG ERR )
    40: SND ( FRA ) ( PRP ( SCD ( ENG ERR ) ) )
    40: SND ( ENG ) ( PRP ( ORR ( NOT ( DRW ) ) ( ERR AND ( SLO ( ENG ) ) ( DRW ) ) ) )
    10: SND ( FRA ) ( PRP ( ERR XDO ( ( ENG FLT LON ) HLD ) ) )
    0: ERR ( ENG FLT LON ) HLD
    0: SUB ERR
    0: SUB ( ( ENG FLT LON ) MTO ERR )
    0: MAP ERR ( 'standard' )
    0: ERR 0x4AFE
    0: ERR ENG FLT LON WVE
    0: SUB ( SPR 1901 ) ERR
    0: SUB ( ERR ) ( ENG WVE )
    0: SUB ( ENG WVE ) ( ERR SPR 1901 )
    0: SUB ( ENG WVE ) ERR HLD
    0: ERR SND ( FRA ) ( PRP ( DRW ) )
    0: DRW ERR ( ENG FRA )
    0: NOT ( DRW ERR ( ENG FRA ) )
    0: YES ( ERR NME ( 'a' ) ( 'b' ) )
    0: YES ( ERR LOD ( 'game1' ) )
    0: OBS ERR ( 'a' ) ( 'b' )
    0: NME ( ERR ) ( 'b' )
    0: NME ( 'a' ERR 1 ) ( 'b' )
    0: HST ( ERR 1901 )
    0: HST ( SPR ERR )
    0: HST ( ERR 0x4705 1901 )
    0: TME ( ERR SPR )
    0: IAM ( ERR LON ) ( 1 )
    0: SUB ( ( ENG FLT LON ) SUP ( ENG AMY LVP ) MTO ERR ( STP NCS ) )
    0: SUB ( ( ENG AMY LVP ) CTO NWY ERR )
    0: SUB ( ( ENG ERR UNT LVP ) HLD )
    0: ERR THX ( ( ENG FLT LON ) HLD ) ( MBV )
    0: ERR OFF
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("text", lines(UNPAIRED))
def test_brackets_that_do_not_pair_are_answered_with_prn(
    answer: Answers, text: str
) -> None:
    """Section 6.1: PRN, open, the message as it came, close."""
    assert answer(text) == f"PRN ( {text} )"


@pytest.mark.parametrize("line", lines(WRONG))
def test_err_stands_before_the_first_wrong_token(answer: Answers, line: str) -> None:
    """Section 6.2: what is missing in a part makes its close bracket wrong."""
    level, _, marked = line.partition(": ")
    said = marked.replace("ERR ", "").removesuffix(" ERR")

    assert answer(said, int(level)) == f"HUH ( {marked} )"


@pytest.mark.parametrize(
    "text", ["PRN ( ( )", "PRN ) (", "PRN", "HUH ( ) )", "HUH ERR"]
)
def test_prn_and_huh_are_never_answered(answer: Answers, text: str) -> None:
    assert answer(text) == ""


CLIENT_MESSAGE, POWER_LIST, PRESS, ARRANGEMENT = "00", "[sub04]", "1E", "1F"
DEEPEST = 6
SENTENCES = 150

WORDS = {
    "[string]": ["'a'", "'Hello'"],
    "[number]": ["-3", "0", "1901"],
    "[any]": ["ERR", "PRP ( DRW )", ""],
    "[cat41]": ["ENG", "FRA", "TUR"],
    "[cat42]": ["AMY", "FLT"],
    "[cat46]": ["NCS", "SCS"],
    "[cat47]": ["SPR", "SUM", "WIN"],
    "[province]": ["LON", "STP", "NTH", "PAR"],
    POWER_LIST: ["( ENG FRA )", "( AUS GER TUR )"],
}

Production = tuple[int, list[str]]


def groups() -> dict[str, list[Production]]:
    found: dict[str, list[Production]] = defaultdict(list)
    for line in original_grammar().splitlines():
        group, level, *items = line.split()
        found[group].append((int(level), items))
    return found


class Speaker:
    """Draws sentences of one level."""

    def __init__(self, level: int, random: Random) -> None:
        self._groups = groups()
        self._level = level
        self._random = random

    def sentence(self) -> str:
        return " ".join(self._group(CLIENT_MESSAGE, 0, within=""))

    def _group(self, group: str, depth: int, within: str) -> Iterator[str]:
        choices = [
            items
            for level, items in self._groups[group]
            if level <= self._level and self._can_say(items)
            # FOR within FOR, unless there is press in between.
            if not (items[:1] == ["FOR"] and "FOR" in within)
        ]
        short = [items for items in choices if not self._nests(items)]
        chosen = self._random.choice(short if depth > DEEPEST and short else choices)
        head = chosen[0] if chosen else ""
        inside = "" if group == PRESS else within + head * (head == "FOR")
        repeated = False
        for item in chosen:
            count = self._random.choice((1, 1, 2, 3)) if repeated else 1
            repeated = item == "[repeat]"
            for _ in range(count * (not repeated)):
                yield from self._item(item, depth, inside)

    def _item(self, item: str, depth: int, within: str) -> Iterator[str]:
        reference = re.fullmatch(r"\[(sub|token)(..)\]", item)
        if item in WORDS:
            yield self._random.choice(WORDS[item])
        elif reference is None:
            yield item
        else:
            bracketed = reference[1] == "sub"
            yield from "(" * bracketed
            yield from self._group(reference[2], depth + 1, within)
            yield from ")" * bracketed

    def _can_say(self, items: list[str]) -> bool:
        named = re.findall(r"\[(?:sub|token)(..)\]", " ".join(items))
        return all(
            any(level <= self._level for level, _ in self._groups[each])
            for each in named
        )

    def _nests(self, items: list[str]) -> bool:
        return any(f"[sub{group}]" in items for group in (PRESS, ARRANGEMENT))


@pytest.mark.parametrize("level", [0, *(each.number for each in APPENDIX)])
def test_what_the_original_server_understands_we_understand(
    answer: Answers, level: int
) -> None:
    speaker = Speaker(level, Random(level))

    for _ in range(SENTENCES):
        sentence = speaker.sentence()
        assert answer(sentence, level, partial_draws=True) == "", sentence
