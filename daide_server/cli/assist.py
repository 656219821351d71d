"""`daide-server assist`: order sets for a power, ranked against expected orders."""

from pathlib import Path
from time import monotonic

import click

from daide_server.classes import frozen
from daide_server.judge.rules import EDITIONS
from daide_server.pictures.drawing import draw
from daide_server.storage.archive import write_output

from .advice_answer import AdviceAnswer, SearchBudget, answer_to
from .advice_request import AdviceRequest, question_of
from .failures import writing
from .guess_options import guess_options
from .map_option import board_option
from .option_types import Number, OutputFile, WholeNumber
from .option_values import options_as
from .printing import print_line


@frozen
class AssistOptions(AdviceRequest):
    """What is asked, and how it is to be answered."""

    top: int
    seconds: float
    evaluations: int | None
    picture: Path | None
    as_json: bool


@click.command("assist")
@click.argument("source", metavar="POSITION")
@click.option("--power", required=True, metavar="POWER", help="The power to advise.")
@guess_options
@click.option("--phase", metavar="PHASE", help="The phase, such as F1902M.")
@click.option(
    "--top",
    type=WholeNumber(1),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of order sets to print.",
)
@click.option(
    "--seconds",
    type=Number(0),
    default=5.0,
    show_default=True,
    metavar="S",
    help="Duration of the search.",
)
@click.option(
    "--evaluations",
    type=WholeNumber(1),
    metavar="N",
    help="Evaluate N sets instead; the result is then the same every time.",
)
@click.option(
    "--picture",
    type=OutputFile(),
    metavar="FILE",
    help="Draw the best set against the likeliest guess, as SVG.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--rules",
    "edition",
    type=click.Choice(sorted(EDITIONS)),
    default="daide",
    show_default=True,
    help="The edition of the rules.",
)
@board_option("The board of POSITION, if it is your own.")
@options_as(AssistOptions)
def command(options: AssistOptions) -> None:
    """Rank order sets of a power against the orders that others are expected to give.

    POSITION is a position in JSON as `adjudicate` reads it, a game record in any
    format, a board in the Move Assistant's statements (.txt), or the name of a board,
    which stands for its start position. In a record, the last phase is used unless
    --phase names one. For statements and boards, --phase sets the turn.

    \b
    daide-server assist position.json --power FRANCE
    daide-server assist standard --power FRANCE \\
      --expect "GERMANY: A MUN - BUR, A BER - KIE; ITALY: A VEN - PIE" --weight 3 \\
      --expect "GERMANY: A MUN - RUH" --weight 1 --picture best.svg

    With several guesses, the worth of a set is the weighted average. Units that a
    guess does not mention hold. Without --expect there are two guesses: all others
    hold, and, with twice the weight, each plays for itself as if all others held.

    Worth is counted in centres. "centres": those taken and lost; half as much in
    spring, when a unit must still hold the centre until fall. "safety": units lost
    and centres left open. "position": centres within reach.

    The exit code is 1 if POSITION or ORDERS are faulty.
    """
    budget = SearchBudget(monotonic() + options.seconds, options.evaluations)
    question, scene = question_of(options)
    answer = answer_to(question, budget, top=options.top, assumed=not options.expect)
    _print(answer, as_json=options.as_json)
    if options.picture is not None:
        with writing(options.picture):
            best = draw(answer.best_scene(scene))
            write_output(options.picture, best.encode())
        print_line(options.picture, to_stderr=True)


def _print(answer: AdviceAnswer, *, as_json: bool) -> None:
    for line in [answer.json()] if as_json else answer.lines():
        print_line(line)
