"""`daide-server adjudicate`: positions and orders in, results and positions out."""

import sys
from collections.abc import Callable

import click

from daide_server.judge.rules import EDITIONS, RuleError, choose, table
from daide_server.library.texts import lines_of
from daide_server.text.queries import QueryAdjudicator, QueryAnswer

from .common.option_types import Boards, board_option, rules_option
from .common.printing import print_text


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
def command(
    edition: str,
    choices: tuple[str, ...],
    boards: Boards,
    *,
    explaining: bool,
    list_rules: bool,
) -> None:
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
    if list_rules:
        print_text(table())
        return
    try:
        rules = choose(EDITIONS[edition], choices)
    except RuleError as error:
        raise click.BadParameter(str(error), param_hint="--rule") from error
    adjudicator = QueryAdjudicator(boards.find, rules, boards.unnamed.name)
    answer = adjudicator.explain if explaining else adjudicator.answer
    click.get_current_context().exit(0 if _answer_all(answer) else 1)


def _answer_all(answer: Callable[[bytes, int], QueryAnswer]) -> bool:
    """Answer each line before the next one is read; return whether all were valid."""
    all_valid = True
    for number, line in enumerate(lines_of(sys.stdin.buffer), 1):
        if not line.strip():
            continue
        reply = answer(line, number)
        all_valid = all_valid and reply.good
        print_text(reply.text.decode())
    return all_valid
