"""Faults of language are answered, and what the original server understands is none.

The original server's table lists groups of productions with their levels; sentences are
drawn from it by chance. Where ours is stricter by decision, the sentences keep to ours:
lists for peace and draws name two powers, and FOR is not within FOR.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from daide_server.daide.press import APPENDIX
from tests.daide.conftest import Answers, lines
from tests.support.data import original_grammar

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
