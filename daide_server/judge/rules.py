"""The choices that the rulebook leaves open, as named policies (DATC chapter 4).

What every edition does alike is not a choice here: convoy paradoxes are resolved
by Szykman's rule (4.A.2), a named route is the only one and an unnamed one is any
that is left (4.A.1, 4.A.6), of too many builds or removals the first count (4.D.4,
4.D.6), missing builds are waived (4.D.7), and an order that the position makes
impossible is refused while its unit holds (4.E.1).
"""

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from daide_server.board.identity_enum import IdentityEnum
from daide_server.classes import frozen


class AdjacentConvoy(IdentityEnum):
    """4.A.3: when an army goes by convoy to a province next to it."""

    EXPLICIT = "explicit"
    """If it is ordered to, and then never by land."""
    FALLBACK = "fallback"
    """If it is ordered to; by land when no route is left."""
    INTENT = "intent"
    """Also if a fleet of its own power convoys it past a unit coming towards it."""
    OWN_FLEET = "own-fleet"
    """If fleets make a route, and it is ordered to or one of them is of its own power.

    By land without a route, and if it is not ordered to and none is left.
    """


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
    """Taken as the only coast that can be reached, if there is just one."""


class SupportCoast(IdentityEnum):
    """4.B.4: a coast in a support."""

    IGNORED = "ignored"
    MATCHED = "matched"
    """The supported unit must move to that very coast."""


class WrongCoast(IdentityEnum):
    """4.B.5, 4.B.6: a wrong coast of the ordered unit, or a coast for an army."""

    REFUSED = "refused"
    IGNORED = "ignored"


class RepeatedOrders(IdentityEnum):
    """4.D.1, 4.D.3: which of several orders for a unit counts."""

    LAST_LEGAL = "last-legal"
    LAST = "last"
    """In a movement phase the last one, so that the unit holds if that is illegal."""


class RepeatedBuilds(IdentityEnum):
    """4.D.5: which of several legal builds in one centre counts."""

    FIRST = "first"
    LAST = "last"


class CivilDisorder(IdentityEnum):
    """4.D.8: which units are removed where a power removes too few.

    The farthest from its centres first, then fleets, then by name.
    """

    HOME_CENTRES = "d"
    """From the home centres; fleets by sea, armies over any border."""
    ANY_BORDER = "aiserver"
    """From the home centres over any border; then the last in the map's order."""
    OWNED_CENTRES = "2023"
    """From the centres that are owned, and home centres without owner; everything
    over any border."""


class IdleAdjustments(IdentityEnum):
    """What happens to an adjustment turn in which nothing can be done.

    No unit must be removed, and no home centre is free for a build that is due.
    """

    PLAYED = "played"
    SKIPPED = "skipped"


class IllegalOrders(IdentityEnum):
    """4.E.1: what is reported of an order that the position makes impossible."""

    FORGOTTEN = "forgotten"
    """The order that it replaces stands; without one the unit is ordered to hold."""
    REPORTED = "reported"
    """The order itself, with its note as the result (DAIDE's AOA); the unit holds."""


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
