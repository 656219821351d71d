"""Turns and their ends: what is missing, what is recorded, how a game ends."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Hold
from daide_server.daide.messages import MissingUnits, SubmittedOrder
from daide_server.daide.tokens import LAST_PLAYED_YEAR
from daide_server.game.events import Stage
from daide_server.game.game_state import GameState
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.game.turns import CurrentTurn
from daide_server.judge.rules import DAIDE_RULES, EDITIONS, IllegalOrders
from daide_server.library.variants import load_variant
from daide_server.records.entries import DrawVoted, Ended, fold
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import Ending
from daide_server.records.replay import replay
from daide_server.records.standings import game_result
from tests.support.scripts import PASSCODES, Script

FRANCE = Power("FRA")
POWERS = tuple(PASSCODES)


@given(chosen=st.lists(st.integers(0, 5), max_size=12))
def test_what_is_missing_is_what_was_not_accepted(
    standard: Variant, chosen: list[int]
) -> None:
    """Whatever is ordered and cancelled, MIS lists the other units."""
    turn = CurrentTurn(standard.map, standard.start, DAIDE_RULES, any_orders=False)
    units = standard.start.units_of(FRANCE)
    for number in chosen:
        order = Hold(units[number % 3])
        if number < 3:
            turn.submit([SubmittedOrder(order, ())], FRANCE)
        else:
            turn.cancel(order, FRANCE)
    accepted = {order.unit for order in turn.accepted() if isinstance(order, Hold)}
    missing = tuple(unit for unit in units if unit not in accepted)
    assert turn.missing(FRANCE) == MissingUnits(missing)
    assert turn.is_complete(FRANCE) is not bool(missing)


def test_votes_are_recorded_as_they_were_cast(standard: Variant) -> None:
    """Those that name powers, and those that are taken back."""
    script = Script(standard, "level=10", "pda")
    england = Power("ENG")
    for said in ("DRW (FRA ENG)", "NOT (DRW (FRA ENG))", "DRW", "DRW (FRA)"):
        script.hears("FRA", said)
    votes = [entry for entry in script.records if isinstance(entry, DrawVoted)]
    assert [(vote.powers, vote.withdrawn) for vote in votes] == [
        ((FRANCE, england), False),
        ((FRANCE, england), True),
        (None, False),
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_is_judged_by_the_edition_of_its_policy(
    standard: Variant, edition: str
) -> None:
    """But with AOA impossible orders are reported, whatever the edition says."""
    policy = ServerPolicy(edition=edition)
    seats = SeatAssignment((), {})
    plain = GameState(standard, GameOptions(), policy, seats)
    assert plain.rules == EDITIONS[edition]
    any_orders = GameState(standard, GameOptions(any_orders=True), policy, seats)
    assert any_orders.rules == evolve(
        EDITIONS[edition], illegal_orders=IllegalOrders.REPORTED
    )


def kinds(texts: list[str]) -> list[str]:
    """Return the first words of messages, repeated ones once."""
    words = [text.split()[0] for text in texts]
    return [word for n, word in enumerate(words) if words[n - 1 : n] != [word]]


def ending(script: Script) -> Ending | None:
    last = script.records[-1]
    return last.ending if isinstance(last, Ended) else None


def test_a_solo_ends_the_game(standard: Variant) -> None:
    """`ORD... SCO SLO SMR NOW`, with eighteen centres after the autumn."""
    owners = dict.fromkeys(standard.start.owners, FRANCE)
    units = standard.start.units_of(FRANCE)
    start = replace(standard.start, owners=owners, units=units)
    script = Script(evolve(standard, start=start))
    script.holds("FRA")
    script.forgets()
    script.holds("FRA")
    assert kinds(script.said("ENG")) == ["ORD", "SCO", "SLO", "SMR", "NOW"]
    assert script.game.state.stage is Stage.ENDED
    assert ending(script) is Ending.SOLO


def test_years_without_a_change_are_a_draw_by_rule(standard: Variant) -> None:
    """`DRW`, after the second autumn in which no centre changed hands; not before."""
    script = Script(standard, "stalemate_years=2", "mtl=10")
    for _ in range(3):
        script.holds(*POWERS)
    assert ending(script) is None
    script.forgets()
    script.holds(*POWERS)
    assert kinds(script.said("FRA")) == ["ORD", "SCO", "DRW", "SMR", "NOW"]
    assert ending(script) is Ending.STALEMATE
    record = fold(script.records, standard, game="quiet", started=1.0)
    assert not game_result(record).by_vote
    assert len(record.winners) == 7
    again = FORMATS["dipcc"].read(FORMATS["dipcc"].write(record), load_variant)
    assert again.ending is Ending.STALEMATE


def test_a_change_of_owners_restarts_the_count(standard: Variant) -> None:
    script = Script(standard, "stalemate_years=2", "mtl=10")
    for _ in range(2):
        script.holds(*POWERS)
    script.hears("FRA", "SUB ( ( FRA AMY PAR ) MTO BUR ) ( ( FRA AMY MAR ) MTO SPA )")
    script.waits(10)
    for _ in range(3):
        script.waits(10)
    assert ending(script) is None


@pytest.mark.parametrize("words", [(), ("year_limit=9000",)])
def test_a_game_ends_before_its_year_leaves_the_numbers_of_the_language(
    standard: Variant, words: tuple[str, ...]
) -> None:
    """In a draw that is said and recorded as at a limit of years; formats hold it."""
    start = replace(standard.start, turn=Turn(Season.FALL, LAST_PLAYED_YEAR - 1))
    script = Script(evolve(standard, start=start), *words)
    for _ in range(3):
        script.forgets()
        script.holds()
    said = script.said("FRA")
    assert kinds(said) == ["ORD", "SCO", "DRW", "SMR", "NOW"]
    assert said[-1].startswith("NOW ( SPR 8191 )")
    assert ending(script) is Ending.YEAR_LIMIT
    record = fold(script.records, script.variant, game="x", started=0.0)
    for name in ("dipcc", "dipcc-literal", "diplomacy", "transcript"):
        read = FORMATS[name].read(FORMATS[name].write(record), lambda _: script.variant)
        assert (read.ending, read.last.turn) == (Ending.YEAR_LIMIT, record.last.turn)
        assert not [each for each in replay(read) if not each.remark]
