"""`daide-server tournament run`: play what is left of a tournament."""

import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Final

import click
import trio
from attrs import frozen
from rich.console import Console

from daide_server.app.page import Page, PageTask
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.running.executors import open_executor
from daide_server.running.scheduler import RunNote, Scheduler
from daide_server.running.tournament_state import (
    TournamentState,
    check_limits,
    check_programs,
    play_shown,
    playing,
    releasing,
)
from daide_server.running.worker import play_task
from daide_server.tournament.standings import status_json

from .common.failures import FAILED, INTERRUPTED
from .common.option_types import (
    Duration,
    executor_option,
    folder_argument,
)
from .common.options import gather, given_options, setting_options
from .common.printing import print_bytes, print_line
from .run_display import JsonDisplay, LineDisplay, LiveDisplay, RunDisplay, print_table

REFRESH_SECONDS: Final = 0.5
NOTE: Final = "Games on other machines appear when they are finished."
"""Text of the page while games are played that it cannot show."""


@frozen(kw_only=True)
class RunOptions:
    """How a run is carried out and shown; `seconds` is when it ends at the latest.

    `web` are the settings of its page (`None`: it has none).
    """

    executor: str = ""
    seconds: float | None = None
    quiet: bool = False
    as_json: bool = False
    web: ServerSettings | None = None


@click.command("run")
@folder_argument
@executor_option
@click.option(
    "--for", "seconds", type=Duration(), metavar="TIME", help="End after 90s, 30m, 2h."
)
@setting_options("web", defaults=TABLE.compose())
@click.option("--quiet", is_flag=True, help="Print nothing but the table at the end.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON lines; the last is the status."
)
def command(folder: Path, web: object, **options: object) -> None:
    """Play what is left of a tournament; the same command goes on after any end.

    Ctrl-C begins no more games and waits for those that are played; a second one
    breaks them off. Nothing that is stored is lost, and nothing is counted twice.
    With --web, the table and the games that are played here can be watched in a
    browser; `daide-server watch FOLDER` shows them afterwards.

    The exit code is 0 when the plan is played, [stop] holds or the time of --for is
    over, 1 if games are unplayed after their retries, and 130 after Ctrl-C.
    """
    settings = gather(given_options({"web": web}))
    chosen = RunOptions(
        web=settings if settings.web.address else None,
        **options,  # type: ignore[arg-type] # click's types are those
    )
    sys.exit(run_tournament(folder, chosen))


def run_tournament(folder: Path, options: RunOptions) -> int:
    """Play the tournament in *folder*, show it, and return the exit code."""
    with playing(folder) as (state, changed):
        executor = options.executor or state.file.settings.run.executor
        check_limits(state.file, state.plan, executor)
        check_programs(state.file, executor)
        display = _display(state, options)
        for bot in changed:
            display.show(
                RunNote(f"bot {bot}: its program has changed since the last run")
            )
        at_once = state.file.settings.design.at_once
        home = state.folder
        page = _page(options, display)
        if page is not None:
            home.show_interest()
        with open_executor(executor, at_once, folder) as opened, releasing(home):
            play = partial(play_shown, folder) if opened.is_local else play_task
            shown = PageTask(
                tournaments=(str(folder),),
                note="" if opened.is_local else NOTE,
            )
            scheduler = Scheduler(state, opened, display.show, play)
            run_page = None if page is None else partial(page.run, shown, lambda: False)
            interrupted = trio.run(_play, scheduler, display, options.seconds, run_page)
        _conclude(state, options)
        if scheduler.failure is not None:
            print_line(f"daide-server: {scheduler.failure}", to_stderr=True)
        return _exit_code(scheduler, folder, options, interrupted=interrupted)


def _page(options: RunOptions, display: RunDisplay) -> Page | None:
    if options.web is None:
        return None

    def failed(error: Exception) -> None:
        display.show(RunNote(f"the page: {type(error).__name__}: {error}"))

    page = Page(options.web, failed)
    display.show(RunNote(page.line))
    return page


def _exit_code(
    scheduler: Scheduler, folder: Path, options: RunOptions, *, interrupted: bool
) -> int:
    state = scheduler.state
    is_done = state.stopped is not None or state.ledger.is_complete()
    if scheduler.failure is not None:
        return FAILED
    if interrupted and not is_done:
        if not options.as_json:
            print_line(f"to go on: daide-server tournament run {quote(str(folder))}")
        return INTERRUPTED
    return FAILED if state.ledger.unplayed else 0


async def _play(
    scheduler: Scheduler,
    display: RunDisplay,
    seconds: float | None,
    run_page: Callable[[], Awaitable[None]] | None,
) -> bool:
    """Run *scheduler*, show it, and return whether it was interrupted."""
    interrupted = False

    async def listen(signals: AsyncIterator[int]) -> None:
        nonlocal interrupted
        async for number in signals:
            if interrupted or number == signal.SIGTERM:
                scheduler.abort()
            else:
                scheduler.drain()
                waiting = f"waiting for {len(scheduler.running)} games"
                display.show(RunNote(f"{waiting}; Ctrl-C again breaks them off"))
            interrupted = True

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, signals)
            nursery.start_soon(_refresh, display)
            if run_page is not None:
                nursery.start_soon(run_page)
            if seconds is not None:
                nursery.start_soon(_drain_after, scheduler, seconds)
            with display.live():
                await scheduler.run()
                display.refresh()
            nursery.cancel_scope.cancel()
    return interrupted


async def _refresh(display: RunDisplay) -> None:
    while True:
        await trio.sleep(REFRESH_SECONDS)
        display.refresh()


async def _drain_after(scheduler: Scheduler, seconds: float) -> None:
    await trio.sleep(seconds)
    scheduler.drain()


def _display(state: TournamentState, options: RunOptions) -> RunDisplay:
    if options.as_json:
        return JsonDisplay(state)
    if options.quiet:
        return RunDisplay(state)
    return LiveDisplay(state) if Console().is_terminal else LineDisplay(state)


def _conclude(state: TournamentState, options: RunOptions) -> None:
    status = state.status()
    if options.as_json:
        print_bytes(status_json(status) + b"\n")
    else:
        print_table(status)
