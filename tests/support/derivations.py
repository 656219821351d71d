"""Derivations of a grammar by chance: sentences that end, whatever its rules are."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from daide_server.language.grammar import (
    BracketedPart,
    OptionalPart,
    Part,
    Productions,
    Repeat,
)
from daide_server.language.grammar import Sequence as Items
from daide_server.language.tokens import BRA, KET, TOKENS_BY_NAME, Token

Terminals = Mapping[str, Callable[[], Token]]

DEEPEST: Final = 6
"""So many brackets deep a sentence takes the shortest way to its end."""


class Derivations:
    """Draws what the rules of a grammar allow; *terminals* draw single tokens."""

    def __init__(
        self, rules: Productions, terminals: Terminals, random: Random
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

    def _all(self, items: Items, depth: int) -> Iterator[Token]:
        for item in items:
            yield from self._item(item, depth)

    def _item(self, item: Part, depth: int) -> Iterator[Token]:
        match item:
            case BracketedPart(items):
                yield BRA
                yield from self._all(items, depth + 1)
                yield KET
            case OptionalPart(items):
                if depth <= DEEPEST and self._random.random() < 0.5:
                    yield from self._all(items, depth)
            case Repeat(inner):
                for _ in range(self._random.choice((1, 1, 2))):
                    yield from self._item(inner, depth)
            case _ if item in self._terminals:
                yield self._terminals[item]()
            case _ if item in self._rules:
                yield from self.of(item, depth)
            case _:
                yield TOKENS_BY_NAME[item]


def endings(rules: Productions) -> Productions:
    """Return of each rule the compositions that lead to words alone the soonest.

    What they cannot do without are words, and rules whose endings are sooner.
    """
    found: dict[str, tuple[Items, ...]] = {}
    while waiting := rules.keys() - found.keys():
        ended = {
            rule: soon
            for rule in waiting
            if (soon := tuple(c for c in rules[rule] if waiting.isdisjoint(_needs(c))))
        }
        assert ended, f"no sentence ends that is of {sorted(waiting)}"
        found |= ended
    return found


def _needs(items: Items) -> Iterator[str]:
    """Yield the rules and words of *items* but for what may be left out."""
    for item in items:
        match item:
            case BracketedPart(inner):
                yield from _needs(inner)
            case Repeat(inner):
                yield from _needs((inner,))
            case OptionalPart():
                pass
            case _:
                yield item
