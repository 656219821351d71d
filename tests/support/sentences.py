"""Sentences for fuzzing: valid ones by the grammar, and what chance makes of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Final

from daide_server.board.map import Variant
from daide_server.daide import grammar
from daide_server.daide.commands import BEYOND_THE_APPENDIX, CLIENT_MESSAGES, TERMS
from daide_server.daide.press import PRESS_LEVELS
from daide_server.daide.tokens import (
    BRA,
    ERR,
    KET,
    MNEMONICS,
    TOKENS_BY_NAME,
    Token,
    Tokens,
    number,
    text_tokens,
)
from daide_server.daide.vocabulary import Vocabulary, from_text

Terminals = Mapping[str, Callable[[], Token]]

DEEPEST = 6
"""So many brackets deep a sentence takes the shortest way to its end."""


class Derivations:
    """Draws what the rules of a grammar allow; *terminals* draw single tokens."""

    def __init__(
        self, rules: grammar.Productions, terminals: Terminals, random: Random
    ) -> None:
        self._rules: Final = {
            rule: choices for rule, choices in rules.items() if rule not in terminals
        }
        self._terminals: Final = terminals
        self._random: Final = random
        self._endings: Final = endings(self._rules)

    def of(self, rule: str, depth: int = 0) -> Iterator[Token]:
        """Yield the tokens of what *rule* allows."""
        deep = depth > DEEPEST
        choices = self._endings[rule] if deep else self._rules[rule]
        return self._all(self._random.choice(choices), depth)

    def _all(self, items: grammar.Items, depth: int) -> Iterator[Token]:
        for item in items:
            yield from self._item(item, depth)

    def _item(self, item: grammar.Part, depth: int) -> Iterator[Token]:
        match item:
            case grammar.BracketedPart(items):
                yield BRA
                yield from self._all(items, depth + 1)
                yield KET
            case grammar.OptionalPart(items):
                if depth <= DEEPEST and self._random.random() < 0.5:
                    yield from self._all(items, depth)
            case grammar.Repeat(inner):
                for _ in range(self._random.choice((1, 1, 2))):
                    yield from self._item(inner, depth)
            case _ if item in self._terminals:
                yield self._terminals[item]()
            case _ if item in self._rules:
                yield from self.of(item, depth)
            case _:
                yield TOKENS_BY_NAME[item]


def endings(rules: grammar.Productions) -> grammar.Productions:
    """Return of each rule the compositions that lead to words alone the soonest.

    What they cannot do without are words, and rules whose endings are sooner.
    """
    found: dict[str, tuple[grammar.Items, ...]] = {}
    while waiting := rules.keys() - found.keys():
        ended = {
            rule: soon
            for rule in waiting
            if (soon := tuple(c for c in rules[rule] if waiting.isdisjoint(_needs(c))))
        }
        assert ended, f"no sentence ends that is of {sorted(waiting)}"
        found |= ended
    return found


def _needs(items: grammar.Items) -> Iterator[str]:
    """Yield the rules and words of *items* but for what may be left out."""
    for item in items:
        match item:
            case grammar.BracketedPart(inner):
                yield from _needs(inner)
            case grammar.Repeat(inner):
                yield from _needs((inner,))
            case grammar.OptionalPart():
                pass
            case _:
                yield item


PRIVATE = range(0x58, 0x60)
"""Categories that no program may send: an error of the wire, not of the language."""
TYPICAL = (
    "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR)",
    "SUB (SPR 1901) ((ENG FLT LON) MTO NTH) ((ENG AMY LVP) CTO NWY VIA (NAO NWG))",
    "SUB ((RUS FLT (STP SCS)) HLD) (GER WVE)",
    "NOT (SUB ((FRA AMY PAR) MTO BUR))",
    "NOT (GOF)",
    "MIS",
    "HST (SPR 1901)",
    "IAM (FRA) (1234)",
    "TME (60)",
    "SND (ENG GER) (PRP (AND (PCE (ENG FRA)) (XDO ((ENG FLT LON) MTO NTH))))",
    "SND (SPR 1901) (FRA) (YES (PRP (ALY (ENG FRA) VSS (GER))))",
    "SND (RUS) (TRY (PRP PCE ALY VSS XDO DMZ))",
    "DRW (ENG FRA)",
    "YES (MAP ('standard'))",
)


class Speaker:
    """Says what clients might say, right and wrong, at one level."""

    def __init__(self, variant: Variant, level: int, random: Random) -> None:
        self._random: Final = random
        levels = (TERMS, *CLIENT_MESSAGES, BEYOND_THE_APPENDIX, *PRESS_LEVELS)
        rules = grammar.rules_up_to(level, levels)
        press = ["send_message"] * 2 if "send_message" in rules else []
        self._starts: Final = ["client_message", *press]
        vocabulary = Vocabulary.of(variant.map)
        self._words: Final = [*MNEMONICS, *vocabulary.powers, *vocabulary.provinces]
        terminals = {
            "number": lambda: number(random.choice((-1, 0, 1, 2, 60, 1901, 1902))),
            "power": self._one_of(vocabulary.powers),
            "province": self._one_of(vocabulary.provinces),
            "character": self._one_of(text_tokens("aZ 0'")),
            "any_token": self._one_of(self._words),
            "try_token": self._one_of(
                [TOKENS_BY_NAME["PRP"], TOKENS_BY_NAME["XDO"], TOKENS_BY_NAME["POB"]]
            ),
            "sign": self._one_of(text_tokens("+-")),
            "digit": self._one_of(text_tokens("0123456789")),
            "point": self._one_of(text_tokens(".")),
            "letter_e": self._one_of(text_tokens("eE")),
        }
        self._derivations: Final = Derivations(rules, terminals, random)
        self.said: Final = [from_text(text, vocabulary) for text in TYPICAL]
        self._tries: Final = (*(self._valid, self._wordy), *[self._mutated] * 4)

    def message(self) -> Tokens:
        """Return something to say, at least one token long."""
        return self._random.choice(self._tries)() or (ERR,)

    def garbage(self) -> Tokens:
        """Return any tokens at all that the wire lets through."""
        drawn = (self._random.randrange(0x10000) for _ in range(self._length()))
        return tuple(Token(t) for t in drawn if t >> 8 not in PRIVATE) or (ERR,)

    # What it is made of

    def _valid(self) -> Tokens:
        found = tuple(self._derivations.of(self._random.choice(self._starts)))
        self._remember(found)
        return found

    def _remember(self, tokens: Tokens) -> None:
        if len(self.said) < 500:
            self.said.append(tokens)
        else:
            self.said[self._random.randrange(500)] = tokens

    def _mutated(self) -> Tokens:
        """Return something that was said, with a word or two changed."""
        random = self._random
        words = list(random.choice(self.said))
        for _ in range(random.choice((0, 0, 1, 2))):
            place = random.randrange(len(words) + 1)
            bracket = words[place : place + 1] in ([BRA], [KET])
            change = random.randrange(3)
            if change == 0 or place == len(words):
                words.insert(place, random.choice(self._words[2:]))
            elif not bracket or random.random() < 0.2:
                words[place : place + 1] = [random.choice(self._words)][: change - 1]
        return tuple(words)

    def _wordy(self) -> Tokens:
        """Return words by chance, in brackets that mostly pair."""
        random = self._random
        words: list[Token] = []
        depth = 0
        for _ in range(self._length()):
            turn = random.random()
            if turn < 0.2:
                words.append(BRA)
                depth += 1
            elif turn < 0.4 and depth:
                words.append(KET)
                depth -= 1
            else:
                words.append(random.choice(self._words))
        return (*words, *[KET] * depth)

    def _length(self) -> int:
        return self._random.choice((1, 2, 3, 5, 8, 13, 21, 34))

    def _one_of(self, tokens: Iterable[Token]) -> Callable[[], Token]:
        choices = list(tokens)
        return lambda: self._random.choice(choices)
