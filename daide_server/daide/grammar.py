"""Grammars in the notation of the Message Syntax document, and their recognizer.

`rules_up_to` parses lines of the document's appendix into productions: `(x)` is a part
in brackets, `[x]` is optional, `x x ...` is one or more and `x x x ...` two or more;
names in capitals are tokens, others are rules.

`Grammar` finds the first wrong token of a message. The productions become an automaton
like that of a regular expression: a state is the set of points that the tokens so far
can have reached. There is no backtracking; each token takes one step. A token without a
step is the one that ERR precedes in HUH: a wrong token, or the close bracket of an
incomplete part. Rules contain each other only inside brackets, so a stack of the states
at open brackets is enough for nesting. States are created when first reached; their
number depends on the productions only, not on the messages.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import Factory, define
from msgspec import Struct

from .tokens import BRA, KET, TOKENS_BY_NAME, Token, Tokens

# Productions

_SIGN = re.compile(r"\.\.\.|[()\[\]]|\w+")
_CLOSING = {"(": ")", "[": "]"}


class BracketedPart(Struct, frozen=True, cache_hash=True):
    """Items in brackets, which are tokens of the message."""

    items: "Items"


class OptionalPart(Struct, frozen=True):
    """Items that may be left out."""

    items: "Items"


class Repeat(Struct, frozen=True):
    """One or more of an item."""

    item: "Part"


Part = str | BracketedPart | OptionalPart | Repeat
Items = tuple[Part, ...]
Productions = Mapping[str, tuple[Items, ...]]


class Level(Struct, frozen=True):
    """The productions that a level adds, as lines of the document's appendix."""

    number: int
    title: str
    rules: str


