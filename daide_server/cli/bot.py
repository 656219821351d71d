"""`daide-server bot`: a built-in bot on any DAIDE server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import click
import trio
from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.bots import client, entering, errors
from daide_server.bots.built_in import BOTS, BotResult, play
from daide_server.bots.client import SavedSeat
from daide_server.bots.remote_game import RemoteGame

from .common.failures import FAILED
from .common.option_types import FILE, Seconds, WholeNumber, options_as
from .common.printing import print_line

return_seconds_option = click.option(
    "--return-seconds",
    type=Seconds(0),
    default=entering.RETRIES.return_seconds,
    help="How long to retry when the connection is lost, or when there is no "
    "server yet; 0: give up.",
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
    resume: Path | None
    return_seconds: float
    seed: int | None
    games: int

    def check(self) -> None:
        """Raise `UsageError` if the options do not fit together."""
        if self.passcode is not None and self.power is None:
            raise click.UsageError("--passcode needs --power: whose seat is it?")
        if self.passcode is not None and self.games > 1:
            raise click.UsageError("--passcode returns to one game; leave --games out")
        if self.passcode is not None and self.resume is not None:
            message = "--resume has the passcode in its file; leave --passcode out"
            raise click.UsageError(message)
        if self.resume is not None and not self.resume.parent.is_dir():
            raise click.UsageError(f"--resume: there is no folder {self.resume.parent}")


SUMMARIES = "\n".join(
    ("\b", "Bots:", *(f"  {name}  {bot.summary}" for name, bot in sorted(BOTS.items())))
)


@click.command("bot", epilog=SUMMARIES)
@click.argument("bot", type=click.Choice(sorted(BOTS), case_sensitive=False))
@click.option(
    "--host", envvar="DAIDE_HOST", default="127.0.0.1", help="Address of the server."
)
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    metavar="PORT",
    envvar="DAIDE_PORT",
    default=16713,
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
    type=FILE,
    help="Keep the seat in FILE during a game; if FILE exists at the start, return "
    "to the seat in it (IAM), on its server.",
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
    help="Number of games to play, one after another.",
)
@options_as(BotOptions)
def command(options: BotOptions) -> None:
    """Play as a built-in bot on any DAIDE server.

    The bot prints its power and its passcode on standard error when it joins a game,
    as in `seat FRA passcode 2947`, and a line on standard output when the game is over.

    The defaults of --host and --port are those of `serve`, including the environment
    variables DAIDE_HOST and DAIDE_PORT.

    It waits for a server that is not running yet. If the connection is lost during a
    game, even because the server restarts, the bot returns to its seat.

    With --resume, a bot that is restarted returns to its seat too. If the server
    refuses that seat, the bot reports it and joins a new game on --host and --port.
    FILE is removed when the game is over; it has the passcode, so only you can read it.

    \b
    The exit code is 0 if all games were played to their end, and 1 if
      a game was aborted (OFF without a result): the bot reports it and plays the
      other --games; or the bot could not join, or could not return to its seat.

    \b
    Examples:
      daide-server bot dumb
      daide-server bot rand --host 192.0.2.7 --port 16714 --games 10
      daide-server bot dumb --resume seat.json
      daide-server bot hold --power FRA --passcode 2947
    """
    options.check()
    if not trio.run(_play, options):
        raise SystemExit(FAILED)


async def _play(options: BotOptions) -> bool:
    """Play all games; return whether all were played to their end."""
    strategy = BOTS[options.bot](Random(options.seed))  # noqa: S311 - no secret
    all_over = True
    for _ in range(options.games):
        async with seated(options) as game:
            played = await play(game, strategy)
        all_over = all_over and not played.is_broken_off
        print_line(_summary(played), to_stderr=played.is_broken_off)
    return all_over


def _summary(played: BotResult) -> str:
    """Return how a game ended, as one line."""
    if played.is_broken_off:
        return f"daide-server: {played.power}: the game was broken off (OFF)"
    parts = [f"{played.power}: {played.ended}"]
    if played.centres is not None:
        parts.append(f"{played.centres} centres")
    if played.refused:
        parts.append(f"{len(played.refused)} orders refused")
    return ", ".join(parts)


# The seat: taken, returned to, kept in the file of --resume


@asynccontextmanager
async def seated(options: BotOptions) -> AsyncIterator[RemoteGame]:
    """Return to the seat that the options name, or take a new one.

    The seat is printed, and kept in the file of --resume until the block ends well.
    Entering it raises `ClientError`.
    """
    retries = entering.retries_for(options.return_seconds, warn)
    saved = None if options.resume is None else client.load_seat(options.resume)
    async with AsyncExitStack() as stack:
        game = None
        if saved is not None:
            game = await _resumed(saved, options, retries, stack)
        if saved is None or game is None:
            game = await _entered(options, retries, stack)
            place = options.host, options.port, game.power, game.known.passcode
            saved = SavedSeat(*place, _name(options))
        if options.resume is not None:
            with seat_warnings():
                client.save_seat(options.resume, saved)
        print_line(f"seat {saved.power} passcode {saved.passcode}", to_stderr=True)
        yield game
        if options.resume is not None:
            with seat_warnings():
                client.remove_seat(options.resume)


async def _resumed(
    saved: SavedSeat,
    options: BotOptions,
    retries: entering.Retries,
    stack: AsyncExitStack,
) -> RemoteGame | None:
    """Return to the saved seat; `None` if it is lost for good.

    Raises `GameOverError` if its game is ended by OFF; the file is removed.
    """
    power = Power(saved.power)
    warn(f"returning to the seat {power} on {saved.address}")
    attempt = client.rejoin(
        saved.host, saved.port, power=power, passcode=saved.passcode, retries=retries
    )
    try:
        return await stack.enter_async_context(attempt)
    except errors.GameOverError:
        assert options.resume is not None
        with seat_warnings():
            client.remove_seat(options.resume)
        raise
    except errors.RefusedError as error:
        warn(f"no seat {power} on {saved.address} any more: {error}; taking a new one")
        return None


async def _entered(
    options: BotOptions, retries: entering.Retries, stack: AsyncExitStack
) -> RemoteGame:
    host, port, name = options.host, options.port, _name(options)
    if options.power is None or options.passcode is None:
        new = client.join(host, port, name=name, version=__version__, retries=retries)
        return await stack.enter_async_context(new)
    power = Power(options.power.upper())
    old = client.rejoin(
        host, port, power=power, passcode=options.passcode, retries=retries
    )
    return await stack.enter_async_context(old)


def _name(options: BotOptions) -> str:
    """Return the name to send with NME: it may ask for a power."""
    name = options.name or options.bot
    return name if options.power is None else f"{options.power.upper()}:{name}"


@contextmanager
def seat_warnings() -> Iterator[None]:
    """Print a `SeatFileError` and continue: it must not end the game."""
    try:
        yield
    except errors.SeatFileError as error:
        warn(str(error))


def warn(line: str) -> None:
    """Print *line* on standard error."""
    print_line(f"daide-server: {line}", to_stderr=True)
