"""`daide-server check` and `replay`: faults in game records, and differences."""

from collections.abc import Iterable, Iterator
from functools import partial

import click
import msgspec
from msgspec.structs import replace

from daide_server.judge.rules import EDITIONS
from daide_server.library.game_files import Found, read_game
from daide_server.records.formats.format import RecordFault
from daide_server.records.replay import replay
from daide_server.text import difference_text

from .common.game_arguments import GameFiles
from .common.option_types import Boards, board_option
from .common.printing import print_line


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@board_option()
def command(files: tuple[str, ...], boards: Boards) -> None:
    """Print a line for each fault in games: FILE: place: what was found.

    This is stricter than the commands that read games. Anything that another program
    would refuse or misread is a fault, and each position must follow from the orders
    before it, and so must each recorded result.

    A line that begins with "remark:" is a known habit of another program, and no fault.

    The exit code is 1 if there is any fault.
    """
    games = GameFiles(files, boards)
    for found, fault in games.worked(_faults):
        games.succeeded = games.succeeded and fault.remark
        print_line(f"{'remark: ' if fault.remark else ''}{found}: {fault}")
    games.exit()


def _faults(found: Found, boards: Boards) -> Iterable[RecordFault]:
    return difference_text.faults_in(found.content, boards.find)


@click.command("replay")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--edition",
    type=click.Choice(sorted(EDITIONS)),
    help="The edition of the rules, instead of that of each record.",
)
@board_option()
def replay_command(
    files: tuple[str, ...], boards: Boards, edition: str | None, *, as_json: bool
) -> None:
    """Adjudicate game records again, and print a line for each difference.

    A line is FILE PHASE POWER WHAT: recorded ..., adjudicated ...
    PHASE is the phase in which the file has the difference: results differ in the
    phase of their orders, positions in the phase after it. A record of this server is
    adjudicated under the edition of the rules that it names, a saved game of the
    diplomacy package under the edition of that name, any other record under dipcc's
    edition, or all under that of --edition.

    A line that begins with "remark:" is a known habit of another program. It does not
    count as a difference.

    The exit code is 1 if there is any difference, or a file cannot be read.
    """
    games = GameFiles(files, boards)
    for found, text in games.worked(partial(_differences, edition=edition)):
        if as_json:
            line = {"file": str(found), **msgspec.to_builtins(text)}
            print_line(msgspec.json.encode(line).decode())
        else:
            print_line(f"{'remark: ' if text.remark else ''}{found} {text}")
        games.succeeded = games.succeeded and text.remark
    games.exit()


def _differences(
    found: Found, boards: Boards, *, edition: str | None
) -> Iterator[difference_text.DifferenceText]:
    record = read_game(found, boards.find)
    if edition is not None:
        record = replace(record, edition=edition)
    for difference in replay(record):
        yield difference_text.difference_text(difference, record.variant.map)
