"""The option `--map`: a board of the user, for the games that name it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

import click

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.board.guesses import meant
from daide_server.board.variant import Variant, VariantError
from daide_server.classes import frozen
from daide_server.reports.query_positions import DEFAULT_BOARD
from daide_server.storage.variants import load_variant, variant_names

from .printing import print_line

_Command = TypeVar("_Command", bound=Callable[..., Any])

MAP_HELP: Final = (
    "A board of your own, for games that name it: a file that `maps check` reads."
)
SHOWN_FAULTS: Final = 5
"""Faults of a board that are printed; `maps check` prints all."""


@frozen
class Boards:
    """The boards that games may name: the user's `own` first, then the shipped ones."""

    own: Variant | None = None

    def find(self, name: str) -> Variant:
        """Return the board called *name*; raise `VariantError` if none is."""
        own = self.own
        if own is not None and name.lower() == own.name.lower():
            return own
        if name.lower() in variant_names():
            return load_variant(name)
        named = "names a file of your own" if own is None else f"names {own.name!r}"
        known = ", ".join(variant_names())
        hint = meant(name, variant_names()) or f"; there are: {known}"
        message = f"no variant is called {name!r}; --map {named}{hint}"
        raise VariantError(message)

    @property
    def unnamed(self) -> Variant:
        """Return the board of a position that names none."""
        return self.own or load_variant(DEFAULT_BOARD)


class BoardType(click.ParamType[Variant]):
    """A board: the name of a shipped board, or a file of any format."""

    name = "board"

    def convert(
        self,
        value: str | Variant,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Variant:
        """Return the board; fail with its faults and their places."""
        if isinstance(value, Variant):
            return value
        # Imported here, because most games need no reader of boards.
        from daide_server.storage.board_formats import read_board  # noqa: PLC0415

        try:
            board = read_board(value)
        except AtlasError as error:
            return self.fail("\n".join(_first(error.faults, value)), param, ctx)
        if board.faults:
            print_line(f"{value}: {_summary(len(board.faults), value)}", to_stderr=True)
        return board.variant


def _first(faults: Sequence[MapFault], name: str) -> Iterator[str]:
    """Yield the first faults of a board, and how to see the others."""
    yield from map(str, faults[:SHOWN_FAULTS])
    if len(faults) > SHOWN_FAULTS:
        yield _summary(len(faults), name)


def _summary(count: int, name: str) -> str:
    faults = "fault" if count == 1 else "faults"
    return f"{count} {faults}; `daide-server maps check {name}` lists all"


def board_option(text: str = MAP_HELP) -> Callable[[_Command], _Command]:
    """Return a decorator that adds the option; the command is given `Boards`."""

    def boards(
        ctx: click.Context, param: click.Parameter, own: Variant | None
    ) -> Boards:
        del ctx, param
        return Boards(own)

    return click.option(
        "--map", "boards", type=BoardType(), callback=boards, metavar="BOARD", help=text
    )
