"""`daide-server bot`: a built-in bot on any DAIDE server."""

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

import click
from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.bots.built_in import BOTS

from .option_values import options_as
from .printing import print_line

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from daide_server.bots.catalogue import BotResult
    from daide_server.bots.remote_game import RemoteGame


SUMMARIES: Final = "\n".join(
    ("\b", "Bots:", *(f"  {name}  {bot.summary}" for name, bot in sorted(BOTS.items())))
)


@frozen
class BotOptions:
    """The argument and the options of the command."""

    bot: str
    host: str
    port: int
    name: str | None
    power: str | None
    passcode: int | None
    seed: int | None
    games: int

    def check(self) -> None:
        """Raise `UsageError` if the options do not fit together."""
        if self.passcode is not None and self.power is None:
            message = "--passcode needs --power: whose seat is it?"
            raise click.UsageError(message)
        if self.passcode is not None and self.games > 1:
            message = "--passcode returns to one game; leave --games out"
            raise click.UsageError(message)

    def connect(self) -> "AbstractAsyncContextManager[RemoteGame]":
        """Return the game, joined or rejoined when it is entered."""
        from daide_server.bots.client import join, rejoin  # noqa: PLC0415 - imports trio

        power = None if self.power is None else Power(self.power.upper())
        if power is not None and self.passcode is not None:
            return rejoin(self.host, self.port, power=power, passcode=self.passcode)
        name = self.name or self.bot
        name = name if power is None else f"{power}:{name}"
        return join(self.host, self.port, name=name, version=__version__)


@click.command("bot", epilog=SUMMARIES)
@click.argument("bot", type=click.Choice(sorted(BOTS), case_sensitive=False))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address of the server."
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=16713,
    show_default=True,
    help="Port of the server.",
)
@click.option("--name", help="Name of the client.  [default: the name of the bot]")
@click.option(
    "--power",
    metavar="POW",
    help="Ask for this power, with the name POW:NAME (some servers ignore it); with "
    "--passcode, return to it.",
)
@click.option(
    "--passcode",
    type=click.IntRange(0, 8191),
    help="Return to the seat of --power in a running game (IAM).",
)
@click.option("--seed", type=int, help="Seed of the bot's random choices.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of games to play, one after another.",
)
@options_as(BotOptions)
def command(options: BotOptions) -> None:
    """Play as a built-in bot on any DAIDE server.

    The bot prints a line at the end of each game. If the connection is lost during a
    game, the bot returns to its seat by itself.

    \b
    Examples:
      daide-server bot dumb
      daide-server bot rand --host 192.0.2.7 --port 16714 --games 10
      daide-server bot hold --power FRA --passcode 2947
    """
    import trio  # noqa: PLC0415 - slow to import

    options.check()
    trio.run(partial(_play, options))


async def _play(options: BotOptions) -> None:
    from daide_server.bots.catalogue import play  # noqa: PLC0415 - imports trio

    strategy = BOTS[options.bot](Random(options.seed))  # noqa: S311 - no secret
    for _ in range(options.games):
        async with options.connect() as game:
            played = await play(game, strategy)
        print_line(_summary(played))


def _summary(played: "BotResult") -> str:
    """Return how a game ended, as one line."""
    parts = [f"{played.power}: {played.ended}"]
    if played.centres is not None:
        parts.append(f"{played.centres} centres")
    if played.refused:
        parts.append(f"{len(played.refused)} orders refused")
    return ", ".join(parts)
