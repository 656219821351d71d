"""A grammar: tells whether tokens are a sentence, or where they stop being one.

Rules (see `notation`) become an automaton that knows, after each token, all ways
in which the message may go on. So it never goes back, needs a step per token,
and the token without a step is the one that ERR belongs before: a wrong token, or
the close bracket of a part in which something is missing. Since rules call each
other only through brackets, a stack of the brackets that are open is all that
nesting takes. States are made when they are first reached and then kept; their
number depends on the rules alone.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import Factory, define

from .productions import (
    BracketedPart,
    OptionalPart,
    Part,
    Productions,
    Repeat,
    Sequence,
)
from .tokens import BRA, KET, TOKENS_BY_NAME, Token, Tokens

ProductionKey = int
"""A token, or a whole category: the complement of its number."""

Terminals = Mapping[str, frozenset[ProductionKey]]


def whole(*categories: int) -> frozenset[ProductionKey]:
    """Return the terminal that stands for any token of *categories*."""
    return frozenset(~category for category in categories)


@define(eq=False)
class _Point:
    """A place between two items of the rules, and the ways on from there."""

    steps: list[tuple[frozenset[ProductionKey], "_Point"]] = Factory(list)
    parts: list[tuple[BracketedPart, "_Point"]] = Factory(list)
    free: list["_Point"] = Factory(list)


_Place = tuple[BracketedPart, _Point]
"""A point, and the bracketed part that it lies in."""


@define(eq=False)
class _State:
    """All places where a message may have come to within the innermost brackets."""

    places: frozenset[_Place]
    complete: frozenset[BracketedPart]
    """The parts that may end here."""
    steps: dict[ProductionKey, "_State"] = Factory(dict)
    inside: "_State | None" = None
    after: dict["_State", "_State"] = Factory(dict)
    """Where a part leads that ended in a state."""


class Grammar:
    """The sentences of one rule.

    *terminals* are rules that stand for tokens; no token of a category may
    stand where the whole category may.
    """

    def __init__(self, rules: Productions, terminals: Terminals, start: str) -> None:
        self._rules: Final = rules
        self._terminals: Final = terminals
        self._contents: Final[dict[BracketedPart, tuple[_Point, _Point]]] = {}
        self._states: Final[dict[frozenset[_Place], _State]] = {}
        self._whole: Final = BracketedPart((start,))
        self._start: Final = self._opened([self._whole])

    def fault(self, tokens: Tokens) -> int | None:
        """Return the place of the first token with which no sentence goes on.

        It is the length of *tokens* if they only end too soon, and `None` if
        they are a sentence.
        """
        state = self._start
        open_parts: list[_State] = []
        for place, token in enumerate(tokens):
            following: _State | None
            if token == BRA:
                following = state.inside or self._inside(state)
                open_parts.append(state)
            elif token == KET:
                if not open_parts:
                    return place
                outer = open_parts.pop()
                following = outer.after.get(state) or self._after(outer, state)
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
        is_sentence = not open_parts and self._whole in state.complete
        return None if is_sentence else len(tokens)

    # From state to state

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
        """Return the state of *places* and all that are free to reach from there."""
        closed: set[_Place] = set()
        waiting = list(places)
        while waiting:
            part, point = waiting.pop()
            if (part, point) not in closed:
                closed.add((part, point))
                waiting += [(part, end) for end in point.free]
        key = frozenset(closed)
        if key not in self._states:
            complete = (part for part, at in closed if at is self._content(part)[1])
            self._states[key] = _State(key, frozenset(complete))
        return self._states[key]

    # From rules to points

    def _content(self, part: BracketedPart) -> tuple[_Point, _Point]:
        """Return the first and the last point of the content of *part*."""
        if part not in self._contents:
            first = _Point()
            self._contents[part] = first, self._lay_all(part.items, first)
        return self._contents[part]

    def _lay_all(self, items: Sequence, start: _Point) -> _Point:
        for item in items:
            start = self._lay(item, start)
        return start

    def _lay(self, item: Part, start: _Point) -> _Point:
        """Lay the ways through *item* from *start*; return where they end."""
        end = _Point()
        match item:
            case BracketedPart():
                start.parts.append((item, end))
            case OptionalPart(items):
                start.free.append(end)
                self._lay_all(items, start).free.append(end)
            case Repeat(inner):
                first = _Point()
                start.free.append(first)
                last = self._lay(inner, first)
                last.free += [first, end]
            case _:
                self._lay_word(item, start, end)
        return end

    def _lay_word(self, word: str, start: _Point, end: _Point) -> None:
        if word in self._rules and word not in self._terminals:
            for items in self._rules[word]:
                self._lay_all(items, start).free.append(end)
        else:
            start.steps.append((self._keys(word), end))

    def _keys(self, word: str) -> frozenset[ProductionKey]:
        return self._terminals.get(word) or frozenset({TOKENS_BY_NAME[word]})
