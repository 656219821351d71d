"""Play one game of a tournament: from a `GameTask` to its `GameReport`.

`play_game` is what a worker calls, in its main thread; `play` is the same for tasks of
trio. A game has a server of its own (`game_table`), and for each seat a task of ours
(`seat_bots`) or a program (`command_seat`).
"""

import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from traceback import format_exception
from typing import Final

import trio

from daide_server.app.making import GameMaker
from daide_server.app.written_games import SHARE, RunningRecord
from daide_server.formats.errors import FormatError
from daide_server.server.events import EventReader, Events

from .bot_program import SeatPlace
from .bot_settings import MEBIBYTE
from .command_seat import CommandSeat
from .game_events import GameEvents
from .game_folder import game_folder
from .game_log import GameLog
from .game_reporting import game_report, void_report
from .game_table import GameTable, game_maker
from .game_task import GameReport, GameTask, unfinished
from .running_game import RunningGame, SeatPlay, seat_plays
from .seat_bots import play_built_in, replace_bot
from .seat_port import SeatPort

STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a game as unfinished."""
BEAT_SECONDS: Final = 3.0
"""Between two heartbeats of a game."""
SAMPLE_SECONDS: Final = 0.25
"""Between two looks at the memory of bots."""
PROCESS_SAMPLES: Final = 8
"""Every so many samples new processes are looked for, and disks are measured."""
CLOSE_SECONDS: Final = 30.0
"""That the table has to close after its time for last questions."""
MIN_FREE_BYTES: Final = 100 << 20
"""Of the folder for temporary files; with less a game is not begun."""


LIVE_SECONDS: Final = 0.05
"""How often it is looked whether a turn has ended."""

ShowLive = Callable[[bytes], None]
"""Called with the record so far; may wait."""


def play_game(
    task: GameTask,
    show: ShowLive | None = None,
    beat: Callable[[], None] | None = None,
) -> GameReport:
    """Play *task* to its end, in the main thread; SIGINT and SIGTERM break it off.

    *show* is called, in another thread, with what is new for who watches the game, and
    *beat*, also in another thread, every few seconds while the game goes its way.
    A signal that the process ignores stays ignored. Raises `SettingsError` and
    `VariantError` if the settings of the game are wrong.
    """
    return trio.run(_play_until_signal, task, game_maker(task), show, beat)


async def _play_until_signal(
    task: GameTask,
    maker: GameMaker,
    show: ShowLive | None,
    beat: Callable[[], None] | None,
) -> GameReport:
    heard = [each for each in STOPPING if signal.getsignal(each) != signal.SIG_IGN]
    report = unfinished(task.attempt)
    with trio.open_signal_receiver(*heard) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_at_signal, signals, nursery.cancel_scope)
            if beat is not None:
                nursery.start_soon(_beat_on, beat)
            report = await _play(task, maker, show=show)
            nursery.cancel_scope.cancel()
    return report


async def _cancel_at_signal(
    signals: AsyncIterator[int], scope: trio.CancelScope
) -> None:
    async for _ in signals:
        scope.cancel()


async def _beat_on(beat: Callable[[], None]) -> None:
    while True:
        # Where nobody reads the pipe, the game continues.
        await trio.to_thread.run_sync(beat, abandon_on_cancel=True)
        await trio.sleep(BEAT_SECONDS)


async def play(
    task: GameTask, watching: EventReader | None = None, *, show: ShowLive | None = None
) -> GameReport:
    """Play *task* to its end; if cancelled, end all that it has started.

    *watching* is called with what happens on its server, *show* in another thread with
    what is new for who watches the game. Raises `SettingsError` and
    `VariantError` if the settings of the game are wrong.
    """
    return await _play(task, game_maker(task), watching, show=show)


async def _play(
    task: GameTask,
    maker: GameMaker,
    watching: EventReader | None = None,
    *,
    show: ShowLive | None = None,
) -> GameReport:
    reason = _no_space()
    if reason is not None:
        return void_report(task, reason)
    seats = seat_plays(task, maker.settings.options.movement_limit)
    game, log = RunningGame(task, seats), GameLog()
    try:
        readers = (log.read, watching) if watching else (log.read,)
        await _play_at_table(game, maker, readers, show)
        return game_report(game, log.text)
    except Exception as error:  # noqa: BLE001 (whatever it is, the game does not count)
        log.add("".join(format_exception(error)))
        reason = game.void_reason or f"the worker failed: {_causes(error)}"
        return void_report(task, reason, log.text)


def _causes(error: Exception) -> str:
    """Return what went wrong, each cause once: tasks fail in groups of groups."""
    if isinstance(error, ExceptionGroup):
        return "; ".join(dict.fromkeys(map(_causes, error.exceptions)))
    return repr(error)


async def _play_at_table(
    game: RunningGame,
    maker: GameMaker,
    readers: Sequence[EventReader],
    show: ShowLive | None,
) -> None:
    """Open the table, play all seats, and wait until the server has closed the game."""
    with ExitStack() as stack:
        async with trio.open_nursery() as server:
            events = Events(GameEvents(game), *readers)
            game.table = GameTable(maker, events, server)
            if show is not None:
                so_far = RunningRecord(game.table.runner, maker.variant)
                server.start_soon(_send_live, so_far, show)
            players = _Players(game, server, stack)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_if_void, game, nursery.cancel_scope)
                await players.play()
                after = maker.settings.policy.post_game_seconds
                # The result is there; a table that stays open holds nobody up.
                with trio.move_on_after(after + CLOSE_SECONDS):
                    await game.table.closed.wait()
                nursery.cancel_scope.cancel()
            server.cancel_scope.cancel()


async def _send_live(record: RunningRecord, show: ShowLive) -> None:
    """Call *show* with the record after each turn, in a thread, until cancelled."""
    while True:
        await trio.sleep(LIVE_SECONDS)
        made = record.changed()
        if made is None:
            continue
        began = trio.current_time()
        with suppress(FormatError):
            await trio.to_thread.run_sync(
                lambda: show(made()),  # noqa: B023 - called before the next one
                abandon_on_cancel=True,
            )
        await trio.sleep(SHARE * (trio.current_time() - began))


async def _cancel_if_void(game: RunningGame, scope: trio.CancelScope) -> None:
    await game.failure.wait()
    scope.cancel()


class _Players:
    """All that plays in the seats of one game."""

    def __init__(
        self, game: RunningGame, server: trio.Nursery, stack: ExitStack
    ) -> None:
        self._game: Final = game
        self._server: Final = server
        self._stack: Final = stack
        self._programs: Final[list[CommandSeat]] = []
        starts = 1 if game.task.is_alone else os.cpu_count() or 1
        self._starts: Final = trio.Semaphore(starts)

    async def play(self) -> None:
        """Play all seats until the game is over."""
        async with trio.open_nursery() as watching:
            async with trio.open_nursery() as nursery:
                for seat in self._game.seats.values():
                    nursery.start_soon(self._play_seat, seat)
                watching.start_soon(self._watch_usage)
            watching.cancel_scope.cancel()

    async def _watch_usage(self) -> None:
        """Look at what the programs use, again and again."""
        for sample in count():
            await trio.sleep(SAMPLE_SECONDS)
            if not self._programs:
                return
            if sample % PROCESS_SAMPLES == 0:
                for program in self._programs:
                    program.see()
            for program in self._programs:
                program.weigh()

    async def _play_seat(self, seat: SeatPlay) -> None:
        program = seat.task.program
        if seat.task.stand_in:
            self._game.forfeit(seat, None, seat.task.stand_in)
        elif program.builtin:
            await play_built_in(self._game, seat)
        else:
            command = self._command_seat(seat)
            await command.play(self._starts, self._server)
        if seat.result.forfeit is not None:
            await replace_bot(self._game, seat)

    def _command_seat(self, seat: SeatPlay) -> CommandSeat:
        port = self._stack.enter_context(closing(SeatPort()))
        place = SeatPlace(
            self._game.task.attempt.game,
            port.number,
            self._folder / seat.task.power,
        )
        place.temporary.mkdir(parents=True)
        program = CommandSeat(self._game, seat, place, port)
        self._programs.append(program)
        return program

    @cached_property
    def _folder(self) -> Path:
        """The folder for the bots' own files, which is removed in the end."""
        return self._stack.enter_context(game_folder())


def _no_space() -> str | None:
    """Return why no game can be played here, if there is too little room on disk."""
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    if free >= MIN_FREE_BYTES:
        return None
    wanted = MIN_FREE_BYTES // MEBIBYTE
    return f"{folder}: found {free // MEBIBYTE} MiB free, expected {wanted}"
