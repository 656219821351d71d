"""`daide-server bridge`: bots that speak JSON lines, or DAIDE as text, on a server."""

import secrets
from functools import partial
from pathlib import Path

import click
import trio
from attrs import frozen

from daide_server.board.names import Power
from daide_server.bots.bot_pipes import BotPipes, BridgeSettings, RawBridge, UsageFile
from daide_server.bots.client import SavedSeat, dial, load_seat, remove_seat, save_seat
from daide_server.bots.entering import retries_for
from daide_server.bots.line_bridge import Bridge
from daide_server.bots.lines import line_session
from daide_server.daide.messages import Rejoin
from daide_server.tournament.run.piped_bot import PipedBot

from .bot import return_seconds_option, seat_warnings, warn
from .common.failures import FAILED, CommandError, until_signalled
from .common.option_types import FILE, Seconds, WholeNumber, options_as
from .common.options import to_address


@frozen
class BridgeOptions:
    """The arguments and options of the command."""

    server: tuple[str, int]
    command: tuple[str, ...]
    raw: bool
    observe: bool
    seed: int | None
    fill: float
    ready_seconds: float
    return_seconds: float
    state: Path | None
    usage: Path | None


@click.command("bridge")
@click.option(
    "--server",
    type=to_address,
    default="127.0.0.1:16713",
    metavar="HOST:PORT",
    help="Address of the server.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--raw",
    is_flag=True,
    help="Exchange DAIDE as text with the bot, one message per line; answer nothing"
    " on its behalf, and end when the connection is lost.",
)
@click.option("--observe", is_flag=True, help="Watch a game instead of playing.")
@click.option(
    "--seed", type=WholeNumber(0), help="The bot's seed, in start.  [default: random]"
)
@click.option(
    "--fill",
    type=Seconds(0),
    default=line_session.FILL_SECONDS,
    help="Fill in missing orders this long after the bot's last ones, or just "
    "before the deadline if there is one; 0: never.",
)
@click.option(
    "--ready-seconds",
    type=Seconds(0, min_open=True),
    default=line_session.READY_SECONDS,
    help="Time for the bot to report that it is ready.",
)
@return_seconds_option
@click.option(
    "--state",
    type=FILE,
    help="Keep the seat in FILE during a game; if FILE exists at the start, return "
    "to the seat in it (IAM).",
)
@click.option(
    "--usage",
    type=FILE,
    help="Write the model usage that the bot reports to FILE, as JSON lines.",
)
@options_as(BridgeOptions)
def command(options: BridgeOptions) -> None:
    """Let a bot that speaks JSON lines play on any DAIDE server.

    COMMAND is the bot: it reads events from standard input, one JSON object per line,
    and writes its orders to standard output in the same form. Its standard error is
    passed on. docs/lines.md describes the lines, and begins with a bot of ten lines.

    The bridge connects when the bot reports that it is ready, reconnects when the
    connection is lost, and ends the bot with all processes of its group when the game
    is over.

    The exit code is that of the bot (128 plus the number of a signal that ended it). It
    is 1 if the game was aborted, or the server refused the bot; the reason is printed.

    \b
    Examples:
      daide-server bridge -- python my_bot.py
      daide-server bridge --server 192.0.2.7:16713 -- node my_bot.js
      daide-server bridge --raw -- ./my_daide_bot
    """
    if options.raw and (options.observe or options.state is not None):
        raise click.UsageError("a --raw bot says itself whether it observes or returns")
    code = trio.run(until_signalled, partial(run_bot, options))
    if code:
        raise SystemExit(code)


async def run_bot(options: BridgeOptions) -> int:
    """Run the bot through a bridge, and return the exit code; print errors."""
    saved = None if options.state is None else load_seat(options.state)
    try:
        bot = PipedBot.start(options.command)
    except OSError as error:
        raise CommandError(f"{options.command[0]}: {error.strerror}") from error
    bridge = _bridge_for(options, saved, bot.pipes)
    code = await bot.play(bridge.run)
    if bridge.reason is None:
        if options.state is not None:
            # There is nothing to return to.
            remove_seat(options.state)
        return code
    ended = f" (exit code {code} of the bot)" if code else ""
    warn(f"{bridge.reason}{ended}")
    return code or FAILED


# The bridge that the options ask for


def _bridge_for(
    options: BridgeOptions, saved: SavedSeat | None, pipes: BotPipes
) -> Bridge | RawBridge:
    """Return the bridge for a bot on *pipes*."""
    host, port = options.server
    if saved is not None:
        host, port = saved.host, saved.port
    dialling = partial(dial, host, port)
    retries = retries_for(options.return_seconds, warn)
    if options.raw:
        return RawBridge(pipes, dialling, retries)
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    session = line_session.LineSession(seed, options.fill or None)
    settings = BridgeSettings(
        dial=dialling,
        observes=options.observe,
        seat=None if saved is None else Rejoin(Power(saved.power), saved.passcode),
        retries=retries,
        ready_seconds=options.ready_seconds,
        seated=partial(_keep, options, (host, port)),
        used=UsageFile(options.usage).add,
    )
    return Bridge(pipes, session, settings)


def _keep(options: BridgeOptions, server: tuple[str, int], seat: Rejoin) -> None:
    """Keep *seat* in the file of --state; a game must not end for its file."""
    if options.state is None:
        return
    name = options.command[0]
    saved = SavedSeat(*server, seat.power, seat.passcode, name)
    with seat_warnings():
        save_seat(options.state, saved)
