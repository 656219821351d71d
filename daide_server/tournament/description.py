"""The description of a tournament, and which keys may change between two runs."""

from collections.abc import Mapping, Sequence
from typing import get_args

from attrs import asdict, field, frozen
from attrs.validators import ge, in_

from daide_server.board.names import Power
from daide_server.errors import ReportedError, meant
from daide_server.scoring.systems import SYSTEMS
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import Kind, ValueRefused, either, number, whole

from . import designs
from .designs import SEATS, Design, DesignGoal, DesignKind, LineUp


class DescriptionError(ReportedError, ValueError):
    """A tournament cannot be played as it is described."""


@frozen
class Entrant:
    """A bot of a tournament.

    `identity` has the settings that determine how it plays, such as its command. It is
    stored, so it must not contain secrets. `anchor` is its fixed rating in points of
    Elo's scale (`None`: the rating is fitted).
    """

    name: str
    identity: Mapping[str, str] = {}
    anchor: float | None = None


@frozen
class DesignChoice:
    """Which games are played: see `designs`.

    `games` is rounded up to complete blocks. `seats` are the numbers of the bots of a
    `fixed` line-up, in the order of the powers; by default the bots in turn. `opponent`
    has the other six seats of each game, one against six; `None`: every pair of bots
    plays.
    """

    kind: DesignKind = field(default="line-ups", validator=in_(get_args(DesignKind)))
    games: int = field(default=42, validator=ge(1))
    goal: DesignGoal = field(default="rounds", validator=in_(get_args(DesignGoal)))
    both_ways: bool = False
    seats: tuple[int, ...] = ()
    opponent: int | None = None


def _chance(value: object) -> float:
    found = number(0, unit="of 1").read(value)
    if not 0 < found < 1:
        raise ValueRefused(value)
    return found


CHANCE = Kind("a number between 0 and 1", _chance, float, "CHANCE", "of 1")
SHARE_OR_NONE = either(number(0, unit="points"), 0.0, None)
RANK_OR_NONE = either(whole(2), 0, None)


@frozen(kw_only=True)
class StopRule:
    """When the tournament ends before all games are played: the settings of `[stop]`.

    `None` switches a condition off.
    """

    half_width: float | None = setting(
        SHARE_OR_NONE,
        None,
        "Stop when no bot's interval is wider than this to each side; 0: never.",
    )
    separated: int | None = setting(
        RANK_OR_NONE,
        None,
        "Stop when each of this number of best bots is better than the next; 0: never.",
    )
    error: float = setting(
        CHANCE,
        0.05,
        "The probability that one of these verdicts is wrong, however often you look.",
    )

    def __attrs_post_init__(self) -> None:
        """Refuse values that no file can have, but a damaged store can."""
        if not 0 < self.error < 1:
            raise ValueRefused(self.error)


@frozen
class TournamentDescription:
    """All settings of a tournament that determine its games and verdicts.

    `terms` has the other settings that affect how a game is played, by the name of
    their key (`game.year_limit`).
    """

    name: str
    seed: int
    powers: tuple[Power, ...]
    bots: tuple[Entrant, ...]
    design: DesignChoice = DesignChoice()
    rank_by: str = "sum_of_squares"
    also: tuple[str, ...] = ()
    forfeit_score: str = field(default="zero", validator=in_(("zero", "as played")))
    stop: StopRule = StopRule()
    retries: int = field(default=2, validator=ge(0))
    bench_after: int = field(default=5, validator=ge(0))
    terms: Mapping[str, str] = {}

    @property
    def is_ladder(self) -> bool:
        """Whether results decide which games are played, and the table has ratings."""
        return self.design.kind == "ladder"

    @property
    def scoring(self) -> str:
        """The settings on which the score of a seat depends, besides the game's result.

        Outcomes of version 0.2.0 had other places and endings.
        """
        return f"{self.rank_by}, forfeits {self.forfeit_score}, last"


def design_of(
    description: TournamentDescription, decisions: Sequence[LineUp]
) -> Design:
    """Return the design for *description*; for a ladder its *decisions*.

    Raises `DescriptionError` if there are too few bots, two with the same name, a fixed
    line-up or scoring system that does not fit the board, or if `stop.separated`
    exceeds the number of bots.
    """
    choice, bots = description.design, len(description.bots)
    _check_bots(description)
    _check_scoring(description)
    seats = len(description.powers)
    match choice.kind:
        case "line-ups":
            return designs.line_ups(bots, seats, choice.goal)
        case "one-against-six":
            return designs.one_against_six(
                bots, seats, both_ways=choice.both_ways, opponent=choice.opponent
            )
        case "fixed":
            block = (_fixed_line_up(description),)
            return Design(bots, seats, (block,), can_leave_out=bots > seats)
        case "ladder":
            return Design(bots, seats, tuple((line_up,) for line_up in decisions))