def levels(text: str) -> tuple[Level, ...]:
    """Return the levels of *text*: a line with number and title before their rules."""
    found: list[list[str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line[0].isdigit():
            found.append(line.split(" ", 1))
        else:
            found[-1].append(line)
    return tuple(
        Level(int(number), title, "\n".join(rules)) for number, title, *rules in found
    )


def rules_up_to(level: int, levels: Iterable[Level]) -> Productions:
    """Return the productions of *level* and all lower levels."""
    found: dict[str, tuple[Items, ...]] = {}
    for lines in (each.rules for each in levels if each.number <= level):
        for line in filter(None, map(str.strip, lines.splitlines())):
            name, _, composition = line.partition(" =")
            found[name] = (*found.get(name, ()), parse(composition))
    return found


def parse(composition: str) -> Items:
    """Return the items of *composition*, whose brackets must be paired."""
    items, _ = _parse(_SIGN.findall(composition), None)
    return items


def _parse(signs: list[str], closing: str | None) -> tuple[Items, list[str]]:
    """Return the items before *closing*, and the signs after it."""
    items: list[Part] = []
    while signs and signs[0] != closing:
        sign, *signs = signs
        if sign == "...":
            # `x x ...`: the second x, before the dots, stands for the repetition.
            items[-2:] = [Repeat(items[-1])]
        elif sign in _CLOSING:
            inner, signs = _parse(signs, _CLOSING[sign])
            items.append(BracketedPart(inner) if sign == "(" else OptionalPart(inner))
        else:
            items.append(sign)
    return tuple(items), signs[1:]


# Terminals

ProductionKey = int
"""A token, or a category of tokens as `~category`, a negative number."""

Terminals = Mapping[str, frozenset[ProductionKey]]


def categories(*numbers: int) -> frozenset[ProductionKey]:
    """Return the terminal for all tokens of the categories *numbers*."""
    return frozenset(~number for number in numbers)


# The recognizer


@define(eq=False)
class _Point:
    """A point between two items of a production, and the transitions from there."""

    steps: list[tuple[frozenset[ProductionKey], "_Point"]] = Factory(list)
    parts: list[tuple[BracketedPart, "_Point"]] = Factory(list)
    empty_steps: list["_Point"] = Factory(list)


_Place = tuple[BracketedPart, _Point]
"""A point, and the bracketed part that encloses it."""


@define(eq=False)
class _State:
    """All places that the tokens inside the innermost brackets can have reached."""

    places: frozenset[_Place]
    complete: frozenset[BracketedPart]
    """The parts that a close bracket may end in this state."""
    is_message: bool
    """Whether the tokens so far, all brackets closed, are a complete message."""
    steps: dict[ProductionKey, "_State"] = Factory(dict)
    inside: "_State | None" = None
    after: dict["_State", "_State"] = Factory(dict)
    """The state after an enclosed part, by the state in which that part ended."""


class Grammar:
    """Recognizes the messages of the rule *start*.

    *terminals* maps the names of rules to single tokens. Where a category of tokens is
    allowed, no production may list a token of that category.
    """

    def __init__(self, rules: Productions, terminals: Terminals, start: str) -> None:
        self._rules: Final = rules
        self._terminals: Final = terminals
        self._contents: Final[dict[BracketedPart, tuple[_Point, _Point]]] = {}
        self._states: Final[dict[frozenset[_Place], _State]] = {}
        self._whole: Final = BracketedPart((start,))
        self._start: Final = self._opened([self._whole])

    def error_index(self, tokens: Tokens) -> int | None:
        """Return the index of the first token that cannot follow those before it.

        Returns the length of *tokens* if more tokens must follow, and `None` if they
        are a complete message.
        """
        found = self.parts(tokens)
        return found if isinstance(found, int) else None

    def parts(self, tokens: Tokens) -> list[Tokens] | int:
        """Return the contents of each outermost pair of brackets in a message.

        Returns the index as `error_index` does if *tokens* are none.
        """
        state = self._start
        open_parts: list[_State] = []
        found: list[Tokens] = []
        start = 0
        for place, token in enumerate(tokens):
            following: _State | None
            if token == BRA:
                if not open_parts:
                    start = place + 1
                following = state.inside or self._inside(state)
                open_parts.append(state)
            elif token == KET:
                if not open_parts:
                    return place
                outer = open_parts.pop()
                following = outer.after.get(state) or self._after(outer, state)
                if not open_parts:
                    found.append(tokens[start:place])
            else:
                steps = state.steps
                following = (
                    steps.get(token)
                    or steps.get(~(token >> 8))
                    or self._step(state, token)
                )
            if following is None:
                return place
            state = following
        is_complete = not open_parts and state.is_message
        return found if is_complete else len(tokens)

    # States

    def _step(self, state: _State, token: Token) -> _State | None:
        for key in (token, ~(token >> 8)):
            reached = {
                (part, end)
                for part, point in state.places
                for keys, end in point.steps
                if key in keys
            }
            if reached:
                state.steps[key] = self._state(reached)
                return state.steps[key]
        return None

    def _inside(self, state: _State) -> _State | None:
        parts = [part for _, point in state.places for part, _ in point.parts]
        state.inside = self._opened(parts) if parts else None
        return state.inside

    def _after(self, outer: _State, inner: _State) -> _State | None:
        reached = {
            (around, end)
            for around, point in outer.places
            for part, end in point.parts
            if part in inner.complete
        }
        if not reached:
            return None
        outer.after[inner] = self._state(reached)
        return outer.after[inner]

    def _opened(self, parts: Iterable[BracketedPart]) -> _State:
        return self._state({(part, self._content(part)[0]) for part in parts})

    def _state(self, places: Iterable[_Place]) -> _State:
        """Return the state of *places* and those that they reach without a token."""
        closed: set[_Place] = set()
        waiting = list(places)
        while waiting:
            part, point = waiting.pop()
            if (part, point) not in closed:
                closed.add((part, point))
                waiting += [(part, end) for end in point.empty_steps]
        key = frozenset(closed)
        if key not in self._states:
            complete = frozenset(
                part for part, at in closed if at is self._content(part)[1]
            )
            self._states[key] = _State(key, complete, self._whole in complete)
        return self._states[key]

    # Points

    def _content(self, part: BracketedPart) -> tuple[_Point, _Point]:
        """Return the first and the last point of the contents of *part*."""
        if part not in self._contents:
            first = _Point()
            self._contents[part] = first, self._add_all(part.items, first)
        return self._contents[part]

    def _add_all(self, items: Items, start: _Point) -> _Point:
        for item in items:
            start = self._add(item, start)
        return start

    def _add(self, item: Part, start: _Point) -> _Point:
        """Add the transitions of *item* after *start*, and return their end."""
        end = _Point()
        match item:
            case BracketedPart():
                start.parts.append((item, end))
            case OptionalPart(items):
                start.empty_steps.append(end)
                self._add_all(items, start).empty_steps.append(end)
            case Repeat(inner):
                first = _Point()
                start.empty_steps.append(first)
                last = self._add(inner, first)
                last.empty_steps += [first, end]
            case _:
                self._add_word(item, start, end)
        return end

    def _add_word(self, word: str, start: _Point, end: _Point) -> None:
        if word in self._rules and word not in self._terminals:
            for items in self._rules[word]:
                self._add_all(items, start).empty_steps.append(end)
        else:
            keys = self._terminals.get(word) or frozenset({TOKENS_BY_NAME[word]})
            start.steps.append((keys, end))
