"""The choices that the rulebook leaves open, as named policies (DATC chapter 4).

`ISSUES` says what each choice means, `SETTLED` what every edition does alike. The
editions are rows of choices; `--rule` makes a single one, and the table of the
documentation is written from here.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from attrs import evolve, frozen
from msgspec import Struct

from daide_server.board.names import IdentityEnum


class AdjacentConvoy(IdentityEnum):
    """4.A.3: when an army goes by convoy to a province next to it."""

    EXPLICIT = "explicit"
    FALLBACK = "fallback"
    INTENT = "intent"
    OWN_FLEET = "own-fleet"


class ConvoyedCut(IdentityEnum):
    """4.A.4: whether a convoyed army cuts support for an attack on its origin."""

    NEVER = "a"
    ALWAYS = "b"


class ConvoyedOrigin(IdentityEnum):
    """4.A.5: whether a unit may retreat to where a convoyed attacker came from."""

    CLOSED = "a"
    OPEN = "b"


class MissingCoast(IdentityEnum):
    """4.B.2: a fleet's move without the coast that its destination needs."""

    REFUSED = "refused"
    ONLY_ONE = "only-one"


class SupportCoast(IdentityEnum):
    """4.B.4: a coast in a support."""

    IGNORED = "ignored"
    MATCHED = "matched"


class WrongCoast(IdentityEnum):
    """4.B.5, 4.B.6: a wrong coast of the ordered unit, or a coast for an army."""

    REFUSED = "refused"
    IGNORED = "ignored"


class RepeatedOrders(IdentityEnum):
    """4.D.1, 4.D.3: which of several orders for a unit counts."""

    LAST_LEGAL = "last-legal"
    LAST = "last"


class RepeatedBuilds(IdentityEnum):
    """4.D.5: which of several legal builds in one centre counts."""

    FIRST = "first"
    LAST = "last"


class CivilDisorder(IdentityEnum):
    """4.D.8: which units are removed where a power removes too few.

    The farthest from its centres first, then fleets, then by name.
    """

    HOME_CENTRES = "d"
    ANY_BORDER = "aiserver"
    OWNED_CENTRES = "2023"


class IdleAdjustments(IdentityEnum):
    """What happens to an adjustment turn in which nothing can be done.

    No unit must be removed, and no home centre is free for a build that is due.
    """

    PLAYED = "played"
    SKIPPED = "skipped"


class IllegalOrders(IdentityEnum):
    """4.E.1: what is reported of an order that the position makes impossible."""

    FORGOTTEN = "forgotten"
    REPORTED = "reported"


@frozen
class Rules:
    """One choice for each issue; the defaults are those of the edition `daide`."""

    adjacent_convoy: AdjacentConvoy = AdjacentConvoy.EXPLICIT
    convoyed_cut: ConvoyedCut = ConvoyedCut.NEVER
    convoyed_origin: ConvoyedOrigin = ConvoyedOrigin.OPEN
    missing_coast: MissingCoast = MissingCoast.REFUSED
    support_coast: SupportCoast = SupportCoast.IGNORED
    wrong_coast: WrongCoast = WrongCoast.REFUSED
    repeated_orders: RepeatedOrders = RepeatedOrders.LAST_LEGAL
    repeated_builds: RepeatedBuilds = RepeatedBuilds.FIRST
    civil_disorder: CivilDisorder = CivilDisorder.HOME_CENTRES
    idle_adjustments: IdleAdjustments = IdleAdjustments.PLAYED
    illegal_orders: IllegalOrders = IllegalOrders.FORGOTTEN


DAIDE_RULES: Final = Rules()

AISERVER_RULES: Final = evolve(
    DAIDE_RULES,
    convoyed_cut=ConvoyedCut.ALWAYS,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    civil_disorder=CivilDisorder.ANY_BORDER,
)

DIPCC_RULES: Final = evolve(
    DAIDE_RULES,
    adjacent_convoy=AdjacentConvoy.FALLBACK,
    support_coast=SupportCoast.MATCHED,
    repeated_orders=RepeatedOrders.LAST,
    repeated_builds=RepeatedBuilds.LAST,
    idle_adjustments=IdleAdjustments.SKIPPED,
)

