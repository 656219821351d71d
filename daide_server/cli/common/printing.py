"""Everything that a command prints goes through this module; tables: `styled_output`.

Text from files and from the network is made printable: a control character could
command the terminal.
"""

import codecs
import io
import os
import sys
from contextlib import suppress

import click

ESCAPES = "daide_server.escapes"
STANDARD_STREAMS = (
    ("stdin", "r", os.O_RDONLY),
    # Output would be lost, and a command must report that: writing fails.
    ("stdout", "w", os.O_RDONLY),
    ("stderr", "w", os.O_WRONLY),
)
"""For each descriptor: the name in `sys`, its mode, and how the null device is
opened."""


class OutputError(SystemExit):
    """Standard output cannot be written, for the `reason`.

    Like the end of the program, it passes the handlers of errors in a single game,
    client or file.
    """

    def __init__(self, reason: OSError) -> None:
        super().__init__(1)
        self.reason = reason


def open_closed_streams() -> None:
    """Open the null device for standard streams that are closed.

    Otherwise the next file or socket would get the number of one, and the log, or the
    output of a child, would go there. Printing to a standard output that was closed
    raises `OutputError`.
    """
    for number, (name, mode, flags) in enumerate(STANDARD_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest free number, this one
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def escape_unencodable() -> None:
    """Let standard output write escapes for characters that its encoding lacks."""
    codecs.register_error(ESCAPES, _escaped_part)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPES)


def printable(text: str) -> str:
    """Return *text* with JSON's escape, `\\u001b`, for each unprintable character."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def printed(line: str) -> str:
    """Return the text that `print_line` prints for *line*."""
    return printable(line) + "\n"


def print_line(line: object = "", *, to_stderr: bool = False) -> None:
    """Print *line*, made printable; raises `OutputError`.

    If standard error cannot be written, the line is dropped.
    """
    text = printed(str(line))
    if to_stderr:
        with suppress(OSError):
            click.echo(text, file=sys.stderr, nl=False)
    else:
        print_content(text)


def print_warning(line: object) -> None:
    """Print *line* to standard error."""
    print_line(line, to_stderr=True)


def print_text(text: str) -> None:
    """Print each line of *text*, made printable."""
    for line in text.removesuffix("\n").split("\n"):
        print_line(line)


def print_content(content: str | bytes) -> None:
    """Print *content* unchanged, text that is printable; raises `OutputError`."""
    try:
        click.echo(content, file=sys.stdout, nl=False)
    except OSError as error:
        raise OutputError(error) from error


def discard_output() -> None:
    """Connect standard output to the null device.

    At exit Python writes the rest of its buffer, which would fail again.
    """
    # In tests, standard output may have no descriptor.
    with suppress(OSError, ValueError):
        descriptor = sys.stdout.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)


def _escaped_part(error: UnicodeError) -> tuple[str, int]:
    """Return the escapes of characters that cannot be encoded, and their end."""
    assert isinstance(error, UnicodeEncodeError)
    part = error.object[error.start : error.end]
    return "".join(map(_escape, part)), error.end


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\t" else _escape(letter)


def _escape(letter: str) -> str:
    # Half a surrogate pair may stand alone in a text.
    units = letter.encode("utf-16-be", "surrogatepass").hex(" ", 2)
    return f"\\u{units}".replace(" ", "\\u")
