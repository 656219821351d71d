"""The orders that texts mean on one map, remembered for all games that are read.

What a text means follows from the power, from the phase and, for supports and convoys,
from the unit that stands in the province of the other unit.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, final

from attrs import define

from daide_server.board.map import Map, Phase
from daide_server.board.names import Power, Province, Unit
from daide_server.board.notation import Notation, NotationError, Reader
from daide_server.board.orders import Order
from daide_server.board.results import Report
from daide_server.formats.errors import FormatError
from daide_server.records.consequences import Consequence, Consequences, consequences_of

REMEMBERED_ORDERS: Final = 1 << 15
"""Ten megabytes at most, and enough for what real games order."""
MAX_ORDER_LENGTH: Final = 400
"""Characters; an army that names every sea of its way needs fewer."""
OTHER_PLACE: Final = 4
"""The index of the word of `A PAR S A MAR - BUR` that locates the other unit."""


def expect_short(order: str) -> None:
    """Raise `FormatError` if *order* has more than `MAX_ORDER_LENGTH` characters."""
    if len(order) > MAX_ORDER_LENGTH:
        message = (
            f"order {order!r}: found {len(order)} characters, "
            f"expected {MAX_ORDER_LENGTH} at most"
        )
        raise FormatError(message)


@final
@define(eq=False)
class _Joint:
    """What a support or a convoy means, by the unit in the province `other`.

    That is `order` if it is `there`, which is mostly so, and else one of `others`.
    """

    other: Province
    there: Unit | None
    order: Order
    others: dict[Unit | None, Order] | None = None

    def with_other(self, there: Unit | None) -> Order | None:
        """Return the order with another unit there; `None` if it is not known."""
        return None if self.others is None else self.others.get(there)


_Known = dict[str, Order | _Joint]


class OrderTexts:
    """Reads orders on one map; texts that were read before are looked up."""

    def __init__(self, board_map: Map, notation: Notation) -> None:
        self._map = board_map
        self._notation = notation
        self._known: Final[Mapping[Phase, defaultdict[Power, _Known]]] = {
            phase: defaultdict(dict) for phase in Phase
        }
        self._count = 0

    def order(
        self, text: str, power: Power, units: Mapping[Province, Unit], phase: Phase
    ) -> Order:
        """Return the order *text* of *power*, whether or not it is legal.

        *units* has the supported and convoyed units by their province. Raises
        `FormatError` for a text that is no order.
        """
        return self.orders((text,), power, units, phase)[0]

    def orders(
        self,
        texts: Iterable[str],
        power: Power,
        units: Mapping[Province, Unit],
        phase: Phase,
    ) -> list[Order]:
        """Return the orders of *power*, each as `order` does."""
        found: list[Order] = []
        known = self._known[phase][power].get
        for text in texts:
            order = known(text)
            if type(order) is _Joint:
                there = units.get(order.other)
                is_usual = there is order.there
                order = order.order if is_usual else order.with_other(there)
            if order is None:
                order = self._read(text, power, units, phase)
            found.append(order)
        return found

    def _read(
        self, text: str, power: Power, units: Mapping[Province, Unit], phase: Phase
    ) -> Order:
        """Read *text*, and remember what it means."""
        expect_short(text)
        other = self._other(text)
        there = None if other is None else units.get(other)
        at = {} if there is None else {there.province: there}
        try:
            order = Reader(self._notation, self._map, at, phase).order(text, power)
        except NotationError as error:
            message = f"order {text!r}: {error}"
            raise FormatError(message) from None
        self._forget_if_full()
        self._count += 1
        known = self._known[phase][power]
        joint = known.get(text)
        if other is None:
            known[text] = order
        elif joint is None:
            known[text] = _Joint(other, there, order)
        else:
            assert isinstance(joint, _Joint), "the text says whether it is one"
            joint.others = {**(joint.others or {}), there: order}
        return order

    def _forget_if_full(self) -> None:
        if self._count >= REMEMBERED_ORDERS:
            for of_phase in self._known.values():
                of_phase.clear()
            self._count = 0

    def _other(self, text: str) -> Province | None:
        """Return the province of the unit that the order supports or convoys."""
        words = text.upper().split()
        if len(words) <= OTHER_PLACE or words[2] not in {"S", "C"}:
            return None
        name = words[OTHER_PLACE].partition("/")[0]
        return self._notation.spelled.get(name, Province(name))


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