FEWEST_BOTS = {"fixed": 1, "ladder": 0}
"""The minimum number of bots by the kind of design; others need two."""


def _check_bots(description: TournamentDescription) -> None:
    names, kind = [bot.name for bot in description.bots], description.design.kind
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"[[bot]] name: found {twice[0]!r} twice, expected different names"
        raise DescriptionError(message)
    separated = description.stop.separated or 0
    if separated > len(names) and kind != "ladder":
        message = f"[stop] separated: found {separated}, expected at most {len(names)}"
        raise DescriptionError(message)
    least = FEWEST_BOTS.get(kind, 2)
    if len(names) < least:
        wanted = f"{least} or more for {kind!r}"
        raise DescriptionError(f"[[bot]]: found {len(names)} bots, expected {wanted}")


def _check_scoring(description: TournamentDescription) -> None:
    powers = len(description.powers)
    also = [("also", name) for name in description.also]
    for key, name in (("rank_by", description.rank_by), *also):
        system, place = SYSTEMS.get(name), f"[scoring] {key}"
        if system is None:
            hint = meant(name, SYSTEMS)
            message = f"{place}: found {name!r}, expected a scoring system{hint}"
            raise DescriptionError(message)
        if powers != SEATS and not system.any_board:
            message = f"{place}: {name} is made for seven powers, found {powers}"
            raise DescriptionError(message)


def _fixed_line_up(description: TournamentDescription) -> tuple[int, ...]:
    bots, seats = len(description.bots), len(description.powers)
    chosen = description.design.seats or tuple(seat % bots for seat in range(seats))
    if len(chosen) != seats:
        message = (
            f"[design] seats: found {len(chosen)} names, expected none or {seats}, "
            "one for each power"
        )
        raise DescriptionError(message)
    strange = [bot for bot in chosen if bot not in range(bots)]
    if strange:
        message = f"[design] seats: found bot {strange[0]}, expected 0 to {bots - 1}"
        raise DescriptionError(message)
    return chosen


# Changes between two runs


SECTIONS = {
    "powers": "game.",
    **dict.fromkeys(("rank_by", "also", "forfeit_score"), "scoring."),
    **dict.fromkeys(("retries", "bench_after"), "trouble."),
}
"""The sections of the file for keys that have none in a description."""
MAY_CHANGE = ("name", "design.games", "scoring.", "stop.", "trouble.retries")
"""Keys that change neither the games of the plan nor how they are played."""


def changes(
    before: TournamentDescription, after: TournamentDescription
) -> Mapping[str, str]:
    """Return the changes of all keys whose values differ between two descriptions."""
    old, new = keys(before), keys(after)
    return {
        key: f"{key}: {old.get(key) or 'nothing'} -> {new.get(key) or 'nothing'}"
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    }


def refusal(before: TournamentDescription, after: TournamentDescription) -> str | None:
    """Return why a tournament begun with *before* cannot continue with *after*.

    `None` if it can. A ladder may have new bots.
    """
    known = keys(before)
    refused = [
        change
        for key, change in changes(before, after).items()
        if not key.startswith(MAY_CHANGE)
        and (key in known or not (after.is_ladder and key.startswith("bot ")))
    ]
    if not refused:
        return None
    listed = "".join(f"\n  {line}" for line in refused)
    return f"games were played with other settings; new ones need a new folder:{listed}"


def keys(description: TournamentDescription) -> Mapping[str, str]:
    """Return *description* as keys and values, named as in a tournament's file."""
    found: dict[str, str] = {}
    for name, value in asdict(description, recurse=False).items():
        if name in {"design", "stop"}:
            found |= {f"{name}.{key}": _text(of) for key, of in asdict(value).items()}
        elif name not in {"bots", "terms"}:
            found[SECTIONS.get(name, "") + name] = _text(value)
    for at, bot in enumerate(description.bots, start=1):
        found |= {f"bot {at} {key}": value for key, value in bot.identity.items()}
        found[f"bot {at} name"] = bot.name
    return found | dict(description.terms)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
