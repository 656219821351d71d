"""`daide-server observe`: a live table of a game on any DAIDE server."""

import click
import trio
from attrs import evolve
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from daide_server.bots import client, entering, remote_game
from daide_server.bots.view import Knowledge, View, ending_text

from .common.option_types import Seconds
from .common.options import address_of_this_machine, to_address
from .common.printing import print_line
from .common.progress import centres_line, power_rows, styled_rows
from .common.styled_output import print_styled, text


@click.command()
@click.argument(
    "address", type=to_address, metavar="[HOST:PORT]", default=address_of_this_machine
)
@click.option(
    "--return-seconds",
    type=Seconds(0),
    default=0.0,
    help="Time to retry while there is no server.",
)
def command(address: tuple[str, int], return_seconds: float) -> None:
    """Watch a game in the terminal, as an observer (OBS) of any DAIDE server.

    On a terminal it shows a table that follows the game; elsewhere it prints a line for
    each turn. The server chooses the game. The names of the players are known only when
    it is over.

    The default of HOST:PORT is that of `serve`, including the environment variables
    DAIDE_HOST and DAIDE_PORT.

    \b
    Examples:
      daide-server observe
      daide-server observe 192.0.2.7:16713
    """
    trio.run(_observe, address, evolve(entering.RETRIES, return_seconds=return_seconds))


async def _observe(address: tuple[str, int], retries: entering.Retries) -> None:
    """Show a game until it is over. Raises `ClientError`."""
    host, port = address
    console = Console()
    async with client.observe(host, port, retries=retries) as game:
        if console.is_terminal:
            with Live(console=console, refresh_per_second=8, transient=True) as live:
                live.update(_display(game.known))
                async for _ in game:
                    live.update(_display(game.known))
        else:
            await _print_turns(game)
        known = game.known
    ending = "broken off" if known.ending is None else ending_text(known.ending)
    print_styled(text(f"{ending} after {known.view().turn}", style="bold"))
    print_styled(_table(known))


async def _print_turns(game: remote_game.RemoteGame) -> None:
    """Print a line for each turn that begins."""
    shown = game.known.view()
    _print_turn(shown)
    async for _ in game:
        view = game.known.view()
        if view.turn != shown.turn:
            _print_turn(view)
        shown = view


def _print_turn(view: View) -> None:
    print_line(f"{view.turn}  {centres_line(view.position, view.map.powers)}")


def _display(known: Knowledge) -> Group:
    return Group(text(str(known.view().turn), style="bold"), _table(known))


def _table(known: Knowledge) -> Table:
    view, players = known.view(), known.summary.players if known.summary else ()
    rows = power_rows(
        view.position,
        {power: str(power) for power in view.map.powers},
        {each.power: f"{each.name} {each.version}" for each in players},
        dict.fromkeys(known.in_disorder, "civil disorder"),
    )
    return styled_rows(rows)
