"""`daide-server adjudicate`: positions and orders in, results and positions out."""

import sys
from collections.abc import Callable

import click

from daide_server.judge.issues import RuleError, choose, table
from daide_server.judge.rules import EDITIONS, Rules
from daide_server.reports.queries import QueryAdjudicator, QueryAnswer
from daide_server.storage.texts import lines_of

from .map_option import Boards, board_option


@click.command("adjudicate")
@click.option(
    "--rules",
    "edition",
    type=click.Choice(sorted(EDITIONS)),
    default="daide",
    show_default=True,
    help="The edition of the rules to adjudicate by.",
)
@click.option(
    "--rule",
    "choices",
    multiple=True,
    metavar="ISSUE=CHOICE",
    help="A single choice, such as 4.A.4=b; may be repeated.",
)
@click.option(
    "--explain",
    "explaining",
    is_flag=True,
    help="Tell why, in text for a person, instead of JSON.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    help="Print the editions, the issues and their choices, and exit.",
)
@board_option("The board of lines that name none, and of those that name this one.")
def command(
    edition: str,
    choices: tuple[str, ...],
    boards: Boards,
    *,
    explaining: bool,
    list_rules: bool,
) -> None:
    """Adjudicate JSON lines from stdin, one answer per line on stdout.

    A line is a position and orders, in the names of dipcc:

    \b
    {"id": "x", "phase": "S1901M",
     "units": {"AUSTRIA": ["A VIE", "A BUD"], "RUSSIA": ["A WAR"]},
     "centers": {"AUSTRIA": ["VIE", "BUD"]},
     "orders": {"AUSTRIA": ["A VIE - GAL", "A BUD S A VIE - GAL"],
                "RUSSIA": ["A WAR - GAL"]}}

    Its answer tells the results of the orders, and the state of the phase that is
    played next:

    \b
    {"id": "x", "results": {"A VIE": [], "A BUD": [], "A WAR": ["bounce"]},
     "state": {"name": "F1901M", "units": {...}, "centers": {...}, ...}}

    "id" and "map" may be missing; a retreat phase also needs
    "retreats": {POWER: {UNIT: [PLACES]}}. "map" is the name of a board; --map tells
    where one of your own is, such as --map mine.toml. The answer to a wrong line is
    {"id": "x", "line": 7, "error": "..."}, and the exit code is then 1. Blank lines
    have no answer.
    """
    if list_rules:
        click.echo(table(), nl=False)
        return
    rules = _rules(edition, choices)
    adjudicator = QueryAdjudicator(boards.find, rules, boards.unnamed.name)
    good = _answer_all(adjudicator.explain if explaining else adjudicator.answer)
    click.get_current_context().exit(0 if good else 1)


def _rules(edition: str, choices: tuple[str, ...]) -> Rules:
    try:
        return choose(EDITIONS[edition], choices)
    except RuleError as error:
        raise click.BadParameter(str(error), param_hint="--rule") from error


def _answer_all(answer: Callable[[bytes, int], QueryAnswer]) -> bool:
    """Answer each line before the next is read; return whether all were good.

    Blank lines ask nothing, but are counted.
    """
    answers, all_good = sys.stdout.buffer, True
    for number, line in enumerate(lines_of(sys.stdin.buffer), 1):
        if not line.strip():
            continue
        reply = answer(line, number)
        all_good = all_good and reply.good
        answers.write(reply.text + b"\n")
        answers.flush()
    return all_good
