"""When a draw is agreed."""

from daide_server.board.names import Power
from daide_server.game.draws import DrawVotes

A, B, C = Power("AUS"), Power("BUL"), Power("CRE")
ALL = frozenset({A, B, C})


def test_all_survivors_must_want_the_same() -> None:
    """A plain vote and a list of all survivors are the same wish."""
    votes = DrawVotes()
    votes.vote(A, None)
    votes.vote(B, ALL)
    assert votes.agreed(ALL, ALL) is None
    votes.vote(C, None)
    assert votes.agreed(ALL, ALL) == ALL


def test_a_power_without_a_client_is_not_asked_for_a_plain_draw() -> None:
    """It neither votes nor blocks; a list still takes everybody."""
    votes = DrawVotes()
    votes.vote(A, None)
    votes.vote(B, None)
    assert votes.agreed(ALL, {A, B}) == ALL
    votes = DrawVotes()
    votes.vote(A, frozenset({A, B}))
    votes.vote(B, frozenset({A, B}))
    assert votes.agreed(ALL, {A, B}) is None
    votes.vote(C, frozenset({A, B}))
    assert votes.agreed(ALL, {A, B}) == frozenset({A, B})


def test_each_withdrawal_takes_back_its_own_kind() -> None:
    """NOT (DRW) leaves a vote with a list, and the other way round."""
    votes = DrawVotes()
    for power in ALL:
        votes.vote(power, ALL)
    votes.withdraw(A, None)
    assert votes.agreed(ALL, ALL) == ALL
    votes.withdraw(A, ALL)
    assert votes.agreed(ALL, ALL) is None


def test_nobody_agrees_to_nothing() -> None:
    """Without votes, or without anybody to ask, there is no draw."""
    votes = DrawVotes()
    assert votes.agreed(ALL, frozenset()) is None
    votes.vote(A, None)
    assert votes.agreed(ALL, frozenset()) is None
    votes.clear()
    assert votes.agreed(ALL, ALL) is None
