"""Playing: what orders, votes, press and requests for the time are answered."""

import pytest

from daide_server.board.map import Phase, Variant
from daide_server.board.names import Power
from daide_server.game import playing
from daide_server.game.game_state import Seat
from daide_server.game.options import GameOptions
from daide_server.language.messages import InDisorder, Out
from daide_server.records.entries import DrawVoted, PressSent
from tests.support.scripts import Script

HOLD = "SUB ((FRA AMY PAR) HLD) ((FRA AMY MAR) HLD) ((FRA FLT BRE) HLD)"


def test_orders_for_another_turn_are_refused(standard: Variant) -> None:
    """As a whole; orders for this turn may name it."""
    script = Script(standard)
    for turn, start in (("FAL 1901", "REJ"), ("SPR 1901", "THX")):
        script.hears("FRA", f"SUB ({turn}) ((FRA AMY PAR) HLD)")
        assert script.said("FRA")[0].startswith(start)


def test_each_order_is_noted_and_missing_ones_are_named(standard: Variant) -> None:
    """One THX for each order, then MIS until nothing is missing."""
    script = Script(standard)
    script.hears("FRA", "SUB ((FRA AMY PAR) HLD) ((FRA AMY PAR) MTO MOS)")
    kinds = [text.split()[0] for text in script.said("FRA")]
    assert kinds == ["THX", "THX", "MIS"]
    script.hears("FRA", HOLD)
    assert [text.split()[0] for text in script.said("FRA")] == ["THX"] * 3


@pytest.mark.parametrize(
    ("said", "before", "answer"),
    [
        ("NOT (SUB ((FRA AMY PAR) HLD))", HOLD, "YES"),
        ("NOT (SUB ((FRA AMY PAR) HLD))", None, "REJ"),
        ("NOT (SUB)", None, "YES"),
        ("NOT (GOF)", None, "YES"),
        ("TME (10)", None, "YES"),
        ("TME (101)", None, "REJ"),
        ("NOT (TME (10))", "TME (10)", "YES"),
        ("NOT (TME (10))", None, "REJ"),
        ("NOT (TME)", None, "YES"),
        ("DRW", None, "YES"),
        ("NOT (DRW)", None, "YES"),
    ],
)
def test_what_can_be_done_is_accepted(
    standard: Variant, said: str, before: str | None, answer: str
) -> None:
    """And what cannot is refused, to the one who sent it only."""
    script = Script(standard, "mtl=100")
    if before is not None:
        script.hears("FRA", before)
        script.forgets()
    script.hears("FRA", said)
    script.says("FRA", f"{answer} ({said})")
    script.is_silent()


def test_votes_are_recorded_as_they_were_cast(standard: Variant) -> None:
    """Those that name powers, and those that are taken back."""
    script = Script(standard, "level=10", "pda")
    france, england = Power("FRA"), Power("ENG")
    for said in ("DRW (FRA ENG)", "NOT (DRW (FRA ENG))", "DRW", "DRW (FRA)"):
        script.hears("FRA", said)
    votes = [entry for entry in script.records if isinstance(entry, DrawVoted)]
    assert [(vote.powers, vote.withdrawn) for vote in votes] == [
        ((france, england), False),
        ((france, england), True),
        (None, False),
    ]


def test_each_withdrawal_takes_back_its_own_kind(standard: Variant) -> None:
    """NOT (DRW) leaves a vote with a list, and the other way round."""
    script = Script(standard, "level=10", "pda")
    everybody = " ".join(standard.map.powers)
    for power in standard.map.powers[1:]:
        script.hears(power, f"DRW ({everybody})")
    script.hears("ENG", "NOT (DRW)")
    assert script.game.stage.name == "PLAYING"
    script.hears(standard.map.powers[0], f"DRW ({everybody})")
    assert script.game.stage.name == "ENDED"


