"""DiploBN's data of the whole game: heading, endings, reasons, votes, scoring."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import Convoy, Hold, SupportHold, UnitOrder
from daide_server.board.results import OrderResult, Report
from daide_server.formats.diplobn.heading import (
    ENDED_BY,
    Note,
    ending_in,
    heading,
    metadata,
    note_in,
    note_of,
    started,
    votes_in,
    winners_in,
)
from daide_server.formats.diplobn.order_lines import (
    NO_ROUTE,
    NOT_ORDERED,
    REASON_OF,
    consequences_in,
    marks_in,
    result_of,
)
from daide_server.formats.diplobn.schema import (
    OUR_SYSTEMS,
    SYSTEM_NAMES,
    BoardNames,
    CountryResult,
    DiplobnGame,
    DiplobnSeason,
    Result,
    Vote,
    board_names,
)
from daide_server.records.consequences import Consequence
from daide_server.records.record import FOREIGN_EDITION, Ending, GameRecord

# The data of the whole game: the note, the days, who played


WORD = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=20)


@given(st.builds(Note, WORD, WORD, st.integers(0, 9999), WORD, st.booleans()))
def test_a_note_is_read_as_it_was_written(note: Note) -> None:
    assert note_in(DiplobnGame(Note=str(note))) == note


@pytest.mark.parametrize("text", ["", "a fine game", "variant: standard"])
def test_a_file_without_our_note_is_foreign(text: str) -> None:
    note = note_in(DiplobnGame(Note=text, ScoringSystem="DrawSize"))
    assert note == Note("standard", FOREIGN_EDITION, 0, "draw_size", foreign=True)


@pytest.mark.parametrize(
    ("seconds", "ended", "days"),
    [
        (0.0, 60.0, {}),
        (86400.0, 60.0, {"DatePlayed": "1970-01-02"}),
        (86400.0, None, {"DateBegan": "1970-01-02"}),
        (86400.0, 90000.0, {"DateBegan": "1970-01-02", "DateEnded": "1970-01-03"}),
    ],
)
def test_days_are_written_as_far_as_they_are_known(
    record_of: Callable[..., GameRecord],
    seconds: float,
    ended: float | None,
    days: dict[str, str],
) -> None:
    record = replace(record_of(turns=0), started=seconds, ended=ended)
    found = {k: v for k, v in heading(record).items() if k.startswith("Date")}
    assert found == days


@pytest.mark.parametrize(
    ("text", "seconds"), [("1970-01-02", 86400.0), ("soon", 0.0), ("", 0.0)]
)
def test_the_first_day_is_when_the_game_began(text: str, seconds: float) -> None:
    assert started(DiplobnGame(DateBegan=text)) == seconds


def test_metadata_that_are_not_the_usual_come_back(
    record_of: Callable[..., GameRecord],
) -> None:
    record = replace(record_of(turns=0), metadata={"Language": "French"})
    game = msgspec.convert(heading(record), DiplobnGame)
    assert metadata(game, note_of(record), Ending.DRAW) == {"Language": "French"}


# How a file says that a game ended, and who was left


END = DiplobnSeason(19013, "GameEnded", {})


@pytest.fixture(scope="session")
def names(standard: Variant) -> BoardNames:
    return board_names(standard.map)


@pytest.mark.parametrize(
    "ending", [each for each in Ending if each is not Ending.STALEMATE]
)
def test_every_ending_has_a_word_that_means_it(ending: Ending) -> None:
    """But that by the stalemate rule, which DiploBN has no word for: a draw."""
    assert ending_in(DiplobnGame(EndedBy=ENDED_BY[ending]), END) is ending


def test_an_ended_game_without_a_word_was_drawn() -> None:
    awaiting = DiplobnSeason(19013, "AwaitingOrders", {})
    assert ending_in(DiplobnGame(), END) is Ending.DRAW
    assert ending_in(DiplobnGame(), awaiting) is None


def test_the_vote_decides_before_the_results(
    standard: Variant, names: BoardNames
) -> None:
    vote = Vote(Passed=True, PlayersInDraw=["France", "Italy"])
    end = DiplobnSeason(19013, "GameEnded", {}, DrawVote=vote)
    results = {"Turkey": CountryResult(3, None, InGameAtEnd=True, Score=0.0, Rank=1)}
    game = DiplobnGame(EndedBy="Draw", ResultSummary=results)
    powers = (Power("FRA"), Power("ITA"))
    assert winners_in(game, end, names, standard.start) == powers
    assert winners_in(game, END, names, standard.start) == (Power("TUR"),)


def test_without_either_the_position_decides(
    standard: Variant, names: BoardNames
) -> None:
    def winners(ended_by: str) -> tuple[Power, ...]:
        return winners_in(DiplobnGame(EndedBy=ended_by), END, names, standard.start)

    assert winners("Solo") == (Power("RUS"),)
    assert winners("Draw") == standard.map.powers
    assert winners("GameManager") == ()


# Reasons of failures, and the consequences that they stand for


@pytest.fixture(scope="session")
def orders(standard: Variant) -> dict[str, UnitOrder]:
    first, second, *_ = standard.start.units_of(Power("FRA"))
    return {
        "hold": Hold(first),
        "support": SupportHold(first, second),
        "convoy": Convoy(first, second, Location(Province("POR"))),
    }


@pytest.mark.parametrize(
    "consequence", [each for each in REASON_OF if each is not Consequence.DISRUPTED]
)
def test_a_failure_is_read_as_it_was_written(
    orders: dict[str, UnitOrder], consequence: Consequence
) -> None:
    order = orders["hold"]
    result = result_of(Report(order, None), [consequence], [order])
    assert result[0] == "f"
    assert consequences_in(order, result) == [consequence]


def test_a_fleet_without_a_route_was_disrupted(orders: dict[str, UnitOrder]) -> None:
    found = consequences_in(orders["convoy"], ["f", NO_ROUTE])
    assert found == [Consequence.DISRUPTED]


def test_an_order_that_the_rules_made_is_marked(orders: dict[str, UnitOrder]) -> None:
    result = result_of(Report(orders["hold"], OrderResult.SUCCEEDED), [], [])
    assert marks_in(result) == (NOT_ORDERED,)


@pytest.mark.parametrize("result", ["f", ["f"], ["f", "nobody knows"]])
def test_a_failure_without_a_known_reason_is_a_cut_or_a_bounce(
    orders: dict[str, UnitOrder], result: Result
) -> None:
    assert consequences_in(orders["support"], result) == [Consequence.CUT]
    assert consequences_in(orders["hold"], result) == [Consequence.BOUNCED]


# Ballots on a draw, as DiploBN has them and back


def test_a_ballot_is_the_vote_of_who_proposed_it(standard: Variant) -> None:
    names = board_names(standard.map)
    vote = Vote(Passed=False, ProposedBy="France")
    [found] = votes_in([DiplobnSeason(19012, "Completed", {}, DrawVote=vote)], names)
    assert (found.turn, found.power) == (Turn(Season.FALL, 1901), Power("FRA"))
    assert not found.withdrawn


def test_a_ballot_without_a_name_is_nobody_s_vote(standard: Variant) -> None:
    season = DiplobnSeason(19012, "Completed", {}, DrawVote=Vote(Passed=True))
    bare = DiplobnSeason(19013, "Completed", {})
    assert not list(votes_in([season, bare], board_names(standard.map)))


# Scoring systems under DiploBN's names


def test_a_name_that_is_read_is_written_again() -> None:
    assert all(SYSTEM_NAMES[ours] == theirs for theirs, ours in OUR_SYSTEMS.items())
