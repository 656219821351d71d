"""The words of dipcc and the `diplomacy` package for the result of an order.

Success is the empty list.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from daide_server.board.names import Unit
from daide_server.board.orders import Order
from daide_server.board.results import Report
from daide_server.records.consequences import Consequence, Consequences, consequences_of

WORD_OF_CONSEQUENCE: Final[Mapping[Consequence, str]] = {
    Consequence.BOUNCED: "bounce",
    Consequence.CUT: "cut",
    Consequence.VOID: "void",
    Consequence.NO_CONVOY: "no convoy",
    Consequence.DISRUPTED: "disrupted",
    Consequence.DISLODGED: "dislodged",
    Consequence.DISBANDED: "disband",
}
CONSEQUENCE_OF_WORD: Final = {
    word: consequence for consequence, word in WORD_OF_CONSEQUENCE.items()
}
ONE_CONSEQUENCE: Final[Mapping[tuple[str, ...], Consequences]] = {
    (word,): (consequence,) for word, consequence in CONSEQUENCE_OF_WORD.items()
}
"""Nearly all words of results that are no success."""


def result_words(
    reports: Iterable[Report], ordered: Collection[Order]
) -> dict[Unit, list[str]]:
    """Return the words for each unit of *reports*.

    *ordered* are the players' own orders, as `consequences_of` takes them.
    """
    found = consequences_of(reports, ordered)
    # Most orders succeed, which has no words.
    return {unit: words_of(each) if each else [] for unit, each in found.items()}


def words_of(consequences: Consequences) -> list[str]:
    """Return the words for *consequences*."""
    return [WORD_OF_CONSEQUENCE[each] for each in consequences]


def consequences_in(words: Iterable[str]) -> list[Consequence]:
    """Return the consequences in *words*; others, such as `maybe`, are skipped."""
    return [CONSEQUENCE_OF_WORD[word] for word in words if word in CONSEQUENCE_OF_WORD]