def test_press_reaches_each_recipient_once(standard: Variant) -> None:
    """And is recorded once; its sender gets YES."""
    script = Script(standard, "level=10")
    script.hears("FRA", "SND (ENG GER ENG) (PRP (PCE (FRA ENG GER)))")
    for power in ("ENG", "GER"):
        (text,) = script.said(power)
        assert text.startswith("FRM ( FRA ) ( ENG GER ENG )")
    assert len(script.said("FRA")) == 1
    script.is_silent()
    (entry,) = (e for e in script.records if isinstance(e, PressSent))
    assert entry.text == "PRP ( PCE ( FRA ENG GER ) )"


def test_press_to_who_cannot_read_it_is_sent_to_nobody(standard: Variant) -> None:
    """CCD names the first recipient without a client."""
    script = Script(standard, "level=10")
    script.loses("GER")
    script.forgets()
    script.hears("FRA", "SND (ENG GER) (PRP (PCE (FRA ENG GER)))")
    script.says("FRA", "CCD (GER)")
    script.is_silent()
    assert not any(isinstance(entry, PressSent) for entry in script.records)


@pytest.mark.parametrize(
    ("words", "allowed"), [((), True), (("admin_allowed=0",), False)]
)
def test_adm_goes_to_everybody_if_the_policy_allows_it(
    standard: Variant, words: tuple[str, ...], *, allowed: bool
) -> None:
    """To its sender too; a stranger reaches nobody."""
    script = Script(standard, *words)
    script.hears("x", "ADM ('x') ('hello')")
    assert script.said("x") == ["REJ ( ADM ( 'x' ) ( 'hello' ) )"]
    script.hears("ENG", "ADM ('x') ('hello')")
    assert script.said("ENG")[0].startswith("ADM" if allowed else "REJ")
    assert bool(script.said("FRA")) is allowed


def test_a_vote_that_is_repeated_is_one_entry(standard: Variant) -> None:
    """Each time it is answered; so is a withdrawal without a vote."""
    script = Script(standard)
    for _ in range(50):
        script.hears("FRA", "DRW")
    for _ in range(50):
        script.hears("FRA", "NOT (DRW)")
    assert script.said("FRA") == ["YES ( DRW )"] * 50 + ["YES ( NOT ( DRW ) )"] * 50
    votes = [each for each in script.records if isinstance(each, DrawVoted)]
    assert [vote.withdrawn for vote in votes] == [False, True]


FRA, ENG, TUR = Power("FRA"), Power("ENG"), Power("TUR")


@pytest.mark.parametrize(
    ("left", "expected"), [(None, True), (61, True), (60, False), (0, False)]
)
def test_the_press_deadline(left: int | None, *, expected: bool) -> None:
    """With PTL 60 press is refused when 60 seconds or less remain."""
    options = GameOptions(level=10, press_limit=60)
    assert playing.is_open(options, Phase.MOVEMENT, left) is expected
    assert playing.is_open(options, Phase.RETREATS, left)


def test_phases_without_press() -> None:
    """NPR and NPB close a phase each."""
    options = GameOptions(level=10, no_retreat_press=True)
    assert not playing.is_open(options, Phase.RETREATS, None)
    assert playing.is_open(options, Phase.ADJUSTMENTS, None)
    options = GameOptions(level=10, no_build_press=True)
    assert not playing.is_open(options, Phase.ADJUSTMENTS, None)


def test_out_comes_before_disorder() -> None:
    """One reply, for the first such recipient."""
    english, turkish = seats = [Seat(ENG, 1), Seat(TUR, 2)]
    assert playing.press_refusal(seats, {ENG, FRA, TUR}) is None
    turkish.in_disorder = True
    english.in_disorder = True
    assert playing.press_refusal(seats, {ENG, FRA}) == Out(TUR)
    assert playing.press_refusal(seats, {ENG, FRA, TUR}) == InDisorder(ENG)


def test_whom_and_when(standard: Variant) -> None:
    """Not to oneself, and not for another turn."""
    script = Script(standard, "level=10")
    for words, is_sent in (
        ("(ENG)", True),
        ("(SPR 1901) (ENG)", True),
        ("(FAL 1901) (ENG)", False),
        ("(ENG FRA)", False),
    ):
        script.hears("FRA", f"SND {words} (PRP (PCE (FRA ENG)))")
        assert script.said("FRA")[-1].startswith("YES" if is_sent else "REJ")
