"""The choices that the rulebook leaves open, as named policies (DATC chapter 4).

Each issue is a class whose members are its choices; `SETTLED` lists what all editions
have in common. The editions are rows of choices; `--rule` changes a single choice, and
the table in the documentation is generated from this module.
"""
# ruff: noqa: D101 - see `Choice`

from collections.abc import Iterator, Mapping, Sequence
from inspect import getdoc
from typing import Any, Self

from attrs import evolve, fields, frozen
from msgspec import Struct

from daide_server.board.names import IdentityEnum


class Choice(IdentityEnum):
    """One choice of an issue: its value, as `--rule` names it, and what it means.

    The docstring of an issue is its number in DATC and its title in the documentation,
    and a value: `python -OO` leaves literal docstrings out.
    """

    _value_: str
    meaning: str

    def __new__(cls, value: str, meaning: str) -> Self:
        """Return the member of *value*."""
        self = object.__new__(cls)
        self._value_, self.meaning = value, meaning
        return self


class AdjacentConvoy(Choice):
    __doc__ = "4.A.3: an army goes to a neighbouring province: by land or by convoy"

    EXPLICIT = "explicit", "by convoy if ordered so, and then never by land"
    FALLBACK = "fallback", "by convoy if ordered so; by land if that fails"
    INTENT = (
        "intent",
        (
            "by convoy if ordered so, or if a fleet of its own power carries it past a "
            "unit coming towards it"
        ),
    )
    OWN_FLEET = (
        "own-fleet",
        (
            "by convoy if there is a route of fleets and it is ordered so, or one of "
            "them is of its own power; by land without a route, and if it is not "
            "ordered so and the convoy fails"
        ),
    )


class ConvoyedCut(Choice):
    __doc__ = (
        "4.A.4: a convoyed army attacks a unit that supports an attack on its origin"
    )

    NEVER = "a", "the support is not cut"
    ALWAYS = "b", "the support is cut"


class ConvoyedOrigin(Choice):
    __doc__ = "4.A.5: a retreat to where a convoyed attacker came from"

    CLOSED = "a", "not allowed"
    OPEN = "b", "allowed"


class MissingCoast(Choice):
    __doc__ = "4.B.2: a fleet moves without the coast that it should name"

    REFUSED = "refused", "illegal"
    ONLY_ONE = "only-one", "goes to the coast it can reach, if there is one"


class SupportCoast(Choice):
    __doc__ = "4.B.4: a support names a coast"

    IGNORED = "ignored", "only the province counts"
    MATCHED = "matched", "the supported fleet must move to that coast"


class WrongCoast(Choice):
    __doc__ = (
        "4.B.5: an order has a wrong coast of its unit, or a coast for an army (4.B.6)"
    )

    REFUSED = "refused", "illegal"
    IGNORED = "ignored", "the coast is ignored"


class RepeatedOrders(Choice):
    __doc__ = "4.D.1: a unit has several orders in a movement phase (4.D.3)"

    LAST_LEGAL = "last-legal", "the last legal one counts"
    LAST = "last", "the last one counts; if it is illegal the unit holds"


class RepeatedBuilds(Choice):
    __doc__ = "4.D.5: a power orders several legal builds in one centre"

    FIRST = "first", "the first one counts"
    LAST = "last", "the last one counts, in the place of the first"


class CivilDisorder(Choice):
    __doc__ = "4.D.8: a power removes too few units: the farthest go first"

    HOME_CENTRES = (
        "d",
        (
            "from home centres, fleets by sea, armies over any border; fleets before "
            "armies, then by name"
        ),
    )
    ANY_BORDER = (
        "aiserver",
        "from home centres over any border; then the last in the order of the map",
    )
    OWNED_CENTRES = (
        "2023",
        (
            "from owned centres and home centres without owner, over any border; "
            "fleets before armies, then by name"
        ),
    )


class IllegalOrders(Choice):
    __doc__ = "4.E.1: what is reported of an order that the position makes impossible"

    FORGOTTEN = "forgotten", "the order before it, or that the unit holds"
    REPORTED = "reported", "the order and why it is impossible (AOA)"


