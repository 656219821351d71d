"""Outcomes and figures as JSON, for the store.

A played game has a body, which standings need, and details, which only reports need.
"""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from attrs import evolve, frozen

from daide_server.board.names import Power
from daide_server.scoring.game_result import SeatEnd
from daide_server.tournament.figures import GameFigures, SeatFigures
from daide_server.tournament.game_outcomes import (
    NO_TURNS,
    GameOutcome,
    PlayedGame,
    ThinkTimes,
    UnfinishedGame,
    VoidGame,
)

OUTCOME_KINDS: Final[dict[str, type[GameOutcome]]] = {
    "played": PlayedGame,
    "void": VoidGame,
    "unfinished": UnfinishedGame,
}


@frozen
class OutcomeText:
    """An outcome as it is stored: `details` is empty if there are none."""

    kind: str
    body: str
    details: str = ""


@frozen
class GameDetails:
    """What only reports need of a played game: the times of each seat, and centres."""

    think_times: tuple[ThinkTimes, ...]
    centres_by_year: dict[Power, tuple[int, ...]]


def kind_of(outcome: GameOutcome) -> str:
    """Return the name of the kind of *outcome*."""
    return next(
        name for name, kind in OUTCOME_KINDS.items() if isinstance(outcome, kind)
    )


def write_outcome(outcome: GameOutcome) -> OutcomeText:
    """Return *outcome* as it is stored."""
    kind = kind_of(outcome)
    if not isinstance(outcome, PlayedGame):
        return OutcomeText(kind, _json(outcome))
    seats = tuple(evolve(seat, think_times=NO_TURNS) for seat in outcome.seats)
    details = GameDetails(
        tuple(seat.think_times for seat in outcome.seats),
        dict(outcome.centres_by_year),
    )
    body = evolve(outcome, seats=seats, centres_by_year={})
    return OutcomeText(kind, _json(body), _json(details))


def read_outcome(text: OutcomeText) -> GameOutcome:
    """Return the outcome that *text* stands for; raises `msgspec.DecodeError`."""
    outcome = msgspec.json.decode(text.body, type=OUTCOME_KINDS[text.kind])
    if not isinstance(outcome, PlayedGame) or not text.details:
        return outcome
    details = msgspec.json.decode(text.details, type=GameDetails)
    seats = tuple(
        evolve(seat, think_times=times)
        for seat, times in zip(outcome.seats, details.think_times, strict=True)
    )
    return evolve(outcome, seats=seats, centres_by_year=details.centres_by_year)


CachedSeat = tuple[
    Annotated[float, msgspec.Meta(ge=0, le=1)],
    str,
    Annotated[int, msgspec.Meta(ge=0)],
    Annotated[float, msgspec.Meta(ge=1)],
]
"""Score, ending, centres and place; the rest is in the outcome."""


def write_figures(figures: GameFigures) -> str:
    """Return the *figures* of a game as they are cached."""
    seats = [(seat.score, seat.end.value, seat.centres, seat.place) for seat in figures]
    return _json(seats)


def read_figures(text: str, played: PlayedGame) -> GameFigures:
    """Return the cached figures of *played*."""
    seats: Sequence[CachedSeat] = _FIGURES.decode(text)
    return tuple(
        [
            SeatFigures(
                seat.bot,
                seat.power,
                score,
                _ENDS[end],
                centres,
                place,
                seat.forfeit is not None,
            )
            for seat, (score, end, centres, place) in zip(
                played.seats, seats, strict=True
            )
        ]
    )


_FIGURES: Final = msgspec.json.Decoder(tuple[CachedSeat, ...])
_ENDS: Final = {end.value: end for end in SeatEnd}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
