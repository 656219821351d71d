"""`daide-server assist`: what to order, against what the others are expected to."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Final

import click
from attrs import evolve, frozen

from daide_server.advice.candidates import candidates
from daide_server.advice.dangers import dangers
from daide_server.advice.search import AdviceQuery, Proposal, Search
from daide_server.atlas.map_faults import AtlasError
from daide_server.board.variant import VariantError
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.judge.rules import EDITIONS
from daide_server.pictures.drawing import draw
from daide_server.pictures.picture import PictureError
from daide_server.pictures.scene import Scene
from daide_server.records.record import RecordError
from daide_server.reports.advice_json import advice_json
from daide_server.reports.advice_text import AdviceWriter, RatedProposal
from daide_server.reports.expectations import power_called
from daide_server.reports.query_positions import without_occupied

from .expected_orders import guesses_at
from .map_option import Boards, board_option
from .scenes import scene_of

Expected = (OSError, AtlasError, FormatError, VariantError, PictureError, RecordError)
DANGERS: Final = 2
"""How many attacks are told of each set."""
SAID: Final = "Expected of the others, who hold where nothing is said:"
ASSUMED: Final = "Assumed of the others, as no --expect says what they do:"


@frozen
class Asked:
    """What the options ask for."""

    power: str
    expect: tuple[str, ...]
    weight: tuple[float, ...]
    phase: str | None
    edition: str
    boards: Boards


@click.command("assist")
@click.argument("source", metavar="POSITION")
@click.option("--power", required=True, metavar="POWER", help="Whom to advise.")
@click.option(
    "--expect",
    multiple=True,
    metavar="ORDERS",
    help="A guess at the others' orders: text, or a file; may be repeated.",
)
@click.option(
    "--weight",
    multiple=True,
    type=click.FloatRange(0, min_open=True),
    metavar="W",
    help="How likely a guess is beside others: one for each --expect.",
)
@click.option("--phase", metavar="PHASE", help="The phase, such as F1902M.")
@click.option(
    "--top",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    metavar="N",
    help="How many order sets to show.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=5.0,
    show_default=True,
    metavar="S",
    help="How long to search.",
)
@click.option(
    "--evaluations",
    type=click.IntRange(1),
    metavar="N",
    help="Search so many sets instead, and find the same every time.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the best set as SVG, against the likeliest guess.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--rules",
    "edition",
    type=click.Choice(sorted(EDITIONS)),
    default="daide",
    show_default=True,
    help="The edition of the rules to adjudicate by.",
)
@board_option("The board of POSITION, if it is your own.")
def command(  # noqa: PLR0913 - one for each option
    source: str,
    top: int,
    seconds: float,
    evaluations: int | None,
    picture: Path | None,
    *,
    as_json: bool,
    **asked: object,
) -> None:
    """Rank a power's order sets against what is expected of the others.

    POSITION is a position in JSON as `adjudicate` reads it, a record of a game in any
    format, the Move Assistant's statements (.txt), or a board, which means its start.
    Of a record, the last phase is taken unless --phase names one; of statements and
    boards, --phase tells the turn that they do not.

    \b
    daide-server assist position.json --power FRANCE
    daide-server assist standard --power FRANCE \
      --expect "GERMANY: A MUN - BUR, A BER - KIE; ITALY: A VEN - PIE" --weight 3 \
      --expect "GERMANY: A MUN - RUH" --weight 1 --picture best.svg

    With several guesses a set is worth what it brings on average. Units of which a
    guess says nothing hold. Without a guess, two are made: that all others hold,
    and, twice as likely, that each plays for itself as if all others held.

    Worth is in centres: those that are taken and lost, half as much in spring, when
    a centre that is entered must still be held; safety, for units lost and centres
    left open; position, for centres in reach. The exit code is 1 if POSITION or
    ORDERS are wrong.
    """
    end = monotonic() + seconds
    wanted = Asked(**asked)  # type: ignore[arg-type] # click keeps the types
    try:
        question, scene = _question(source, wanted)
        search = Search(question)
        _go_on(search, end, evaluations)
        sets = [
            RatedProposal(proposal, dangers(search, proposal, DANGERS))
            for proposal in search.ranked(top)
        ]
        tell = _tell_json if as_json else _tell
        tell(search, sets, assumed=not wanted.expect)
        if picture is not None:
            _draw(search, sets[0].proposal, scene, picture)
    except Expected as error:
        click.echo(_told(error), err=True)
        raise click.exceptions.Exit(1) from error


def _told(error: Exception) -> str:
    """Return what is wrong, with the file if it is one that cannot be used."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


# What is asked


def _question(source: str, asked: Asked) -> tuple[AdviceQuery, Scene]:
    """Return the question, and a scene of its position."""
    scene = scene_of(source, asked.phase, asked.boards)
    position = without_occupied(scene.position)
    names = names_of(scene.variant.map)
    power = power_called(names, asked.power)
    if not candidates(scene.variant.map, position, power, ()).first:
        phase = names.phase_text(position.turn)
        message = f"{names.powers[power]} has nothing to order in {phase}"
        raise FormatError(message)
    question = AdviceQuery(
        scene.variant, position, power, rules=EDITIONS[asked.edition]
    )
    guesses = guesses_at(question, asked.expect, asked.weight)
    return evolve(question, guesses=guesses), scene


def _go_on(search: Search, end: float, evaluations: int | None) -> None:
    """Search until it is *end* on the clock, or so many sets are evaluated."""
    for _ in islice(search.steps(), evaluations):
        if evaluations is None and monotonic() >= end:
            return


# What is answered


def _tell(search: Search, sets: Sequence[RatedProposal], *, assumed: bool) -> None:
    adviser, question = _adviser(search), search.question
    names = names_of(question.variant.map)
    power = names.powers[question.power]
    click.echo(f"{names.phase_text(question.position.turn)}, {power}")
    click.echo(ASSUMED if assumed else SAID)
    for line in adviser.expectations():
        click.echo(line)
    for rank, advised in enumerate(sets, 1):
        click.echo()
        for line in adviser.lines(advised, rank):
            click.echo(line)


def _tell_json(search: Search, sets: Sequence[RatedProposal], *, assumed: bool) -> None:
    adviser = _adviser(search)
    click.echo(advice_json(adviser, search.question, sets, assumed=assumed))


def _adviser(search: Search) -> AdviceWriter:
    names = names_of(search.question.variant.map)
    return AdviceWriter(names, search.question, search.evaluation)


def _draw(search: Search, proposal: Proposal, scene: Scene, path: Path) -> None:
    question = search.question
    likeliest = max(question.guesses, key=lambda guess: guess.weight)
    reports = question.resolution(proposal.orders, likeliest).reports
    drawn = Scene(scene.variant, scene.picture, scene.position, reports)
    path.write_text(draw(drawn), encoding="utf-8")
    click.echo(path, err=True)
