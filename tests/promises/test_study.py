"""Promises of whole games: who agreed to what, and whether the orders kept it."""

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from daide_server.records.promises.actions import RecordedActions
from daide_server.records.promises.study import Promise, promises
from daide_server.records.promises.verdicts import Verdict
from daide_server.records.record import (
    DrawVote,
    Ending,
    GameRecord,
    Message,
    PlayedTurn,
)
from tests.judge.scenes import orders_in
from tests.support.boards import Texts

ENG, FRA, GER = Power("ENG"), Power("FRA"), Power("GER")
SPRING, FALL = Turn(Season.SPRING, 1901), Turn(Season.FALL, 1901)

Said = tuple[str, str, str]
"""The sender, the recipients, the press."""


def game(
    variant: Variant,
    said: Mapping[int, Sequence[Said]],
    *orders: Texts,
    ending: Ending | None = None,
) -> GameRecord:
    """Return a game of these turns, with what was said in each, by number."""
    position, turns, messages = variant.start, [], []
    for number in range(max(len(orders), *said, 0) + 1):
        messages += [
            Message(
                position.turn,
                Power(sender),
                tuple(map(Power, recipients.split())),
                text,
                float(number),
            )
            for sender, recipients, text in said.get(number, ())
        ]
        if number < len(orders):
            given = tuple(orders_in(variant, position, orders[number]))
            resolution = adjudicate(variant, position, given)
            turns.append(PlayedTurn(position, given, resolution.reports, 0.0))
            position = resolution.next
    return GameRecord(
        id="game",
        variant=variant,
        edition="daide",
        level=130,
        started=0.0,
        sittings=(),
        turns=tuple(turns),
        messages=tuple(messages),
        votes=(),
        ending=ending,
        winners=(),
        last=position,
        last_since=0.0,
        ended=None,
    )


def agreed(proposal: str) -> list[Said]:
    """Return that France proposes to England, who accepts."""
    return [("FRA", "ENG", proposal), ("ENG", "FRA", f"YES ({proposal})")]


def only(found: Sequence[Promise]) -> Promise:
    (promise,) = found
    return promise


def verdicts(found: Sequence[Promise]) -> dict[str, str]:
    """Return the verdict on the promise of each power."""
    return {promise.power: promise.finding.verdict.value for promise in found}


XDO_KEPT = "PRP (XDO ((FRA AMY PAR) MTO PIC))"


EITHER = "(XDO ((FRA AMY PAR) MTO PIC)) (XDO ((FRA AMY PAR) MTO BUR))"
BOTH = "AND (XDO ((FRA AMY PAR) MTO PIC)) (XDO ((ENG FLT LON) MTO NTH))"
ZONE = "DMZ (FRA ENG) (BUR ECH)"
UNDECIDED = "not decided"


