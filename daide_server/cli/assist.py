"""`daide-server assist`: order sets for a power, ranked against expected orders."""

import os.path
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from time import monotonic

import click
from attrs import evolve, frozen

from daide_server.advice import search
from daide_server.advice.candidates import candidates
from daide_server.board.orders import Order
from daide_server.judge.rules import EDITIONS
from daide_server.library import archive, texts
from daide_server.pictures.drawing import draw
from daide_server.pictures.scene import Scene
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.text import advice_text, queries

from .common import failures, input_scenes, option_types
from .common.printing import print_line


@frozen
class AssistOptions:
    """The arguments and options of the command."""

    source: str
    power: str
    phase: str | None
    expect: tuple[str, ...]
    weight: tuple[float, ...]
    edition: str
    boards: option_types.Boards
    top: int
    seconds: float
    evaluations: int | None
    picture: Path | None
    as_json: bool


@click.command("assist")
@click.argument("source", metavar="POSITION")
@click.option("--power", required=True, metavar="POWER", help="The power to advise.")
@click.option(
    "--expect",
    multiple=True,
    metavar="ORDERS",
    help="A guess at the others' orders: text, or a file; may be repeated.",
)
@click.option(
    "--weight",
    multiple=True,
    type=option_types.Number(0, min_open=True),
    metavar="W",
    help="The relative likelihood of a guess; one for each --expect.",
)
@click.option("--phase", metavar="PHASE", help="The phase, such as F1902M.")
@click.option(
    "--top",
    type=option_types.WholeNumber(1),
    default=5,
    help="Number of order sets to print.",
)
@click.option(
    "--seconds",
    type=option_types.Number(0),
    default=5.0,
    metavar="S",
    help="Duration of the search.",
)
@click.option(
    "--evaluations",
    type=option_types.WholeNumber(1),
    help="Evaluate N sets instead; the result is then the same every time.",
)
@click.option(
    "--picture",
    type=option_types.OutputFile(),
    help="Draw the best set against the likeliest guess, as SVG.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@option_types.rules_option
@option_types.board_option("The board of POSITION, if it is your own.")
@option_types.options_as(AssistOptions)
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
    end = monotonic() + options.seconds
    question, scene = _question_of(options)
    searching = search.Search(question)
    for _ in islice(searching.steps(), options.evaluations):
        if options.evaluations is None and monotonic() >= end:
            break
    sets = [
        advice_text.RatedProposal(proposal, search.dangers(searching, proposal, 2))
        for proposal in searching.ranked(options.top)
    ]
    writer = advice_text.AdviceWriter(question, searching.evaluation)
    is_assumed = not options.expect
    if options.as_json:
        print_line(advice_text.advice_json(writer, sets, assumed=is_assumed))
    else:
        for line in writer.answer(sets, assumed=is_assumed):
            print_line(line)
    if options.picture is not None:
        _draw(options.picture, scene, question, sets[0].proposal.orders)


def _draw(
    path: Path, scene: Scene, question: search.AdviceQuery, orders: Sequence[Order]
) -> None:
    """Draw the outcomes of *orders* against the likeliest guess."""
    likeliest = max(question.guesses, key=lambda guess: guess.weight)
    reports = question.resolution(orders, likeliest).reports
    with failures.writing(path):
        archive.write_output(path, draw(evolve(scene, reports=reports)).encode())
    print_line(path, to_stderr=True)


def _question_of(options: AssistOptions) -> tuple[search.AdviceQuery, Scene]:
    """Return the question, and the scene of its position.

    Raises as `scene_of` and `_guesses_at`, and `FormatError` if the power is unknown
    or has no orders to give.
    """
    scene = input_scenes.scene_of(options.source, options.phase, options.boards)
    position = queries.without_occupied(scene.position)
    names = names_of(scene.variant.map)
    power = queries.power_called(names, options.power)
    if not candidates(scene.variant.map, position, power, ()).first:
        phase = names.phase_text(position.turn)
        raise FormatError(f"{names.powers[power]} has nothing to order in {phase}")
    rules = EDITIONS[options.edition]
    question = search.AdviceQuery(scene.variant, position, power, rules=rules)
    guesses = _guesses_at(question, options.expect, options.weight)
    return evolve(question, guesses=guesses), scene


def _guesses_at(
    question: search.AdviceQuery, expect: Sequence[str], weights: Sequence[float]
) -> tuple[search.ExpectedOrders, ...]:
    """Return the guesses of the options, or the default guesses.

    Raises `FormatError` or `OSError`, and `UsageError` if the number of weights is
    wrong.
    """
    if weights and len(weights) != len(expect):
        message = f"{len(weights)} --weight, expected one for each --expect"
        raise click.UsageError(message)
    if not expect:
        return search.assumed(question)
    pairs = zip(expect, weights or (1.0,) * len(expect), strict=True)
    return tuple(
        search.ExpectedOrders(f"guess {number}", _orders(text, question), weight)
        for number, (text, weight) in enumerate(pairs, 1)
    )


def _orders(text_or_path: str, question: search.AdviceQuery) -> tuple[Order, ...]:
    """Return the orders in a text, or in the file that it names."""
    # Orders may be longer than any file name: that is no error here.
    is_file = os.path.isfile(text_or_path)  # noqa: PTH113
    return advice_text.read_expectations(
        texts.read_text(Path(text_or_path)) if is_file else text_or_path,
        names_of(question.variant.map),
        question.position,
        question.power,
        question.rules,
    )
