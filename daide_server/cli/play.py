"""`daide-server play`: watch bots play a game on a server of their own."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

import click
import trio
from attrs import evolve, frozen
from rich.console import Console

from daide_server.app.process import prepare_process, stop_on_signals
from daide_server.app.server import Server, open_server
from daide_server.app.server_log import ServerLog
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.app.starting import begun, resolve_start
from daide_server.board.variant import Variant
from daide_server.bots.catalogue import BOTS, play_bot
from daide_server.bots.errors import ClientError
from daide_server.bots.retries import UNREPORTED
from daide_server.records.entries import Ending
from daide_server.server.event_sink import EventSink
from daide_server.server.sinks import fan_out
from daide_server.storage.variants import find_variant

from .options import gather, given_options, setting_options
from .printing import print_line
from .progress import Progress
from .progress_sink import ProgressSink

if TYPE_CHECKING:
    from daide_server.app.page import Page

DEFAULT_BOTS = ("dumb", "dumb", "dumb", "rand", "rand", "rand", "hold")
"""The bots; repeated until there is one for each power."""
DEFAULT_YEARS = 34
"""How many years after the first one a game ends, unless a year limit is given."""
PLAY_SETTINGS = TABLE.read(
    {
        "server": {"port": 0, "games": 1},
        # Nobody asks anything after the end.
        "game": {"post_game_seconds": 0.1},
        "log": {"level": "error"},
        # Its bots end with it: nobody would come back.
        "journal": {"durability": "none"},
    },
    "play",
)
"""The settings of the server that are not those of `serve`."""
WATCHED_PACE: Final = 0.3
"""Seconds of a turn that is watched in a browser."""
SHOWN_SECONDS: Final = 30.0
"""How long the page of the finished game is served, on a terminal."""


class BotList(click.ParamType[tuple[str, ...]]):
    """Bots in words, with commas between them."""

    name = "bots"

    def convert(
        self,
        value: str | tuple[str, ...],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, ...]:
        """Return the words for each bot."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        return tuple(words.strip() for words in value.split(","))


@click.command()
@click.option(
    "--bots",
    type=BotList(),
    metavar="NAME,...",
    help="One bot for each power: dumb, rand, hold, or cmd=COMMAND.  ["
    + ",".join(DEFAULT_BOTS)
    + "]",
)
@click.option(
    "--bot",
    "more",
    multiple=True,
    metavar="WORDS",
    help="One bot more, such as '2 x ./mybot -i{host} -p{port}', its command with "
    "placeholders, or 'lines:COMMAND'; can be repeated.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Number of games, several side by side, with the result of each in a line.",
)
@click.option(
    "--processes/--tasks",
    default=False,
    help="Run each bot in a process of its own, or all in this one.  [tasks]",
)
@click.option(
    "--pace",
    type=click.FloatRange(0.0),
    metavar="SECONDS",
    help="What each turn takes at least, so that people can follow.  "
    f"[default: {WATCHED_PACE:g} with --web, else 0]",
)
@setting_options(
    *(
        "variant",
        "start",
        "port",
        "records",
        "year_limit",
        "seats",
        "seed",
        "mtl",
        "rtl",
        "btl",
        "web",
    ),
    defaults=TABLE.compose(PLAY_SETTINGS),
    year_limit=f"{DEFAULT_YEARS} years after the first",
)
def command(
    bots: tuple[str, ...] | None,
    pace: float | None,
    *,
    more: tuple[str, ...],
    games: int,
    processes: bool,
    **given: object,
) -> None:
    """Watch bots play a whole game over TCP, to a solo, a draw or a year.

    The server is one of its own, on a free port of this machine; the bots are
    ordinary clients. The seats are drawn, so the same bots can play many games.
    For a table that can be believed: `daide-server match`.

    Bots may be programs: each is started with a port of its own, {port}, where one
    seat waits for it, and ended with the game. {host} {seed} {name} {power} {game} and
    {folder}, one for its files, are replaced as well.

    \b
    Examples:
      daide-server play
      daide-server play --bots dumb,dumb,dumb,dumb,dumb,dumb,dumb --year-limit 1920
      daide-server play --seed 7 --processes
      daide-server play --variant fva --bots dumb,rand
      daide-server play --web 127.0.0.1:0
      daide-server play --start records/game.json:F1905M
      daide-server play --bot "./mybot -i{host} -p{port}" --bot "6 x dumb" --games 10
    """
    settings = gather(PLAY_SETTINGS, given_options(given))
    variant = find_variant(settings.board.variant)
    settings = resolve_start(settings, variant)
    variant = begun(settings, variant)
    if given["year_limit"] is None:
        year_limit = variant.start.turn.year + DEFAULT_YEARS
        policy = evolve(settings.policy, year_limit=year_limit)
        settings = evolve(settings, policy=policy)
    words = (*(bots or ()), *more)
    if games > 1 or not set(words) <= set(BOTS):
        _refuse_page(settings, pace)
        _play_programs(settings, words or DEFAULT_BOTS, games, given)
        return
    bots = words or None
    if pace is None:
        pace = 0.0 if settings.web.address is None else WATCHED_PACE
    if pace and processes:
        message = "--pace: bots in processes of their own play as fast as they can"
        raise click.UsageError(message)
    progress = Progress(variant, Console())
    table = BotTable(_players(bots, variant), processes, pace)
    trio.run(_play, settings, table, progress)
    progress.conclude()
    sys.exit(0 if progress.ended is not None else 1)


