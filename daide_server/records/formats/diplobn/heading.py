"""The data of the whole game: its note, dates, players and rules.

The note has the data that DiploBN has no key for, and is read again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime

from msgspec import UNSET, Struct

from daide_server.board.map import Position
from daide_server.board.names import Power
from daide_server.records.record import (
    FOREIGN_EDITION,
    DrawVote,
    Ending,
    GameRecord,
    Sitting,
)
from daide_server.records.standings import USUAL_SCORING, game_result, scoring_system
from daide_server.scoring.game_result import GameResult, ranks
from daide_server.scoring.systems import SYSTEMS, ScoringError, points

from .schema import (
    GAME_ENDED,
    MANUAL,
    OUR_SYSTEMS,
    SYSTEM_NAMES,
    BoardNames,
    CountryResult,
    DiplobnGame,
    DiplobnSeason,
    Vote,
    phase_of,
    turn_of,
)

KEPT = (
    "Competition",
    "URL",
    "Modality",
    "CommunicationType",
    "Language",
    "DeadlineType",
    "LimitType",
    "AnonymityType",
)
"""The keys that the metadata of a record may override."""

LAST_SECOND = 253402300799
"""The end of the year 9999."""


# The note

NOTE = re.compile(
    r"variant: (?P<variant>\S+); rules: (?P<edition>[^;]+); "
    r"level: (?P<level>\d{1,4}); scoring: (?P<scoring>[^\s;]+)(?P<foreign>; imported)?"
)


class Note(Struct, frozen=True):
    """The data in the note that we write, or the defaults for other files."""

    variant: str
    edition: str
    level: int
    scoring: str
    foreign: bool


def note_text(record: GameRecord) -> str:
    """Return the note on *record*."""
    foreign = "; imported" if record.foreign else ""
    return (
        f"variant: {record.variant.name}; rules: {record.edition}; "
        f"level: {record.level}; scoring: {scoring_system(record)}{foreign}"
    )


def note_in(game: DiplobnGame) -> Note:
    """Return the note of *game*, or the defaults without one."""
    found = NOTE.match(game.Note or "")
    if found is None:
        name = game.ScoringSystem or ""
        scoring = OUR_SYSTEMS.get(name, name)
        return Note("standard", FOREIGN_EDITION, 0, scoring, foreign=True)
    return Note(
        found["variant"],
        found["edition"],
        int(found["level"]),
        found["scoring"],
        bool(found["foreign"]),
    )


# Written


def heading(record: GameRecord) -> Mapping[str, str]:
    """Return the data of the whole game as texts, by key."""
    kept = {key: record.metadata[key] for key in KEPT if key in record.metadata}
    return {
        "GameLabel": record.id,
        "ScoringSystem": SYSTEM_NAMES.get(scoring_system(record), MANUAL),
        "Note": note_text(record),
        **_usual(record.level, record.ending),
        **_days(record),
        **kept,
    }


def _usual(level: int, ending: Ending | None) -> Mapping[str, str]:
    """Return the values for a game between bots, unless the metadata differ."""
    limited = ending is Ending.YEAR_LIMIT
    return {
        "Modality": "Online",
        "CommunicationType": "Full" if level else "None",
        "Language": "English",
        "LimitType": "YearLimited" if limited else "Unlimited",
        "AnonymityType": "Full",
    }


def _days(record: GameRecord) -> Mapping[str, str]:
    """Return the days of the game, as far as its time is known."""
    if not 0 < record.started < LAST_SECOND:
        return {}
    began = _day(record.started)
    if record.ended is None:
        return {"DateBegan": began}
    ended = _day(min(record.started + record.ended, LAST_SECOND))
    if began == ended:
        return {"DatePlayed": began}
    return {"DateBegan": began, "DateEnded": ended}


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def players(record: GameRecord, names: BoardNames) -> dict[str, str]:
    """Return the player of each country."""
    return {
        country: f"{sitting.name} {sitting.version}".strip()
        for power, country in names.countries.items()
        if (sitting := record.sitting(power))
    }


# Read


def started(game: DiplobnGame) -> float:
    """Return the beginning of the first day in seconds since 1970; 0 if unknown."""
    return _midnight(game.DateBegan or game.DatePlayed or "") or 0.0


def ended(game: DiplobnGame) -> float | None:
    """Return the seconds from the first day to the last one; `None` if unknown."""
    last = _midnight(game.DateEnded or game.DatePlayed or "")
    return None if last is None else max(0.0, last - started(game))


def _midnight(text: str) -> float | None:
    """Return the beginning of the day *text* in seconds since 1970."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def sittings(game: DiplobnGame, names: BoardNames) -> Iterator[Sitting]:
    """Yield the player of each power; a file has one for the whole game."""
    for country, player in (game.Players or {}).items():
        name, _, version = player.rpartition(" ")
        power = names.power(country)
        yield Sitting(power, name or player, version if name else "", 0.0)


