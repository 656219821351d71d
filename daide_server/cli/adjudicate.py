"""`daide-server adjudicate`: positions and orders in, results and positions out."""

import sys

import click
from attrs import frozen

from daide_server.judge.rules import EDITIONS, RuleError, Rules, choose, table
from daide_server.reports.queries import QueryAdjudicator
from daide_server.storage.texts import lines_of

from .common.option_types import Boards, board_option, options_as, rules_option
from .common.printing import print_text


@frozen
class AdjudicateOptions:
    """The options of the command."""

    edition: str
    choices: tuple[str, ...]
    boards: Boards
    explaining: bool
    list_rules: bool


@click.command("adjudicate")
@rules_option
@click.option(
    "--rule",
    "choices",
    multiple=True,
    metavar="ISSUE=CHOICE",
    help="A choice for one DATC issue, such as 4.A.4=b; may be repeated.",
)
@click.option(
    "--explain",
    "explaining",
    is_flag=True,
    help="Print the reason of each outcome in plain text, instead of JSON.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    help="Print the editions, the issues and their choices, and exit.",
)
@board_option('The board of lines without "map", and of those that name this board.')
@options_as(AdjudicateOptions)
def command(options: AdjudicateOptions) -> None:
    """Adjudicate JSON lines from stdin; print one answer per line on stdout.

    A line has a position and orders, in the names of dipcc:

    \b
    {"id": "x", "phase": "S1901M",
     "units": {"AUSTRIA": ["A VIE", "A BUD"], "RUSSIA": ["A WAR"]},
     "centers": {"AUSTRIA": ["VIE", "BUD"]},
     "orders": {"AUSTRIA": ["A VIE - GAL", "A BUD S A VIE - GAL"],
                "RUSSIA": ["A WAR - GAL"]}}

    The answer has the results of the orders, and the position at the start of the
    next phase:

    \b
    {"id": "x", "results": {"A VIE": [], "A BUD": [], "A WAR": ["bounce"]},
     "state": {"name": "F1901M", "units": {...}, "centers": {...}, ...}}

    "id" and "map" are optional. A retreat phase also needs
    "retreats": {POWER: {UNIT: [PROVINCES]}}. "map" is the name of a board; for a
    board of your own, give its file with --map, such as --map mine.toml. The answer
    to a faulty line is {"id": "x", "line": 7, "error": "..."}, and the exit code is
    then 1. Blank lines have no answer.
    """
    if options.list_rules:
        print_text(table())
        return
    succeeded = _answer_all(options, _rules(options))
    click.get_current_context().exit(0 if succeeded else 1)


def _rules(options: AdjudicateOptions) -> Rules:
    try:
        return choose(EDITIONS[options.edition], options.choices)
    except RuleError as error:
        raise click.BadParameter(str(error), param_hint="--rule") from error


def _answer_all(options: AdjudicateOptions, rules: Rules) -> bool:
    """Answer each line before the next one is read; return whether all were valid."""
    boards = options.boards
    adjudicator = QueryAdjudicator(boards.find, rules, boards.unnamed.name)
    answer = adjudicator.explain if options.explaining else adjudicator.answer
    all_valid = True
    for number, line in enumerate(lines_of(sys.stdin.buffer), 1):
        if not line.strip():
            continue
        reply = answer(line, number)
        all_valid = all_valid and reply.good
        print_text(reply.text.decode())
    return all_valid
