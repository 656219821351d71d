"""Ballots on a draw, as DiploBN has them and back."""

from daide_server.board.names import Power
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.formats.diplobn.heading import votes_in
from daide_server.formats.diplobn.map_names import board_names
from daide_server.formats.diplobn.shapes import DiplobnSeason, Vote


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
