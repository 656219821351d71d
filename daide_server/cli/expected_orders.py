"""The options `--expect` and `--weight` of `assist`: guesses at what others order."""

from collections.abc import Sequence
from pathlib import Path

import click

from daide_server.advice.expected_orders import assumed
from daide_server.advice.search import AdviceQuery, ExpectedOrders
from daide_server.board.orders import Order
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.reports.expectations import read_expectations
from daide_server.storage.texts import read_text


def guesses_at(
    question: AdviceQuery, expected: Sequence[str], weights: Sequence[float]
) -> tuple[ExpectedOrders, ...]:
    """Return what is *expected*, with its weights; what is assumed, if nothing is.

    Raises `FormatError` or `OSError`, and `UsageError` for weights of too few.
    """
    if weights and len(weights) != len(expected):
        message = f"{len(weights)} --weight, expected one for each --expect"
        raise click.UsageError(message)
    if not expected:
        return assumed(question)
    pairs = zip(expected, weights or (1.0,) * len(expected), strict=True)
    return tuple(
        ExpectedOrders(f"guess {number}", _orders(text, question), weight)
        for number, (text, weight) in enumerate(pairs, 1)
    )


def _orders(text: str, question: AdviceQuery) -> tuple[Order, ...]:
    """Return the orders that *text* tells, or the file that it names."""
    return read_expectations(
        _in_file(text),
        names_of(question.variant.map),
        question.position,
        question.power,
        question.rules,
    )


def _in_file(text: str) -> str:
    """Return the content of the file called *text*, or *text* if there is none."""
    path = Path(text)
    try:
        return read_text(path) if _is_file(path) else text
    except UnicodeDecodeError as error:
        message = f"{path}: expected a text in UTF-8: {error}"
        raise FormatError(message) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # Orders may be longer than any name of a file.
        return False
