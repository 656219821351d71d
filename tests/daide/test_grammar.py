"""Faults of language are answered, and what the original server understands is none.

The original server's table lists groups of productions with their levels; sentences are
drawn from it by chance. Where ours is stricter by decision, the sentences keep to ours:
lists for peace and draws name two powers, and FOR is not within FOR.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random

import pytest

from daide_server.daide.grammar import Level, rules_up_to
from daide_server.daide.press import APPENDIX
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from tests.daide.conftest import Answers, lines
from tests.support.data import original_grammar
from tests.support.sentences import Derivations

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


@pytest.mark.parametrize("line", UNPAIRED.strip().splitlines())
def test_brackets_that_do_not_pair_are_answered_with_prn(
    answer: Answers, line: str
) -> None:
    """Section 6.1: PRN, open, the message as it came, close."""
    assert answer(line) == f"PRN ( {line.strip()} )"


@pytest.mark.parametrize(("level", "marked"), lines(WRONG))
def test_err_stands_before_the_first_wrong_token(
    answer: Answers, level: int, marked: str
) -> None:
    """Section 6.2: what is missing in a part makes its close bracket wrong."""
    said = marked.replace("ERR ", "").removesuffix(" ERR")

    assert answer(said, level) == f"HUH ( {marked} )"


@pytest.mark.parametrize(
    "text", ["PRN ( ( )", "PRN ) (", "PRN", "HUH ( ) )", "HUH ERR"]
)
def test_prn_and_huh_are_never_answered(answer: Answers, text: str) -> None:
    assert answer(text) == ""


SENTENCES = 300
WORDS = {
    "string": "'a'",
    "number": "-3 0 1901",
    "any": "ERR PRP DRW",
    "cat41": "ENG FRA TUR",
    "cat42": "AMY FLT",
    "cat46": "NCS SCS",
    "cat47": "SPR SUM WIN",
    "province": "LON STP NTH PAR",
    "first": "ENG AUS",
    "second": "FRA GER",
    "third": "TUR ITA",
}
"""What the table leaves open, and the members of lists of powers."""
LISTS = "group_04 = first second", "group_04 = first second third"


def productions(level: int) -> Iterator[str]:
    """Yield the original server's table in the notation of the documents."""
    lines = [line.split() for line in original_grammar().splitlines()]
    known = [(group, items) for group, at, *items in lines if int(at) <= level]
    groups = {group for group, _ in known}
    for group, items in known:
        text = re.sub(r"\[repeat\] (\S+)", r"\1 \1 ...", " ".join(items))
        if groups.issuperset(re.findall(r"\[(?:sub|token)(..)\]", text)):
            text = re.sub(r"\[sub(..)\]", r"(group_\1)", text)
            text = re.sub(r"\[token(..)\]", r"group_\1", text)
            yield f"group_{group} = {re.sub('[][]', '', text)}"


def stricter(lines: Iterable[str]) -> Iterator[str]:
    """Yield productions without lists of one power, and without FOR within FOR."""
    yield from LISTS
    for line in lines:
        inside = line.replace("(group_1F)", "(group_1F_inside)")
        if line.startswith("group_1F = FOR"):
            yield inside
        elif not line.startswith("group_04"):
            yield line
        if line.startswith("group_1F =") and "FOR" not in line:
            yield inside.replace("group_1F =", "group_1F_inside =")


@pytest.mark.parametrize("level", [0, *(each.number for each in APPENDIX)])
def test_what_the_original_server_understands_we_understand(
    answer: Answers, vocabulary: Vocabulary, level: int
) -> None:
    chance = Random(level)
    rules = rules_up_to(0, [Level(0, "", "\n".join(stricter(productions(level))))])
    tokens = {name: from_text(text, vocabulary) for name, text in WORDS.items()}
    terminals = {name: partial(chance.choice, some) for name, some in tokens.items()}
    derivations = Derivations(rules, terminals, chance)

    for _ in range(SENTENCES):
        sentence = to_text(tuple(derivations.of("group_00")), vocabulary)
        assert answer(sentence, level, partial_draws=True) == "", sentence
