"""Votes on a draw: a season has one ballot, the last of several."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.records.entries import Ending
from daide_server.records.record import DrawVote, GameRecord

from .map_names import BoardNames, phase_of, turn_of
from .shapes import DiplobnSeason, Vote


def add_votes(
    record: GameRecord, names: BoardNames, seasons: Iterable[DiplobnSeason]
) -> None:
    """Set the ballot of each of *seasons* with votes."""
    by_phase = {season.Phase: season for season in seasons}
    positions = {position.turn: position for position in record.positions}
    for turn, position in positions.items():
        votes = {
            vote.power: vote for vote in record.votes if (vote.turn or turn) == turn
        }
        voters = [power for power, vote in votes.items() if not vote.withdrawn]
        passed = record.ending is Ending.DRAW and turn == record.last.turn
        if passed:
            by_phase[phase_of(turn)].DrawVote = _passed(record, names, voters)
        elif voters:
            by_phase[phase_of(turn)].DrawVote = _failed(position, names, voters)


def _passed(record: GameRecord, names: BoardNames, voters: list[Power]) -> Vote:
    return Vote(
        Passed=True,
        PlayersInDraw=[names.countries[power] for power in record.winners],
        ProposedBy=names.countries[voters[0]] if voters else UNSET,
    )


def _failed(position: Position, names: BoardNames, voters: list[Power]) -> Vote:
    keeping = [
        country
        for power, country in names.countries.items()
        if power not in voters and not position.is_eliminated(power)
    ]
    return Vote(
        Passed=False,
        ProposedBy=names.countries[voters[0]],
        NumberOfKeepPlayingVotes=len(keeping),
        KeepPlayingVoters=keeping,
    )


def votes_in(seasons: Iterable[DiplobnSeason], names: BoardNames) -> Iterator[DrawVote]:
    """Yield the vote of the proposer of each draw."""
    for season in seasons:
        vote = season.DrawVote
        if vote is not UNSET and vote.ProposedBy is not UNSET:
            turn, power = turn_of(season.Phase), names.power(vote.ProposedBy)
            yield DrawVote(turn, power, None, withdrawn=False, seconds=None)
