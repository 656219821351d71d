"""`daide-server bot`: one of our bots against any DAIDE server."""

import sys
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random

import click
import trio
from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.bots.catalogue import BOTS, BotResult, play
from daide_server.bots.client import join, rejoin
from daide_server.bots.errors import ClientError
from daide_server.bots.remote_game import RemoteGame


@frozen
class SeatRequest:
    """Where the bot plays: any seat, that of a power, or one that it had before."""

    host: str
    port: int
    name: str
    power: str | None
    passcode: int | None

    def taken(self) -> AbstractAsyncContextManager[RemoteGame]:
        """Return the game, to be entered."""
        if self.power is not None and self.passcode is not None:
            power = Power(self.power)
            return rejoin(self.host, self.port, power=power, passcode=self.passcode)
        name = self.name if self.power is None else f"{self.power}:{self.name}"
        return join(self.host, self.port, name=name, version=__version__)


@click.command("bot")
@click.argument("bot", type=click.Choice(sorted(BOTS), case_sensitive=False))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where the server is."
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=16713,
    show_default=True,
    help="The server's port.",
)
@click.option(
    "--name", help="What the bot calls itself.  [default: dumb, hold or rand]"
)
@click.option(
    "--power",
    metavar="POW",
    help="Ask for this power (as the name POW:NAME, which not every server heeds), "
    "or return to it with --passcode.",
)
@click.option(
    "--passcode",
    type=click.IntRange(0, 8191),
    help="Return to the seat of --power in a running game (IAM).",
)
@click.option("--seed", type=int, help="Play the same game again, chance permitting.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Play this many games, one after another.",
)
def command(  # noqa: PLR0913 - one parameter for each option
    *,
    bot: str,
    host: str,
    port: int,
    name: str | None,
    power: str | None,
    passcode: int | None,
    seed: int | None,
    games: int,
) -> None:
    """Play as one of our bots on any DAIDE server.

    \b
      hold  stays where it is
      rand  gives random legal orders
      dumb  values places and goes to the best, in the manner of DumbBot

    One line per game tells how it ended. If the connection is lost in a game, the
    bot returns to its seat by itself.

    \b
    Examples:
      daide-server bot dumb
      daide-server bot rand --host 192.0.2.7 --port 16714 --games 10
      daide-server bot hold --power FRA --passcode 2947
    """
    if passcode is not None and power is None:
        message = "--passcode needs --power: whose seat is it?"
        raise click.UsageError(message)
    if passcode is not None and games > 1:
        message = "--passcode returns to one game; leave --games out"
        raise click.UsageError(message)
    seat = SeatRequest(host, port, name or bot, power and power.upper(), passcode)
    _run(bot, seat, seed, games)


def _run(bot: str, seat: SeatRequest, seed: int | None, games: int) -> None:
    try:
        trio.run(partial(_play, bot, seat, seed, games))
    except ClientError as error:
        click.echo(f"daide-server bot: {error}", err=True)
        sys.exit(1)


async def _play(bot: str, seat: SeatRequest, seed: int | None, games: int) -> None:
    strategy = BOTS[bot](Random(seed))  # noqa: S311 - a game, not a secret
    for _ in range(games):
        async with seat.taken() as game:
            played = await play(game, strategy)
        click.echo(_line(played))


def _line(played: BotResult) -> str:
    """Return how a game ended, as one line."""
    parts = [f"{played.power}: {played.ended}"]
    if played.centres is not None:
        parts.append(f"{played.centres} centres")
    if played.refused:
        parts.append(f"{len(played.refused)} orders refused")
    return ", ".join(parts)