class IdleAdjustments(Choice):
    __doc__ = "winter: a winter in which builds are due and no home centre is free"

    PLAYED = "played", "is played, and the builds are waived"
    SKIPPED = "skipped", "is skipped"


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
    illegal_orders: IllegalOrders = IllegalOrders.FORGOTTEN
    idle_adjustments: IdleAdjustments = IdleAdjustments.PLAYED


DAIDE_RULES = Rules()

AISERVER_RULES = evolve(
    DAIDE_RULES,
    convoyed_cut=ConvoyedCut.ALWAYS,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    civil_disorder=CivilDisorder.ANY_BORDER,
)

DIPCC_RULES = evolve(
    DAIDE_RULES,
    adjacent_convoy=AdjacentConvoy.FALLBACK,
    support_coast=SupportCoast.MATCHED,
    repeated_orders=RepeatedOrders.LAST,
    repeated_builds=RepeatedBuilds.LAST,
    idle_adjustments=IdleAdjustments.SKIPPED,
)

DIPLOMACY_RULES = evolve(DIPCC_RULES, adjacent_convoy=AdjacentConvoy.OWN_FLEET)

DATC_RULES = evolve(
    DAIDE_RULES,
    adjacent_convoy=AdjacentConvoy.INTENT,
    missing_coast=MissingCoast.ONLY_ONE,
    support_coast=SupportCoast.MATCHED,
    wrong_coast=WrongCoast.IGNORED,
    civil_disorder=CivilDisorder.OWNED_CENTRES,
)

EDITIONS: Mapping[str, Rules] = {
    "daide": DAIDE_RULES,
    "aiserver": AISERVER_RULES,
    "dipcc": DIPCC_RULES,
    "diplomacy": DIPLOMACY_RULES,
    "datc": DATC_RULES,
}


class RuleError(ValueError):
    """There is no such issue or choice; the message lists the known ones."""


class Issue(Struct, frozen=True):
    """A question that the rulebook leaves open; `field` of `Rules` answers it."""

    number: str
    field: str
    title: str
    choices: tuple[Choice, ...]

    def chosen(self, rules: Rules) -> Choice:
        """Return the choice of *rules*."""
        found = getattr(rules, self.field)
        assert isinstance(found, Choice), "every field of Rules is a choice"
        return found


def _issue(field: str, default: Choice) -> Issue:
    kind = type(default)
    number, _, title = (getdoc(kind) or "").partition(": ")
    return Issue(number, field, title, tuple(kind))


ISSUES = tuple(
    _issue(each.name, getattr(DAIDE_RULES, each.name)) for each in fields(Rules)
)
"""The issues with a choice, in the order of the document."""

SETTLED: Mapping[str, str] = {
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

_BY_NAME: Mapping[str, Issue] = {
    **{issue.number.lower(): issue for issue in ISSUES},
    **{issue.field: issue for issue in ISSUES},
    "4.b.6": next(issue for issue in ISSUES if issue.number == "4.B.5"),
}


def choose(rules: Rules, texts: Sequence[str]) -> Rules:
    """Return *rules* with the choices *texts*, each such as `4.A.4=b`.

    Issues are named by their number or the field of `Rules`. Raises `RuleError` for
    an unknown issue or choice.
    """
    # The field of each choice is of the choice's own class.
    chosen: dict[str, Any] = dict(map(_choice, texts))
    return evolve(rules, **chosen)


def _choice(text: str) -> tuple[str, Choice]:
    name, equals, value = (part.strip().lower() for part in text.partition("="))
    issue = _BY_NAME.get(name.replace("-", "_"))
    if issue is None or not equals:
        numbers = ", ".join(known.number for known in ISSUES)
        message = f"found {text!r}, expected ISSUE=CHOICE; the issues are {numbers}"
        raise RuleError(message)
    for choice in issue.choices:
        if choice.value == value:
            return issue.field, choice
    known = "; ".join(f"{each.value} ({each.meaning})" for each in issue.choices)
    raise RuleError(f"found {value!r} for {issue.number}, expected one of: {known}")


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
        for choice in issue.choices:
            yield _row(f"`{issue.number}={choice.value}`", choice.meaning)


def _settled() -> Iterator[str]:
    yield from _head("Issue", "In every edition")
    for numbers, meaning in SETTLED.items():
        yield _row(numbers, meaning)


def _head(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield _row(*("---" for _ in titles))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
