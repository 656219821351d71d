"""`daide-server bot`: a built-in bot on any DAIDE server."""

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import click

from daide_server.bots.built_in import BOTS

from .bot_options import BotOptions
from .failures import FAILED
from .option_types import WholeNumber
from .option_values import options_as
from .printing import print_line
from .return_option import return_seconds_option

if TYPE_CHECKING:
    from daide_server.bots.catalogue import BotResult

SUMMARIES: Final = "\n".join(
    ("\b", "Bots:", *(f"  {name}  {bot.summary}" for name, bot in sorted(BOTS.items())))
)


@click.command("bot", epilog=SUMMARIES)
@click.argument("bot", type=click.Choice(sorted(BOTS), case_sensitive=False))
@click.option(
    "--host",
    envvar="DAIDE_HOST",
    default="127.0.0.1",
    show_default=True,
    help="Address of the server.",
)
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    metavar="PORT",
    envvar="DAIDE_PORT",
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
    type=WholeNumber(0, 8191),
    help="Return to the seat of --power in a running game (IAM).",
)
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the seat in FILE while a game is played; if FILE exists at the start, "
    "return to the seat in it (IAM), wherever its server is.",
)
@return_seconds_option
@click.option(
    "--seed",
    type=WholeNumber(0),
    help="Seed of the bot's random choices.  [default: random]",
)
@click.option(
    "--games",
    type=WholeNumber(min=1),
    default=1,
    show_default=True,
    help="Number of games to play, one after another.",
)
@options_as(BotOptions)
def command(options: BotOptions) -> None:
    """Play as a built-in bot on any DAIDE server.

    The bot prints its power and its passcode on standard error when it joins a game,
    as in `seat FRA passcode 2947`, and a line on standard output when the game is over.

    Without --host and --port it is the server of this machine, at DAIDE_PORT and
    DAIDE_HOST if these environment variables are set, which `serve` reads too.

    It waits for a server that does not run yet. If the connection is lost during a
    game, also by a restart of the server, the bot returns to its seat by itself.

    With --resume, a bot that is started again returns to its seat too. If the server
    refuses that seat, the bot says so and joins a new game on --host and --port. FILE
    is removed when the game is over; it holds the passcode, so only you can read it.

    \b
    The exit code is 0 if all games were played to their end, and 1 if
      a game was broken off (OFF without a result): the bot says so and plays the
      other --games; or the bot could not join, or could not return to its seat.

    \b
    Examples:
      daide-server bot dumb
      daide-server bot rand --host 192.0.2.7 --port 16714 --games 10
      daide-server bot dumb --resume seat.json
      daide-server bot hold --power FRA --passcode 2947
    """
    import trio  # noqa: PLC0415 - slow to import

    options.check()
    if not trio.run(_play, options):
        sys.exit(FAILED)


async def _play(options: BotOptions) -> bool:
    """Play all games; return whether none was broken off."""
    from daide_server.bots.catalogue import play  # noqa: PLC0415 - imports trio

    from .bot_seat import seated  # noqa: PLC0415 - imports trio

    strategy = BOTS[options.bot](Random(options.seed))  # noqa: S311 - no secret
    all_over = True
    for _ in range(options.games):
        async with seated(options) as game:
            played = await play(game, strategy)
        all_over = all_over and not played.is_broken_off
        print_line(_summary(played), to_stderr=played.is_broken_off)
    return all_over


def _summary(played: "BotResult") -> str:
    """Return how a game ended, as one line."""
    if played.is_broken_off:
        return f"daide-server: {played.power}: the game was broken off (OFF)"
    parts = [f"{played.power}: {played.ended}"]
    if played.centres is not None:
        parts.append(f"{played.centres} centres")
    if played.refused:
        parts.append(f"{len(played.refused)} orders refused")
    return ", ".join(parts)