DIPLOMACY_RULES: Final = evolve(DIPCC_RULES, adjacent_convoy=AdjacentConvoy.OWN_FLEET)

DATC_RULES: Final = evolve(
    DAIDE_RULES,
    adjacent_convoy=AdjacentConvoy.INTENT,
    missing_coast=MissingCoast.ONLY_ONE,
    support_coast=SupportCoast.MATCHED,
    wrong_coast=WrongCoast.IGNORED,
    civil_disorder=CivilDisorder.OWNED_CENTRES,
)

EDITIONS: Final[Mapping[str, Rules]] = {
    "daide": DAIDE_RULES,
    "aiserver": AISERVER_RULES,
    "dipcc": DIPCC_RULES,
    "diplomacy": DIPLOMACY_RULES,
    "datc": DATC_RULES,
}


class RuleError(ValueError):
    """There is no such issue or choice; the message says which ones there are."""


class Issue(Struct, frozen=True):
    """A question that the rulebook leaves open: the field of `Rules` that answers it.

    `choices` are its answers with what each means, in the order of the class.
    """

    number: str
    field: str
    title: str
    choices: Mapping[Enum, str]

    def chosen(self, rules: Rules) -> Enum:
        """Return what *rules* choose."""
        found = getattr(rules, self.field)
        assert isinstance(found, Enum), "every field of Rules is a choice"
        return found


ISSUES: Final = (
    Issue(
        "4.A.3",
        "adjacent_convoy",
        "an army goes to a neighbouring province: by land or by convoy",
        {
            AdjacentConvoy.EXPLICIT: "by convoy if ordered so, and then never by land",
            AdjacentConvoy.FALLBACK: "by convoy if ordered so; by land if that fails",
            AdjacentConvoy.INTENT: "by convoy if ordered so, or if a fleet of its own "
            "power carries it past a unit coming towards it",
            AdjacentConvoy.OWN_FLEET: "by convoy if there is a route of fleets and it "
            "is ordered so, or one of them is of its own power; by land without a "
            "route, and if it is not ordered so and the convoy fails",
        },
    ),
    Issue(
        "4.A.4",
        "convoyed_cut",
        "a convoyed army attacks a unit that supports an attack on its origin",
        {
            ConvoyedCut.NEVER: "the support is not cut",
            ConvoyedCut.ALWAYS: "the support is cut",
        },
    ),
    Issue(
        "4.A.5",
        "convoyed_origin",
        "a retreat to where a convoyed attacker came from",
        {ConvoyedOrigin.CLOSED: "not allowed", ConvoyedOrigin.OPEN: "allowed"},
    ),
    Issue(
        "4.B.2",
        "missing_coast",
        "a fleet moves without the coast that it should name",
        {
            MissingCoast.REFUSED: "illegal",
            MissingCoast.ONLY_ONE: "goes to the coast it can reach, if there is one",
        },
    ),
    Issue(
        "4.B.4",
        "support_coast",
        "a support names a coast",
        {
            SupportCoast.IGNORED: "only the province counts",
            SupportCoast.MATCHED: "the supported fleet must move to that coast",
        },
    ),
    Issue(
        "4.B.5",
        "wrong_coast",
        "an order has a wrong coast of its unit, or a coast for an army (4.B.6)",
        {WrongCoast.REFUSED: "illegal", WrongCoast.IGNORED: "the coast is ignored"},
    ),
    Issue(
        "4.D.1",
        "repeated_orders",
        "a unit has several orders in a movement phase (4.D.3)",
        {
            RepeatedOrders.LAST_LEGAL: "the last legal one counts",
            RepeatedOrders.LAST: "the last one counts; if it is illegal the unit holds",
        },
    ),
    Issue(
        "4.D.5",
        "repeated_builds",
        "a power orders several legal builds in one centre",
        {
            RepeatedBuilds.FIRST: "the first one counts",
            RepeatedBuilds.LAST: "the last one counts, in the place of the first",
        },
    ),
    Issue(
        "4.D.8",
        "civil_disorder",
        "a power removes too few units: the farthest go first",
        {
            CivilDisorder.HOME_CENTRES: "from home centres, fleets by sea, armies over "
            "any border; fleets before armies, then by name",
            CivilDisorder.ANY_BORDER: "from home centres over any border; then the "
            "last in the order of the map",
            CivilDisorder.OWNED_CENTRES: "from owned centres and home centres without "
            "owner, over any border; fleets before armies, then by name",
        },
    ),
    Issue(
        "4.E.1",
        "illegal_orders",
        "what is reported of an order that the position makes impossible",
        {
            IllegalOrders.FORGOTTEN: "the order before it, or that the unit holds",
            IllegalOrders.REPORTED: "the order and why it is impossible (AOA)",
        },
    ),
    Issue(
        "winter",
        "idle_adjustments",
        "a winter in which builds are due and no home centre is free",
        {
            IdleAdjustments.PLAYED: "is played, and the builds are waived",
            IdleAdjustments.SKIPPED: "is skipped",
        },
    ),
)
"""The issues with a choice, in the order of the document."""

