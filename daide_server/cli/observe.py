"""`daide-server observe`: the live table of a game, on any DAIDE server."""

import click
import trio
from attrs import evolve
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from daide_server.board.map import Position
from daide_server.bots.client import observe
from daide_server.bots.errors import RETRIES, Retries
from daide_server.bots.view import Knowledge, ending_text

from .common.option_types import Seconds
from .common.options import address_of_this_machine, to_address
from .common.printing import print_line
from .common.progress import power_rows, styled_rows
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
    trio.run(_observe, address, evolve(RETRIES, return_seconds=return_seconds))


async def _observe(address: tuple[str, int], retries: Retries) -> None:
    """Show a game until it is over. Raises `ClientError`."""
    host, port = address
    console = Console()
    display = ObservedGame(console)
    async with observe(host, port, retries=retries) as game:
        with display:
            display.show(game.known)
            async for _ in game:
                display.show(game.known)
        display.conclude(game.known)


class ObservedGame:
    """Shows what an observer knows of a game."""

    def __init__(self, console: Console) -> None:
        self._is_terminal = console.is_terminal
        self._live = Live(console=console, refresh_per_second=8, transient=True)
        self._shown: Position | None = None

    def __enter__(self) -> None:
        if self._is_terminal:
            self._live.start()

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._live.stop()

    def show(self, known: Knowledge) -> None:
        """Show the turn that is being played."""
        view = known.view()
        if self._is_terminal:
            head = text(str(view.turn), style="bold")
            self._live.update(Group(head, _table(known)))
        elif self._shown is None or self._shown.turn != view.turn:
            centres = "  ".join(
                f"{power} {len(view.position.centres_of(power)):2}"
                for power in view.map.powers
            )
            print_line(f"{view.turn}  {centres}")
        self._shown = view.position

    def conclude(self, known: Knowledge) -> None:
        """Print the result."""
        ending = "broken off" if known.ending is None else ending_text(known.ending)
        print_styled(text(f"{ending} after {known.view().turn}", style="bold"))
        print_styled(_table(known))


def _table(known: Knowledge) -> Table:
    view, players = known.view(), known.summary.players if known.summary else ()
    rows = power_rows(
        view.position,
        {power: str(power) for power in view.map.powers},
        {each.power: f"{each.name} {each.version}" for each in players},
        dict.fromkeys(known.in_disorder, "civil disorder"),
    )
    return styled_rows(rows)