@pytest.mark.parametrize(
    ("arrangement", "turns", "found"),
    [
        ("XDO ((FRA AMY PAR) MTO PIC)", ["A PAR - PIC"], {"FRA": "kept"}),
        ("XDO ((FRA AMY PAR) MTO PIC)", ["A PAR - BUR"], {"FRA": "broken"}),
        ("XDO ((FRA AMY PAR) MTO PIC)", ["A PAR H"], {"FRA": "broken"}),
        # A unit without an order holds.
        ("XDO ((FRA AMY PAR) HLD)", [""], {"FRA": "kept"}),
        ("NOT (XDO ((FRA AMY PAR) MTO BUR))", ["A PAR - PIC"], {"FRA": "kept"}),
        ("NOT (XDO ((FRA AMY PAR) MTO BUR))", ["A PAR - BUR"], {"FRA": "broken"}),
        (ZONE, ["A PAR - BUR"], {"FRA": "broken", "ENG": "kept"}),
        (ZONE, ["A MAR S A PAR - BUR"], {"FRA": "broken", "ENG": "kept"}),
        (ZONE, ["A PAR - PIC"], {"FRA": "kept", "ENG": "kept"}),
        # Who is in the zone must leave it, and support leads nobody out.
        ("DMZ (FRA) (PAR)", ["A PAR H"], {"FRA": "broken"}),
        ("DMZ (FRA) (PAR)", ["A PAR - PIC"], {"FRA": "kept"}),
        ("DMZ (FRA) (PAR)", ["A MAR S A PAR - BUR"], {"FRA": "broken"}),
        (f"ORR {EITHER}", ["A PAR - PIC"], {"FRA": "kept"}),
        (f"ORR {EITHER}", ["A PAR - BUR"], {"FRA": "kept"}),
        (f"ORR {EITHER}", ["A PAR - GAS"], {"FRA": "broken"}),
        (f"CHO (2 2) {EITHER}", ["A PAR - PIC"], {"FRA": "broken"}),
        # A plan that came true.
        ("OCC (FRA UNT PIC)", ["A PAR - PIC"], {"FRA": "kept"}),
        (
            BOTH,
            ["FRA: A PAR - PIC; ENG: F LON - ECH"],
            {"FRA": "kept", "ENG": "broken"},
        ),
        (
            "FOR (FAL 1901) (XDO ((FRA AMY PIC) MTO BEL))",
            ["A PAR - PIC", "A PIC - BEL"],
            {"FRA": "kept"},
        ),
        # Plans that did not come true.
        ("SCD (FRA BEL) (ENG NWY)", ["", ""], {"FRA": UNDECIDED, "ENG": UNDECIDED}),
        ("OCC (FRA AMY BEL)", ["", ""], {"FRA": UNDECIDED}),
        ("SLO (ENG)", ["", ""], {"FRA": UNDECIDED}),
        ("XOY (FRA) (ENG)", ["", ""], {"FRA": UNDECIDED, "ENG": UNDECIDED}),
        # An alliance is kept by attacking the common enemy.
        (
            "ALY (FRA ENG) VSS (GER)",
            ["FRA: A PAR - BUR; ENG: F LON - ECH", "A BUR - MUN"],
            {"FRA": "kept", "ENG": UNDECIDED},
        ),
    ],
)
def test_the_verdict_says_when_and_why_a_promise_was_broken(
    standard: Variant, arrangement: str, turns: list[str], found: dict[str, str]
) -> None:
    """In a turn only France orders something, or powers that are named."""
    orders = [f"FRA: {it}" if it and ":" not in it else it for it in turns]
    record = game(standard, {0: agreed(f"PRP ({arrangement})")}, *orders)
    assert verdicts(promises(record)) == found


def test_an_order_that_is_not_legal_is_impossible(standard: Variant) -> None:
    press = agreed("PRP (XDO ((FRA AMY PAR) MTO MOS))")
    promise = only(promises(game(standard, {0: press}, "")))
    assert promise.finding.verdict is Verdict.IMPOSSIBLE
    assert "FAR" in promise.finding.reason


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "unanswered"),
        ([("ENG", "FRA", f"REJ ({XDO_KEPT})")], "rejected"),
        ([("ENG", "FRA", f"BWX ({XDO_KEPT})")], "rejected"),
        ([("FRA", "ENG", f"CCL ({XDO_KEPT})")], "cancelled"),
        ([("GER", "FRA", f"YES ({XDO_KEPT})")], "unanswered"),
        ([("ENG", "FRA", "YES (PRP (PCE (FRA ENG)))")], "unanswered"),
    ],
)
def test_what_was_not_agreed_is_void(
    standard: Variant, answers: list[Said], reason: str
) -> None:
    said = [("FRA", "ENG", XDO_KEPT), *answers]
    promise = only(promises(game(standard, {0: said}, "FRA: A PAR - PIC")))
    assert promise.finding.verdict is Verdict.VOID
    assert promise.finding.reason == reason


def test_all_recipients_must_accept(standard: Variant) -> None:
    peace = "PRP (PCE (FRA ENG GER))"
    said = [("FRA", "ENG GER", peace), ("ENG", "FRA GER", f"YES ({peace})")]
    record = game(standard, {0: said}, "")
    assert {each.finding.verdict for each in promises(record)} == {Verdict.VOID}
    said = [*said, ("GER", "FRA ENG", f"YES ({peace})")]
    record = game(standard, {0: said}, "")
    assert verdicts(promises(record)) == {"FRA": "kept", "ENG": "kept", "GER": "kept"}


def test_a_power_that_took_no_part_has_promised_nothing(standard: Variant) -> None:
    press = agreed("PRP (XDO ((GER AMY MUN) MTO BUR))")
    promise = only(promises(game(standard, {0: press}, "")))
    assert promise.finding.verdict is Verdict.VOID
    assert promise.finding.reason == "GER took no part"


