"""`daide-server replay`: adjudicate records again, and tell every difference."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from daide_server.records.errors import FormatError
from daide_server.records.formats import DEFAULT, FORMATS
from daide_server.records.record import RecordError
from daide_server.records.replay import Difference, replay
from daide_server.storage.variants import load_variant


@click.command("replay")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def command(files: tuple[str, ...], *, as_json: bool) -> None:
    """Adjudicate game records again, and print one line per difference.

    A line is FILE PHASE POWER what: recorded ..., adjudicated ...
    where PHASE is the one that the file says it in: the results of orders in the
    phase of the orders, what they led to in the next one. A record of ours is
    replayed under the edition of the rules that it names, any other under dipcc's.
    What other recorders are known to do otherwise is a line that begins with
    "remark:", and is no difference.

    The exit code is 1 if there is any difference, or a file cannot be read.
    """
    clean = [_replay_file(name, as_json=as_json) for name in files]
    click.get_current_context().exit(0 if all(clean) else 1)


def _replay_file(name: str, *, as_json: bool) -> bool:
    """Print the differences in one file; return whether there are none."""
    clean = True
    shown = click.format_filename(name)
    show = _json if as_json else _line
    try:
        for difference in _differences(name):
            click.echo(show(shown, difference))
            clean = clean and difference.remark
    except OSError as error:
        return _complain(f"{shown}: {error.strerror or error}")
    except (FormatError, RecordError) as error:
        return _complain(f"{shown}: {error}")
    return clean


def _differences(name: str) -> Iterator[Difference]:
    content = Path(name).read_bytes()
    yield from replay(FORMATS[DEFAULT].read(content, load_variant))


def _line(name: str, difference: Difference) -> str:
    remark = "remark: " if difference.remark else ""
    return f"{remark}{name} {difference}"


def _json(name: str, difference: Difference) -> str:
    line = {"file": name, **msgspec.to_builtins(difference)}
    return msgspec.json.encode(line).decode()


def _complain(message: str) -> bool:
    click.echo(message, err=True)
    return False
