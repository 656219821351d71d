"""How a command ends: after a failure with a line on standard error, and exit codes.

| cause | line | exit code |
|---|---|---|
| a `ReportedError`, or an error of the system | `daide-server: PLACE: reason` | 1 |
| wrong options or arguments | click's usage and hint | 2 |
| Ctrl-C | none | 130 |
| the reader of standard output has gone | none | 141 |

The last two are the codes of shells for programs ended by SIGINT or SIGPIPE. A
traceback means a bug.
"""

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NoReturn, TypeVar

import click
from click.exceptions import Exit, NoArgsIsHelpError

from daide_server.errors import ReportedError
from daide_server.records.formats.errors import shortened

from .printing import OutputError, discard_output, print_line, printable

FAILED = 1
INTERRUPTED = 130
OUTPUT_CLOSED = 141


class CommandError(ReportedError):
    """An error that the command itself finds; the message is `PLACE: reason`."""


@contextmanager
def failures_as_exit_codes() -> Iterator[None]:
    """Turn the failure of a command into its line and `Exit`; see the table above."""
    try:
        yield
    except (Exit, NoArgsIsHelpError):
        raise
    except click.UsageError as error:
        # Click prints it, with a hint. It may quote a file.
        lines = error.format_message().split("\n")
        message = "\n".join(map(printable, lines))
        raise click.UsageError(message, error.ctx) from error
    except click.ClickException as error:
        _report(error.format_message())
        raise Exit(error.exit_code) from error
    except KeyboardInterrupt:
        raise Exit(INTERRUPTED) from None
    except OutputError as error:
        _end_without_output(error.reason)
    except BrokenPipeError as error:
        _end_without_output(error)
    except BaseExceptionGroup as group:
        cause = _single_cause(group)
        if cause is None:
            raise
        with failures_as_exit_codes():
            raise cause from None
    except (OSError, ReportedError) as error:
        _report(description(error))
        discard_output()
        raise Exit(FAILED) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into a `CommandError` that names the file.

    Python names no file if the disk is full; *path* is named then.
    """
    try:
        yield
    except OSError as error:
        place, reason = error.filename or path, error.strerror or error
        raise CommandError(f"{place}: {reason}") from error


def description(error: BaseException) -> str:
    """Return the reason of *error*, after the file if it names one."""
    if not isinstance(error, OSError):
        return str(error)
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"


def _report(message: str) -> None:
    for line in message.split("\n"):
        print_line(f"daide-server: {shortened(line)}", to_stderr=True)


def _end_without_output(error: OSError) -> NoReturn:
    """End the command because standard output, or its reader, is gone."""
    discard_output()
    if isinstance(error, BrokenPipeError):
        raise Exit(OUTPUT_CLOSED) from error
    _report(f"standard output: {description(error)}")
    raise Exit(FAILED) from error


def _single_cause(group: BaseExceptionGroup[BaseException]) -> BaseException | None:
    """Return the only error in *group*, which trio wraps around it; else `None`."""
    if len(group.exceptions) > 1:
        return None
    cause = group.exceptions[0]
    return _single_cause(cause) if isinstance(cause, BaseExceptionGroup) else cause


@contextmanager
def failures_of(place: str) -> Iterator[None]:
    """Name *place*, a file or a line of it, in errors of the block."""
    try:
        yield
    except ReportedError as error:
        raise CommandError(f"{place}: {error}") from error


def name_of(file: IO[bytes]) -> str:
    """Return the name of *file* in messages."""
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and name != "<stdin>" else "standard input"


# Signals; programs that a command has started are ended first

DoneT = TypeVar("DoneT")


async def until_signalled(work: Callable[[], Awaitable[DoneT]]) -> DoneT:
    """Return the result of *work*; SIGINT, SIGTERM and SIGHUP cancel it.

    Raises `KeyboardInterrupt`, or `Exit` with the code for the signal.
    """
    # Imported here, because tables need no event loop.
    import trio  # noqa: PLC0415

    asked, ended_by = [signal.SIGTERM, signal.SIGINT], list[int]()
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # Under nohup it stays ignored.
        asked.append(signal.SIGHUP)

    async def cancel_at_signal() -> None:
        with trio.open_signal_receiver(*asked) as signals:
            async for number in signals:
                ended_by.append(number)
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_at_signal)
        done = await work()
        nursery.cancel_scope.cancel()
    if signal.SIGINT in ended_by:
        raise KeyboardInterrupt
    if ended_by:
        # The code of shells for a program ended by a signal.
        raise Exit(128 + ended_by[0])
    return done
