"""The games of `play`: one of built-in bots, shown while it runs, or others."""

import signal
import subprocess
import sys
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import click
import trio
from attrs import frozen

from daide_server.bots.built_in import BOTS, play_bot
from daide_server.bots.entering import UNREPORTED
from daide_server.bots.errors import ClientError
from daide_server.records.record import Ending
from daide_server.server import process, server_log
from daide_server.server.page import Page, page_failures, page_folder, show_server
from daide_server.server.server import Server
from daide_server.server.settings import ServerSettings
from daide_server.tournament.run.tournament_settings import bounded

from .common import options
from .common.printing import print_line
from .common.progress import Progress
from .play_programs import at_start, play_programs, programs_of

SHOWN_SECONDS = 30.0
"""Seconds for which the page of a finished game is served, on a terminal."""


@frozen
class BotTable:
    """The bots of the game, and how they are run."""

    bots: tuple[str, ...]
    processes: bool
    pace: float


def play(  # noqa: PLR0913 - each is an option
    *,
    bots: tuple[str, ...] | None,
    more: tuple[str, ...],
    games: int,
    processes: bool,
    pace: float | None,
    logs: Path | None,
    passed: tuple[str, ...],
    sandbox: str,
    **given: object,
) -> None:
    """Play one game of built-in bots, or the games of others; end the command."""
    made = options.gather(options.PLAY_SETTINGS, options.given_options(given))
    settings, variant = at_start(made)
    if given["year_limit"] is None:
        settings = bounded(settings, variant)
    seats = len(variant.map.powers)
    words = (*(bots or ()), *more) or tuple(islice(cycle(options.DEFAULT_BOTS), seats))
    if games > 1 or logs is not None or not set(words) <= set(BOTS):
        _refuse_one_game(settings, pace, given["port"])
        programs = programs_of(words, seats, passed, sandbox)
        sys.exit(play_programs(settings, variant, programs, games, logs))
    if pace is None:
        pace = 0.0 if settings.web.address is None else options.WATCHED_PACE
    if pace and processes:
        message = "--pace: bots in processes of their own play as fast as they can"
        raise click.UsageError(message)
    if len(words) != seats:
        raise click.UsageError(f"--bots: found {len(words)} bots, expected {seats}")
    progress = Progress(variant)
    trio.run(play_game, settings, BotTable(words, processes, pace), progress)
    progress.conclude()
    sys.exit(0 if progress.ended is not None else 1)


def _refuse_one_game(
    settings: ServerSettings, pace: float | None, port: object
) -> None:
    """End the command if options for one game of built-in bots were given."""
    if settings.web.address is not None or pace is not None:
        raise click.UsageError("--web and --pace are for one game of built-in bots")
    if port is not None:
        message = "--port: found one port, expected none: each seat has its own"
        raise click.UsageError(message)


async def play_game(
    settings: ServerSettings, table: BotTable, progress: Progress
) -> None:
    """Run the server and its clients until the game is over."""
    process.prepare_process()
    with server_log.ServerLog(settings.log) as log, progress:
        page = None
        if settings.web.address is not None:
            page = Page(settings, page_failures(log.events))
        events = log.events.also_to(progress.read)
        server = Server(settings, lambda _: None, events)
        if page is None:
            await _play_on(settings, table, server)
            return
        with page_folder(server) as folder:
            async with trio.open_nursery() as nursery:
                print_line(page.line)
                nursery.start_soon(show_server, page, server, folder)
                await _play_on(settings, table, server)
                if sys.stdin.isatty() and _is_result(progress):
                    await _show_result(page, progress)
                nursery.cancel_scope.cancel()


async def _play_on(settings: ServerSettings, table: BotTable, server: Server) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(process.stop_on_signals, server)
        _start_bots(settings, table, server.address, nursery)
        await server.run()
        nursery.cancel_scope.cancel()


def _is_result(progress: Progress) -> bool:
    ended = progress.ended
    return ended is not None and ended.ending is not Ending.ABORTED


async def _show_result(page: Page, progress: Progress) -> None:
    """Keep showing the page of the finished game for a while, or until Ctrl-C."""
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
