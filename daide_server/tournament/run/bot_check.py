"""Starts a bot in a short game, and reports common mistakes."""

import os
from collections.abc import Iterator, Mapping
from random import Random

from attrs import evolve, frozen

from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.library.variants import find_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import PlayerTally
from daide_server.server.settings import TABLE
from daide_server.tournament import game_outcomes

from .bot_program import EVERYTHING
from .bot_settings import BotSettings, distinct_names, missing
from .game_reporting import RECORD_FORMAT, tallies_of
from .game_task import GameReport, GameTask, TroubleLimits, dealt
from .play_game import play

CHECK_YEARS = 2
"""The number of years of the short game."""
CHECK_OPPONENT = BotSettings(name="hold", builtin="hold")
SHOWN_ORDERS = 3
LIMITS = TroubleLimits(start_seconds=60.0, stalled_seconds=30.0)
HINTS: Mapping[str, str] = {
    "Permission denied": "is it executable (chmod +x)?",
    "Exec format error": "a script needs a first line such as #!/usr/bin/env python3",
    "before the game began": "run its command by hand against `daide-server serve`",
    "after its start": "does it connect to {host} and {port}, and answer MAP?",
    "owed orders": "it joined, and then sent no orders; does it answer NOW?",
}
"""What to do, by a part of the reason of a forfeit."""
NOTHING_RUNS_IT = "the file is there, but what its first line (#!) names is not"


@frozen
class BotFinding:
    """A problem of a bot; a `warning` prevents no games."""

    text: str
    is_warning: bool = False


@frozen
class BotCheck:
    """The result of a short game for a bot: without findings, all is well."""

    name: str
    findings: tuple[BotFinding, ...]
    version: str = ""
    longest_seconds: float | None = None
    """The longest time for a turn; `None` if it sent no orders."""
    sandbox: str = ""
    """Its sandbox: `bwrap` or `none`; empty for a built-in bot."""

    @property
    def can_play(self) -> bool:
        """Return whether there are only warnings."""
        return all(finding.is_warning for finding in self.findings)


async def check_bot(
    program: BotSettings,
    settings: Mapping[str, Mapping[str, object]] = {},
    limits: TroubleLimits = LIMITS,
) -> BotCheck:
    """Return the result of a short game with a bot, with server *settings*."""
    task = check_task(program, settings, limits)
    unset = [
        BotFinding(f"environment variable {name} is not set", is_warning=True)
        for name in program.pass_variables
        if name not in (EVERYTHING, *os.environ)
    ]
    report = await play(task)
    check = _checked(program, report)
    return evolve(check, findings=(*unset, *check.findings))


def check_task(
    program: BotSettings,
    settings: Mapping[str, Mapping[str, object]],
    limits: TroubleLimits,
) -> GameTask:
    """Return the task of the short game; the bot has the first seat."""
    given = TABLE.compose(TABLE.read(settings, "[game]"))
    variant = find_variant(given.board.variant)
    game = {**settings.get("game", {})}
    game["year_limit"] = variant.start.turn.year + CHECK_YEARS - 1
    powers = variant.map.powers
    programs = distinct_names([program] + [CHECK_OPPONENT] * (len(powers) - 1))
    return GameTask(
        "check",
        game_outcomes.Attempt(0, 1),
        tuple(dealt(powers, programs, Random(1)).values()),  # noqa: S311 - a game
        1,
        {**settings, "game": game},
        is_alone=True,
        limits=limits,
        logs="none",
    )


def _checked(program: BotSettings, report: GameReport) -> BotCheck:
    match report.outcome:
        case game_outcomes.PlayedGame(seats=(seat, *_)):
            findings = tuple(_findings(program, seat, report))
            times = seat.think_times
            longest = times.longest if times.turns and not seat.stand_in else None
            return BotCheck(program.name, findings, seat.version, longest, seat.box)
        case game_outcomes.VoidGame(reason=reason):
            finding = BotFinding(f"could not be tried: {reason}")
            return BotCheck(program.name, (finding,))
        case _:
            return BotCheck(program.name, (BotFinding("the game was broken off"),))


def _findings(
    program: BotSettings, seat: game_outcomes.SeatOutcome, report: GameReport
) -> Iterator[BotFinding]:
    if seat.forfeit is not None:
        yield BotFinding(_forfeit_text(program, seat.forfeit))
    if seat.stand_in:
        return
    tallies = tuple(_tallies(report, seat.power))
    errors = sum(each.syntax_errors for each in tallies)
    if errors:
        text = f"{errors} of its messages were not understood (HUH, PRN)"
        yield BotFinding(text, is_warning=True)
    if seat.late:
        yield BotFinding(f"late in {seat.late} turns", is_warning=True)
    yield from _refused_orders(seat.refused, tallies)


def _forfeit_text(program: BotSettings, forfeit: game_outcomes.Forfeit) -> str:
    """Return the reason, a hint, and the end of the bot's output."""
    hints = [hint for part, hint in HINTS.items() if part in forfeit.reason]
    if "No such file" in forfeit.reason:
        hints = [f"found no {each}" for each in missing(program)] or [NOTHING_RUNS_IT]
    text = "; ".join([forfeit.reason, *hints[:1]])
    return f"{text}\n{forfeit.output}" if forfeit.output else text


def _refused_orders(
    refused: int, tallies: tuple[PlayerTally, ...]
) -> Iterator[BotFinding]:
    if not refused:
        return
    orders = [order for each in tallies for order in each.refused_orders]
    shown = "".join(
        f"\n{order.text}: {order.note.name}" for order in orders[:SHOWN_ORDERS]
    )
    theirs = {OrderNote.NOT_YOUR_UNIT, OrderNote.NO_SUCH_UNIT}
    if orders and all(order.note in theirs for order in orders):
        text = "gives orders for units of other powers; does it play the power of HLO?"
        yield BotFinding(f"{text}{shown}")
    else:
        yield BotFinding(f"{refused} orders were refused{shown}", is_warning=True)


def _tallies(report: GameReport, power: Power) -> Iterator[PlayerTally]:
    if report.record is not None:
        record = FORMATS[RECORD_FORMAT].read(report.record, find_variant)
        yield from tallies_of(record, power)
