"""The options `--expect` and `--weight` of `assist`: guesses at the others' orders."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from daide_server.advice.search import AdviceQuery, ExpectedOrders, assumed
from daide_server.board.orders import Order
from daide_server.formats.phase_json.map_names import names_of
from daide_server.reports.expectations import read_expectations
from daide_server.storage.texts import read_text

from .option_types import Number

_Command = TypeVar("_Command", bound=Callable[..., Any])


def guess_options(command: _Command) -> _Command:
    """Add the options `expect` and `weight` to *command*."""
    weight = click.option(
        "--weight",
        multiple=True,
        type=Number(0, min_open=True),
        metavar="W",
        help="The relative likelihood of a guess; one for each --expect.",
    )
    expect = click.option(
        "--expect",
        multiple=True,
        metavar="ORDERS",
        help="A guess at the others' orders: text, or a file; may be repeated.",
    )
    return expect(weight(command))


def guesses_at(
    question: AdviceQuery, expect: Sequence[str], weights: Sequence[float]
) -> tuple[ExpectedOrders, ...]:
    """Return the guesses of the options; without any, those that are assumed.

    Raises `FormatError` or `OSError`, and `UsageError` if the number of weights is
    wrong.
    """
    if weights and len(weights) != len(expect):
        message = f"{len(weights)} --weight, expected one for each --expect"
        raise click.UsageError(message)
    if not expect:
        return assumed(question)
    pairs = zip(expect, weights or (1.0,) * len(expect), strict=True)
    return tuple(
        ExpectedOrders(f"guess {number}", _orders(text, question), weight)
        for number, (text, weight) in enumerate(pairs, 1)
    )


def _orders(text_or_path: str, question: AdviceQuery) -> tuple[Order, ...]:
    """Return the orders in a text, or in the file that it names."""
    return read_expectations(
        _content(text_or_path),
        names_of(question.variant.map),
        question.position,
        question.power,
        question.rules,
    )


def _content(text_or_path: str) -> str:
    """Return the content of the file of this name, or the text if there is none."""
    path = Path(text_or_path)
    return read_text(path) if _is_file(path) else text_or_path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # Orders may be longer than any file name.
        return False
