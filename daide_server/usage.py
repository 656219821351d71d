"""The usage of language models that bots report: by turn, and in total.

Bots are untrusted, so all values are limited where they are read.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log2
from typing import Annotated

from attrs import frozen
from msgspec import Meta, Struct

MOST = 1e12
"""The maximum of each number, also of a sum."""
LONGEST_MODEL = 100
"""Characters of the name of a model."""
Number = Annotated[float, Meta(ge=0, le=MOST)]
Count = Annotated[int, Meta(ge=0, le=int(MOST))]


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The usage of a language model; `seconds` is the duration of its calls.

    `cost` is in the currency of the bot's choice, `model` the name of the model.
    """

    model: Annotated[str, Meta(max_length=LONGEST_MODEL)] = ""
    calls: Count = 1
    tokens_in: Count = 0
    tokens_out: Count = 0
    cost: Number = 0.0
    seconds: Number = 0.0


class TurnUsage(Struct, frozen=True, omit_defaults=True):
    """The number of orders in one line of a bot, and the usage for them."""

    phase: str
    orders: int = 0
    usage: Usage | None = None


def total_usage(parts: Iterable[Usage | None]) -> Usage | None:
    """Return the sum of *parts*; `None` if there are none."""
    found = [part for part in parts if part is not None]
    if not found:
        return None
    return Usage(
        model=", ".join(sorted({part.model for part in found} - {""}))[:LONGEST_MODEL],
        calls=_sum(part.calls for part in found),
        tokens_in=_sum(part.tokens_in for part in found),
        tokens_out=_sum(part.tokens_out for part in found),
        cost=min(MOST, sum(part.cost for part in found)),
        seconds=min(MOST, sum(part.seconds for part in found)),
    )


USAGE_COLUMNS = ("model", "calls", "tokens_in", "tokens_out", "cost", "call_seconds")


def usage_cells(usage: Usage | None) -> Sequence[str | float | None]:
    """Return the cells of `USAGE_COLUMNS`; empty without usage."""
    if usage is None:
        return (None,) * 6
    counts = usage.calls, usage.tokens_in, usage.tokens_out
    return (usage.model, *counts, usage.cost, usage.seconds)


def usage_text(usage: Usage) -> str:
    """Return *usage* in words."""
    tokens = f"{usage.tokens_in} tokens in, {usage.tokens_out} out"
    took = f"cost {usage.cost:.4g}, {usage.seconds:.1f} s"
    return f"{usage.model or 'a model'}: {usage.calls} calls, {tokens}, {took}"


def _sum(counts: Iterable[int]) -> int:
    return min(int(MOST), sum(counts))


# Time

CLASSES_PER_OCTAVE = 8
SHORTEST = 1e-6
"""Seconds; shorter times count as this."""


@frozen
class ThinkTimes:
    """The durations of turns: counts, and the `longest` in seconds."""

    counts: Mapping[int, int] = {}
    longest: float = 0.0

    @property
    def turns(self) -> int:
        """The number of timed turns."""
        return sum(self.counts.values())

    def quantile(self, share: float) -> float | None:
        """Return the seconds that *share* of the turns took at most; `None` if none."""
        rank = max(1, ceil(share * self.turns))
        for time_class in sorted(self.counts):
            rank -= self.counts[time_class]
            if rank <= 0:
                middle = 2 ** ((time_class + 0.5) / CLASSES_PER_OCTAVE)
                return min(middle, self.longest)
        return None


NO_TURNS = ThinkTimes()


def think_times(seconds: Iterable[float]) -> ThinkTimes:
    """Return *seconds*, one for each turn, as counts."""
    seconds = tuple(seconds)
    counts = Counter(
        floor(CLASSES_PER_OCTAVE * log2(max(each, SHORTEST))) for each in seconds
    )
    return ThinkTimes(counts, max(seconds, default=0.0))


def all_think_times(parts: Iterable[ThinkTimes]) -> ThinkTimes:
    """Return the turns of all *parts* together."""
    counts, longest = Counter[int](), 0.0
    for part in parts:
        counts.update(part.counts)
        longest = max(longest, part.longest)
    return ThinkTimes(counts, longest)
