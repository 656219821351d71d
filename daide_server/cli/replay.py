"""`daide-server replay`: adjudicate records again, and tell every difference."""

import click
import msgspec

from daide_server.formats.errors import FormatError
from daide_server.records.record import RecordError
from daide_server.records.replay import replay
from daide_server.reports.difference_text import DifferenceText, difference_text

from .game_arguments import Games
from .map_option import Boards, board_option


@click.command("replay")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@board_option()
def command(files: tuple[str, ...], boards: Boards, *, as_json: bool) -> None:
    """Adjudicate game records again, and print one line per difference.

    A line is FILE PHASE POWER what: recorded ..., adjudicated ...
    where PHASE is the one that the file says it in: the results of orders in the
    phase of the orders, what they led to in the next one. A record of ours is
    replayed under the edition of the rules that it names, any other under dipcc's.
    What other recorders are known to do otherwise is a line that begins with
    "remark:", and is no difference.

    The exit code is 1 if there is any difference, or a file cannot be read.
    """
    games = Games(files, boards)
    show = _json if as_json else _line
    for name, record in games.records():
        try:
            for difference in replay(record):
                text = difference_text(difference, record.variant.map)
                click.echo(show(name, text))
                games.clean = games.clean and difference.remark
        except (FormatError, RecordError) as error:
            games.complain(name, str(error))
    games.exit()


def _line(name: str, difference: DifferenceText) -> str:
    remark = "remark: " if difference.remark else ""
    return f"{remark}{name} {difference}"


def _json(name: str, difference: DifferenceText) -> str:
    line = {"file": name, **msgspec.to_builtins(difference)}
    return msgspec.json.encode(line).decode()