def _refuse_page(settings: ServerSettings, pace: float | None) -> None:
    """End the command if what is for one game of built-in bots was asked for."""
    if settings.web.address is not None or pace is not None:
        message = "--web and --pace are for one game of built-in bots"
        raise click.UsageError(message)


def _play_programs(
    settings: ServerSettings,
    words: Sequence[str],
    games: int,
    given: Mapping[str, object],
) -> None:
    """Play with bots of which some are programs, or several games; end the command."""
    from .play_programs import play_programs, programs_of  # noqa: PLC0415 - rarely used

    if given["port"] is not None:
        message = "--port: found one port, expected none: each seat has its own"
        raise click.UsageError(message)
    variant = find_variant(settings.board.variant)
    powers = len(variant.map.powers)
    programs = programs_of(words if words != DEFAULT_BOTS else _players(None, variant))
    if len(programs) != powers:
        message = f"--bots: found {len(programs)} bots, expected {powers}"
        raise click.UsageError(message)
    sys.exit(play_programs(settings, variant, programs, games))


def _players(bots: tuple[str, ...] | None, variant: Variant) -> tuple[str, ...]:
    """Return a bot for each power; ends the command if they are too many or few."""
    powers = len(variant.map.powers)
    if bots is None:
        return tuple(islice(cycle(DEFAULT_BOTS), powers))
    if len(bots) != powers:
        message = f"--bots: found {len(bots)} bots, expected {powers}"
        raise click.UsageError(message)
    return bots


@frozen
class BotTable:
    """The bots of the game, and how they are run."""

    bots: tuple[str, ...]
    processes: bool
    pace: float


async def _play(settings: ServerSettings, table: BotTable, progress: Progress) -> None:
    """Run the server and its clients until the game is over."""
    prepare_process()
    with ServerLog(settings.log, settings.log_limits) as log, progress:
        page = None
        if settings.web.address is not None:
            page = _open_page(settings, log.sink)
        sinks = (log.sink, ProgressSink(progress))
        events = fan_out(*sinks) if page is None else fan_out(*sinks, page.sink)
        server = open_server(settings, lambda _: None, events)
        async with trio.open_nursery() as nursery:
            if page is not None:
                print_line(page.line)
                nursery.start_soon(page.run, server)
            await _play_game(settings, table, server)
            if page is not None and sys.stdin.isatty() and _is_result(progress):
                await _show_result(page, progress)
            nursery.cancel_scope.cancel()


def _open_page(settings: ServerSettings, events: EventSink) -> "Page":
    # Without --web, no web server is needed.
    from daide_server.app.page import open_page  # noqa: PLC0415

    return open_page(settings, events)


async def _play_game(settings: ServerSettings, table: BotTable, server: Server) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        _start_bots(settings, table, server.address, nursery)
        await server.run()
        nursery.cancel_scope.cancel()


def _is_result(progress: Progress) -> bool:
    ended = progress.ended
    return ended is not None and ended.ending is not Ending.ABORTED


async def _show_result(page: "Page", progress: Progress) -> None:
    """Go on with the page of the finished game for a while, or until Ctrl-C."""
    progress.close()
    print_line(f"{page.line} for {SHOWN_SECONDS:g} s more; Ctrl-C ends it")
    with (
        trio.move_on_after(SHOWN_SECONDS),
        trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals,
    ):
        async for _ in signals:
            return


def _start_bots(
    settings: ServerSettings, table: BotTable, address: str, nursery: trio.Nursery
) -> None:
    host, _, port = address.rpartition(":")
    for number, name in enumerate(table.bots):
        drawn = settings.chance.seed
        seed = None if drawn is None else drawn + number
        start = _run_process if table.processes else partial(_run_task, table.pace)
        nursery.start_soon(partial(start, name, host, int(port), seed=seed))


async def _run_task(
    pace: float, name: str, host: str, port: int, *, seed: int | None
) -> None:
    try:
        await play_bot(name, host, port, seed=seed, retries=UNREPORTED, pause=pace)
    except ClientError as error:
        print_line(f"bot {name}: {error}", to_stderr=True)


async def _run_process(name: str, host: str, port: int, *, seed: int | None) -> None:
    command = [sys.executable, "-m", "daide_server", "bot", name]
    command += ["--host", host.strip("[]"), "--port", str(port)]
    if seed is not None:
        command += ["--seed", str(seed)]
    done = await trio.run_process(
        command, stdout=subprocess.DEVNULL, capture_stderr=True, check=False
    )
    if done.returncode != 0:
        # Otherwise what it prints about its seat would disturb the display.
        for line in done.stderr.decode(errors="replace").splitlines():
            print_line(line, to_stderr=True)