def metadata(game: DiplobnGame, note: Note, ending: Ending | None) -> Mapping[str, str]:
    """Return the data of the file that do not derive from the rest."""
    usual = _usual(note.level, ending)
    texts = {key: getattr(game, key) or "" for key in KEPT}
    kept = {
        key: text for key, text in texts.items() if text not in {"", usual.get(key)}
    }
    if note.scoring not in {"", USUAL_SCORING}:
        kept["scoring_system"] = note.scoring
    return kept


# The end: its kind, the results, and the winners

ENDED_BY: Mapping[Ending, str] = {
    Ending.SOLO: "Solo",
    # A reader takes it for a draw.
    Ending.STALEMATE: "Draw",
    Ending.DRAW: "Draw",
    Ending.YEAR_LIMIT: "Year",
    Ending.ABORTED: "Other",
}
ENDINGS_BY_NAME: Mapping[str, Ending] = {
    **{text: ending for ending, text in ENDED_BY.items()},
    "Time": Ending.DRAW,
    "GameManager": Ending.ABORTED,
}


def summary(record: GameRecord, names: BoardNames) -> dict[str, CountryResult]:
    """Return the result of each country."""
    game = game_result(record)
    name = scoring_system(record)
    system = SYSTEM_NAMES.get(name, name)
    ranks_dead = system in SYSTEMS and SYSTEMS[system].ranks_dead
    ranking = game.by_elimination if ranks_dead else game.by_centres
    rank = ranks(ranking, tuple(game.centres))
    scores = _scores(system, game)
    at_end = [game.soloist] if game.soloist else game.sharing
    return {
        country: CountryResult(
            CenterCount=game.centres[power],
            YearOfElimination=game.eliminated.get(power),
            InGameAtEnd=power in at_end,
            Score=scores.get(power, 0.0),
            Rank=rank[power],
        )
        for power, country in names.countries.items()
    }


def _scores(system: str, game: GameResult) -> Mapping[Power, float]:
    try:
        found = points(system, game)
    except ScoringError:
        return {}
    return {power: float(round(value, 6)) for power, value in found.items()}


def ending_in(game: DiplobnGame, end: DiplobnSeason) -> Ending | None:
    """Return the kind of ending of *game*, whose last season is *end*."""
    usual = Ending.DRAW if end.Status == GAME_ENDED else None
    return ENDINGS_BY_NAME.get(game.EndedBy or "", usual)


def winners_in(
    game: DiplobnGame, end: DiplobnSeason, names: BoardNames, last: Position
) -> tuple[Power, ...]:
    """Return the powers that were in *game* at its end.

    Taken from the vote, else from the results, else from the position *last*.
    """
    ending = ending_in(game, end)
    powers = names.map.powers
    if ending in {None, Ending.ABORTED}:
        return ()
    vote = end.DrawVote
    if vote is not UNSET and vote.Passed and vote.PlayersInDraw is not UNSET:
        return tuple(map(names.power, vote.PlayersInDraw))
    if game.ResultSummary is not UNSET:
        results = {names.power(at): line for at, line in game.ResultSummary.items()}
        return tuple(at for at in powers if at in results and results[at].InGameAtEnd)
    counts = {power: len(last.centres_of(power)) for power in powers}
    alive = [power for power in powers if counts[power]]
    if ending is Ending.SOLO and alive:
        return (max(alive, key=counts.__getitem__),)
    return tuple(alive)


# Votes on a draw: a season has one, the last of several


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
