"""Types of options and arguments; an error says what was found and expected."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import frozen

from daide_server.atlas.checking import AtlasError
from daide_server.board.map import Variant, VariantError
from daide_server.errors import meant
from daide_server.judge.rules import EDITIONS
from daide_server.library.variants import load_variant, variant_names
from daide_server.settings.kinds import SWITCH, whole

from .printing import print_line

# The paths of output files: one run never writes twice to one path

STDOUT = Path("-")
"""Standard output, where a command can write to it."""


class OutputPaths:
    """The paths that a run has taken; a repeated name gets a number."""

    def __init__(self) -> None:
        self._taken: set[Path] = set()

    def take(self, folder: Path, stem: str, suffix: str) -> Path:
        """Return a path in *folder* that this run has not taken yet."""
        path, number = folder / f"{stem}{suffix}", 1
        while path in self._taken:
            number += 1
            path = folder / f"{stem}-{number}{suffix}"
        self._taken.add(path)
        return path


_T = TypeVar("_T")


class WordedType(click.ParamType[_T]):
    """A mixin before a type of click: own error messages, and a further check."""

    @property
    def expected(self) -> str:
        """Return the valid values in words; if empty, errors are in click's words."""
        return ""

    def problem(self, value: str) -> str:
        """Return what is wrong with *value* that click accepts; empty if nothing is."""
        del value
        return ""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - a text, or a default
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> _T:
        """Return the value of the text *value*."""
        problem = self.problem(str(value))
        if problem:
            self.fail(problem, param, ctx)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            if not self.expected:
                raise
            message = f"found {str(value)!r}, expected {self.expected}"
            return self.fail(message, param, ctx)


class WholeNumber(WordedType[int], click.IntRange):
    """A whole number in a range."""

    name = "n"

    @property
    def expected(self) -> str:
        """Return the valid numbers in words."""
        return whole(self.min, self.max).expected


class Number(WordedType[float], click.FloatRange):
    """A finite number of *min* or more, or above it."""

    name = "x"

    @property
    def expected(self) -> str:
        """Return the valid numbers in words."""
        words = "above {:g}" if self.min_open else "of {:g} or more"
        return f"a number {words.format(self.min)}"

    def problem(self, value: str) -> str:
        """Return the error of a *value* that is not finite: no range excludes NaN."""
        with suppress(ValueError):
            if not isfinite(float(value)):
                return f"found {value!r}, expected {self.expected}"
        return ""


class Seconds(Number):
    """A number of seconds."""

    name = "seconds"


FILE = click.Path(dir_okay=False, path_type=Path)


class OutputFile(WordedType[Path], click.Path):
    """A file to write to; not `-`, which means standard output elsewhere."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)
        self.name = "file"

    def problem(self, value: str) -> str:
        """Return the error of the value `-`."""
        return "found '-', expected a file" if value == str(STDOUT) else ""


class Utf8Text(WordedType[str], click.types.StringParamType):
    """A text in UTF-8: arguments may be any bytes."""

    def problem(self, value: str) -> str:
        """Return the error of a *value* that is not UTF-8."""
        is_text = value.encode(errors="replace").decode() == value
        return "" if is_text else f"found {value!r}, expected a text in UTF-8"


class Folder(WordedType[Path], click.Path):
    """A folder; not an empty text, which Python takes for the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, file_okay=False)

    def problem(self, value: str) -> str:
        """Return the error of a *value* that cannot be the name of a folder."""
        if not value:
            return "found an empty text, expected a folder"
        return Utf8Text().problem(value)


class Switch(WordedType[bool], click.types.BoolParamType):
    """A switch, which an environment variable may turn on or off in words."""

    expected = SWITCH.expected


Options = TypeVar("Options")


def options_as(
    kind: Callable[..., Options],
) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Return a decorator: the command takes its options as the fields of *kind*."""

    def decorate(command: Callable[[Options], None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: object) -> None:
            command(kind(**values))

        return run

    return decorate


_Command = TypeVar("_Command", bound=Callable[..., Any])


def bot_list(value: str) -> tuple[str, ...]:
    """Return the words for each bot; there are commas between them."""
    return tuple(words.strip() for words in value.split(","))


more_option = click.option(
    "--bot",
    "more",
    multiple=True,
    metavar="WORDS",
    help="A bot, such as '2 x ./mybot -i{host} -p{port}', a command with "
    "placeholders, or 'lines:COMMAND'; may be repeated.",
)

pass_option = click.option(
    "--pass",
    "passed",
    multiple=True,
    metavar="NAME",
    help="An environment variable that bots get; may be repeated.  [all]",
)

sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["auto", "bwrap", "none"]),
    default="auto",
    help="The sandbox of bots that are commands: bwrap, none, or auto: bwrap if it "
    "works.",
)

rules_option = click.option(
    "--rules",
    "edition",
    type=click.Choice(sorted(EDITIONS)),
    default="daide",
    help="The edition of the rules.",
)

MAP_HELP = (
    "A board of your own, for games that name it: a file that `maps check` reads."
)
SHOWN_FAULTS = 5
"""Maximum number of printed faults of a board; `maps check` prints all."""


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
        raise VariantError(f"no variant is called {name!r}; --map {named}{hint}")

    @property
    def unnamed(self) -> Variant:
        """Return the board of a position that names none."""
        # It imports the judge, which no help needs.
        from daide_server.text.queries import DEFAULT_BOARD  # noqa: PLC0415

        return self.own or load_variant(DEFAULT_BOARD)


def _board(value: str) -> Variant:
    """Return a shipped board, or that of a file of any format.

    Raises `BadParameter` with its faults and their places.
    """
    # Imported here, because most games need no reader of boards.
    from daide_server.library.board_formats import read_board  # noqa: PLC0415

    try:
        board = read_board(value)
    except AtlasError as error:
        first = [str(fault) for fault in error.faults[:SHOWN_FAULTS]]
        if len(error.faults) > SHOWN_FAULTS:
            first.append(_summary(len(error.faults), value))
        raise click.BadParameter("\n".join(first)) from None
    if board.faults:
        print_line(f"{value}: {_summary(len(board.faults), value)}", to_stderr=True)
    return board.variant


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
        "--map", "boards", type=_board, callback=boards, metavar="BOARD", help=text
    )


# Of tournaments

folder_argument = click.argument("folder", type=Folder(), metavar="FOLDER")
executor_option = click.option(
    "--executor",
    default="",
    show_default=False,
    metavar="NAME",
    help="The executor: local or module:function, instead of that of the file.",
)
CHANCE = Number(0, 1, min_open=True, max_open=True)
detect_option = click.option(
    "--detect",
    type=CHANCE,
    metavar="D",
    show_default="not asked",
    help="Print how many games detect a difference of D between two scores.",
)
power_option = click.option(
    "--power",
    type=CHANCE,
    default=0.8,
    metavar="P",
    help="With --detect: the probability of detecting the difference.",
)
SECONDS_IN = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(value: str) -> float:
    """Return the seconds of a time such as 90s, 30m, 2h or 1d."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", value)
    if found is None:
        raise click.BadParameter(f"found {value!r}, expected a time such as 90s or 2h")
    return float(found[1]) * SECONDS_IN[found[2]]