def test_an_answer_after_the_turn_is_too_late(standard: Variant) -> None:
    said = {0: [("FRA", "ENG", XDO_KEPT)], 1: [("ENG", "FRA", f"YES ({XDO_KEPT})")]}
    record = game(standard, said, "FRA: A PAR - BUR", "")
    assert only(promises(record)).finding.reason == "agreed too late"


def test_peace_is_broken_by_an_attack(standard: Variant) -> None:
    said = {0: agreed("PRP (PCE (FRA ENG))")}
    record = game(standard, said, "ENG: F LON - ECH; FRA: F BRE H", "ENG: F ECH - BRE")
    found = {promise.power: promise.finding for promise in promises(record)}
    assert found[FRA].verdict is Verdict.KEPT
    assert found[ENG].verdict is Verdict.BROKEN
    assert found[ENG].turn == FALL
    assert found[ENG].reason == "attacked FRA in BRE"


def test_an_attack_that_was_agreed_on_breaks_no_peace(standard: Variant) -> None:
    bounce = "PRP (XDO ((ENG FLT ECH) MTO BRE))"
    said = {0: agreed("PRP (PCE (FRA ENG))"), 1: agreed(bounce)}
    record = game(standard, said, "ENG: F LON - ECH", "ENG: F ECH - BRE")
    assert {each.finding.verdict for each in promises(record)} == {Verdict.KEPT}


def test_peace_ends_when_it_is_lifted(standard: Variant) -> None:
    peace = "PCE (FRA ENG)"
    for lifting in (
        agreed(f"PRP (NAR ({peace}))"),
        [("ENG", "FRA", f"FCT (NOT ({peace}))")],
    ):
        said = {0: agreed(f"PRP ({peace})"), 1: lifting}
        record = game(standard, said, "ENG: F LON - ECH", "ENG: F ECH - BRE")
        found = [each for each in promises(record) if each.power == ENG]
        assert found[0].finding.verdict is Verdict.KEPT


def test_a_draw_needs_the_vote_in_that_turn(standard: Variant) -> None:
    record = game(standard, {0: agreed("PRP (DRW)")}, "")
    vote = DrawVote(SPRING, FRA, None, withdrawn=False, seconds=0.0)
    found = verdicts(promises(replace(record, votes=(vote,))))
    assert found == {"FRA": "kept", "ENG": "broken"}
    back = DrawVote(SPRING, FRA, None, withdrawn=True, seconds=1.0)
    found = verdicts(promises(replace(record, votes=(vote, back))))
    assert found["FRA"] == "broken"


@pytest.mark.parametrize(
    ("english", "french", "verdict"),
    [
        ("F LON - NTH", "A PAR - PIC", "kept"),
        ("F LON - NTH", "A PAR - BUR", "broken"),
        ("F LON - ECH", "A PAR - BUR", "void"),
    ],
)
def test_a_conditional_promise_binds_if_its_condition_holds(
    standard: Variant, english: str, french: str, verdict: str
) -> None:
    condition = "XDO ((ENG FLT LON) MTO NTH)"
    press = agreed(f"IFF ({condition}) THN ({XDO_KEPT})")
    record = game(standard, {0: press}, f"ENG: {english}; FRA: {french}")
    assert verdicts(promises(record)) == {"FRA": verdict}


def test_the_later_agreement_wins(standard: Variant) -> None:
    said = [*agreed(XDO_KEPT), *agreed("PRP (XDO ((FRA AMY PAR) MTO BUR))")]
    record = game(standard, {0: said}, "FRA: A PAR - BUR")
    assert [each.finding.verdict for each in promises(record)] == [
        Verdict.VOID,
        Verdict.KEPT,
    ]


def test_press_that_is_not_of_daide_is_no_promise(standard: Variant) -> None:
    said = [("FRA", "ENG", "I will move to Picardy"), ("FRA", "ENG", "PRP (PCE")]
    assert promises(game(standard, {0: said}, "")) == ()


def test_turns_are_found_by_time_in_whatever_order_a_file_has_them(
    standard: Variant,
) -> None:
    record = game(standard, {}, "", "", "")
    first, *later = record.turns
    actions = RecordedActions(replace(record, turns=(*later, first)))

    assert [*actions.turns_from(SPRING, FALL)] == [first, later[0]]
    assert [*actions.turns_from(FALL)] == later
