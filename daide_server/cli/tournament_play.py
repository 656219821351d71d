"""A run, of `tournament run` and `match`: play the remaining games, and show them."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from shlex import quote

import trio
from rich.console import Console

from daide_server.server.page import Page, PageTask
from daide_server.server.settings import ServerSettings
from daide_server.tournament.run import executors, tournament_state, worker
from daide_server.tournament.run.scheduler import (
    ReportEvent,
    RunNote,
    Scheduler,
    showing,
)
from daide_server.tournament.standings import status_json

from .common import failures, options
from .common.printing import print_content, print_line
from .run_display import LiveDisplay, print_json, print_news
from .tournament_table import print_table

REFRESH_SECONDS = 0.5
NOTE = "Games on other machines appear when they are finished."
"""Text of the page while games are played that it cannot show."""


def run_tournament(  # noqa: PLR0913 - each is an option
    folder: Path,
    *,
    executor: str = "",
    seconds: float | None = None,
    quiet: bool = False,
    as_json: bool = False,
    web: object = None,
) -> int:
    """Play the tournament in *folder*, show it, and return the exit code.

    It ends after *seconds* at the latest; *web* is the address of its page.
    """
    settings = options.gather(options.given_options({"web": web}))
    with tournament_state.playing(folder) as (state, changed):
        executor = executor or state.file.settings.run.executor
        tournament_state.check_limits(state.file, state.plan, executor)
        tournament_state.check_programs(state.file, executor)
        live = None
        show = _printing(state, as_json=as_json, quiet=quiet)
        if show is None:
            live = LiveDisplay(state)
            show = live.show
        for bot in changed:
            show(RunNote(f"bot {bot}: its program has changed since the last run"))
        page = _page(settings, show) if settings.web.address else None
        if page is not None:
            state.folder.show_interest()
        at_once = state.file.settings.design.at_once
        with (
            executors.open_executor(executor, at_once, folder) as opened,
            showing(state.folder) as play_shown,
        ):
            play = play_shown if opened.is_local else worker.play_task
            note = "" if opened.is_local else NOTE
            shown = PageTask(tournaments=(str(folder),), note=note)
            scheduler = Scheduler(state, opened, show, play)
            run_page = None if page is None else partial(page.run, shown, lambda: False)
            interrupted = trio.run(_play, scheduler, live, seconds, run_page)
        if as_json:
            print_content(status_json(state.status()) + b"\n")
        else:
            print_table(state.status())
        return _exit_code(scheduler, folder, interrupted=interrupted, as_json=as_json)


def _page(settings: ServerSettings, show: ReportEvent) -> Page:
    def failed(error: Exception) -> None:
        show(RunNote(f"the page: {type(error).__name__}: {error}"))

    page = Page(settings, failed)
    show(RunNote(page.line))
    return page


def _exit_code(
    scheduler: Scheduler, folder: Path, *, interrupted: bool, as_json: bool
) -> int:
    state = scheduler.state
    if scheduler.failure is not None:
        print_line(f"daide-server: {scheduler.failure}", to_stderr=True)
        return failures.FAILED
    is_done = state.stopped is not None or state.ledger.is_complete()
    if interrupted and not is_done:
        if not as_json:
            print_line(f"to resume: daide-server tournament run {quote(str(folder))}")
        return failures.INTERRUPTED
    return failures.FAILED if state.ledger.unplayed else 0


async def _play(
    scheduler: Scheduler,
    live: LiveDisplay | None,
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
                note = RunNote(f"{waiting}; press Ctrl-C again to abort them")
                scheduler.report(note)
            interrupted = True

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, signals)
            if live is not None:
                nursery.start_soon(_refresh, live)
            if run_page is not None:
                nursery.start_soon(run_page)
            if seconds is not None:
                nursery.start_soon(_drain_after, scheduler, seconds)
            with live.screen if live else nullcontext():
                await scheduler.run()
            nursery.cancel_scope.cancel()
    return interrupted


async def _refresh(live: LiveDisplay) -> None:
    while True:
        await trio.sleep(REFRESH_SECONDS)
        live.refresh()


async def _drain_after(scheduler: Scheduler, seconds: float) -> None:
    await trio.sleep(seconds)
    scheduler.drain()


def _printing(
    state: tournament_state.TournamentState, *, as_json: bool, quiet: bool
) -> ReportEvent | None:
    """Return a function that prints events; `None` if a terminal shows them live."""
    if as_json:
        return partial(print_json, state)
    if quiet:
        return lambda _: None
    return None if Console().is_terminal else partial(print_news, state)
