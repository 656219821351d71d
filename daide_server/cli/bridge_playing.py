"""The bridge that the options of `daide-server bridge` ask for."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from daide_server.board.names import Power
from daide_server.bots.bot_pipes import BotPipes, BridgeSettings
from daide_server.bots.client import dial
from daide_server.bots.errors import SeatFileError
from daide_server.bots.line_bridge import Bridge
from daide_server.bots.raw_bridge import RawBridge
from daide_server.bots.retries import retries_for
from daide_server.bots.saved_seat import SavedSeat, load_seat, remove_seat, save_seat
from daide_server.language.messages import Rejoin
from daide_server.lines.line_session import LineSession

from .bridge_options import BridgeOptions
from .printing import print_line

SEEDS: Final = 1 << 31


class AnyBridge(Protocol):
    """What a bot needs to play: see `bots.line_bridge.Bridge`."""

    reason: str | None

    async def run(self) -> None:
        """Play until the bot closes its output."""


def kept_seat(options: BridgeOptions) -> SavedSeat | None:
    """Return the seat in the file of --state, if there is one.

    Raises `SeatFileError` if the file holds something else.
    """
    return None if options.state is None else load_seat(options.state)


def bridge_for(
    options: BridgeOptions,
    saved: SavedSeat | None,
    pipes: BotPipes,
    report: Callable[[str], None],
) -> AnyBridge:
    """Return the bridge for a bot on *pipes*; *report* prints a line."""
    host, port = options.server
    if saved is not None:
        host, port = saved.host, saved.port
    dialling = partial(dial, host, port)
    retries = retries_for(options.return_seconds, report)
    if options.raw:
        return RawBridge(pipes, dialling, retries)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    session = LineSession(seed, options.fill or None)
    settings = BridgeSettings(
        dial=dialling,
        observes=options.observe,
        seat=None if saved is None else Rejoin(Power(saved.power), saved.passcode),
        retries=retries,
        ready_seconds=options.ready_seconds,
        seated=partial(_keep, options, (host, port)),
    )
    return Bridge(pipes, session, settings)


def _keep(options: BridgeOptions, server: tuple[str, int], seat: Rejoin) -> None:
    """Keep *seat* in the file of --state; a game must not end for its file."""
    if options.state is None:
        return
    name = options.command[0]
    saved = SavedSeat(*server, seat.power, seat.passcode, name)
    try:
        save_seat(options.state, saved)
    except SeatFileError as error:
        print_line(f"daide-server: {error}", to_stderr=True)


def forget_seat(options: BridgeOptions) -> None:
    """Remove the file of --state: there is nothing to return to."""
    if options.state is not None:
        remove_seat(options.state)