SETTLED: Final[Mapping[str, str]] = {
    "4.A.1, 4.A.6": "a named route is the only one; of several others any may be left",
    "4.A.2": "a paradox disrupts its convoys (Szykman)",
    "4.A.7": "a dislodged unit has no effect on the province of its attacker",
    "4.B.1, 4.B.3": "a fleet's move to no coast, or to one it cannot reach, fails",
    "4.B.7": "a fleet is not built without its coast",
    "4.C": "an order for a unit of another type or power fails",
    "4.D.1, 4.D.3, retreats": "the last of several legal orders for a unit counts",
    "4.D.4, 4.D.6": "of too many builds or removals the first count",
    "4.D.7": "builds may be waived, and missing ones are",
    "4.D.9": "a unit without an order holds, and may be supported",
    "4.E.2 to 4.E.5": "orders are not corrected, implied, perpetual or by proxy",
}
"""The issues that all editions decide the same way."""

_BY_NAME: Final[Mapping[str, Issue]] = {
    **{issue.number.lower(): issue for issue in ISSUES},
    **{issue.field: issue for issue in ISSUES},
    "4.b.6": next(issue for issue in ISSUES if issue.number == "4.B.5"),
}


def choose(rules: Rules, texts: Sequence[str]) -> Rules:
    """Return *rules* with the choices *texts*, each such as `4.A.4=b`.

    Issues are named by their number or the field of `Rules`. Raises `RuleError` for
    an issue or a choice that there is not.
    """
    # The field of each choice is of the choice's own class.
    chosen: dict[str, Any] = dict(map(_choice, texts))
    return evolve(rules, **chosen)


def _choice(text: str) -> tuple[str, Enum]:
    name, equals, value = (part.strip().lower() for part in text.partition("="))
    issue = _BY_NAME.get(name.replace("-", "_"))
    if issue is None or not equals:
        numbers = ", ".join(known.number for known in ISSUES)
        message = f"found {text!r}, expected ISSUE=CHOICE; the issues are {numbers}"
        raise RuleError(message)
    for choice in issue.choices:
        if choice.value == value:
            return issue.field, choice
    known = "; ".join(f"{each.value} ({what})" for each, what in issue.choices.items())
    message = f"found {value!r} for {issue.number}, expected one of: {known}"
    raise RuleError(message)


def table() -> str:
    """Return the editions and the issues as tables of a Markdown page."""
    return "\n".join((*_editions(), "", *_choices(), "", *_settled())) + "\n"


def _editions() -> Iterator[str]:
    yield from _head("Issue", "Question", *(f"`{name}`" for name in EDITIONS))
    for issue in ISSUES:
        chosen = (issue.chosen(rules).value for rules in EDITIONS.values())
        yield _row(issue.number, issue.title, *chosen)


def _choices() -> Iterator[str]:
    yield from _head("`--rule`", "What follows")
    for issue in ISSUES:
        for choice, meaning in issue.choices.items():
            yield _row(f"`{issue.number}={choice.value}`", meaning)


def _settled() -> Iterator[str]:
    yield from _head("Issue", "In every edition")
    for numbers, meaning in SETTLED.items():
        yield _row(numbers, meaning)


def _head(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield _row(*("---" for _ in titles))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
