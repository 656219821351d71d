"""Plays a seat with a program: starts, admits, watches and ends it."""

import math
import signal
import socket
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

import trio
from attrs import evolve, frozen

from daide_server.bots.bot_pipes import read_usage

from . import bot_program
from .bot_process import MACHINE_ERRORS, BotProcess, BotUsage, exit_text
from .errors import RunningError
from .game_task import SLOW_START, TroubleLimits
from .prctl import oom_kills
from .running_game import RunningGame, SeatPlay

AWAY_SHARE = 0.5
"""The share of a movement turn's time limit for which a bot may be disconnected."""
EXIT_SECONDS = 1.0
"""Seconds for a bot to exit when the game is over."""
RECHECK_SECONDS = 5.0
"""Seconds after which a bot is checked even if nothing seems to have happened."""
SAMPLE_SECONDS = 0.25
"""Seconds between two measurements of a bot's memory."""
PROCESS_SAMPLES = 8
"""After this number of samples, new processes are searched and disk use is measured."""


@frozen
class BotFault:
    """Why a bot must not continue."""

    reason: str
    is_slow_start: bool = False
    """Whether the machine may have been too busy to start the bot in time."""


def away_limit(limits: TroubleLimits, movement_limit: float | None) -> float:
    """Return how long a bot may be disconnected, in seconds."""
    if movement_limit is None:
        return limits.away_seconds
    return min(limits.away_seconds, AWAY_SHARE * movement_limit)


class CommandSeat:
    """A seat played by a program; decides when the bot has forfeited.

    - Its processes end while its power is alive in a running game: immediately.
    - It has no seat `start_seconds` after its start, if the server refused it, or if
      this happened before. Otherwise the machine may have been too slow: a void game.
    - It loses its connection in the game: after `away_seconds`.
    - It owes orders for `stalled_seconds` in a turn without a deadline: immediately.
    - It is late in `late_turns` turns in a row: immediately.
    """

    def __init__(self, game: RunningGame, seat: SeatPlay, folder: Path) -> None:
        """Use *folder* for the bot's own files."""
        self._process: BotProcess | None = None
        self._seat: Final = seat
        self._folder: Final = folder
        self._game: Final = game
        self._power: Final = seat.task.power
        self._limits: Final = game.task.limits
        movement_limit = game.settings.options.movement_limit
        self._away_seconds: Final = away_limit(self._limits, movement_limit)
        self._usage: Final = BotUsage(seat.task.program, folder)
        self._began = trio.current_time()
        self._away_since = math.inf
        self.exit_code: int | None = None
        """The exit code of the bot's first process (-N: signal N); `None`: it runs."""
        self._oom_kills: Final = oom_kills()

    async def play(self, starts: trio.Semaphore, sessions: trio.Nursery) -> None:
        """Play until the game is over or the bot has forfeited.

        *starts* limits the number of bots that start at the same time. At the end no
        process of the bot is left, even if this is cancelled. Raises `OSError`.
        """
        (self._folder / bot_program.TEMPORARY_FOLDER).mkdir(parents=True)
        # The socket keeps the port from being given to others.
        with bound_socket() as reserved:
            async with trio.open_nursery() as nursery:
                try:
                    async with starts:
                        port: int = reserved.getsockname()[1]
                        fault = await self._begin(port, nursery, sessions)
                    if fault is None and self._game.task.is_trial:
                        self._game.end_trial()
                    if fault is None:
                        fault = await self._watch(lambda: False)
                    turn = self._seat.left_in or self._game.turn
                finally:
                    await self._end()
                nursery.cancel_scope.cancel()
        if fault is not None:
            self._settle(fault, turn)

    async def _begin(
        self, port: int, nursery: trio.Nursery, sessions: trio.Nursery
    ) -> BotFault | None:
        """Start the bot, and wait for it to take its seat; return what is wrong."""
        # Before the bot is started, which may be quicker than this task.
        listening = listening_socket(port)
        fault = self._start(port)
        if self._process is None:
            listening.close()
            return fault
        nursery.start_soon(self._process.drain)
        nursery.start_soon(self._await_exit, self._process)
        nursery.start_soon(self._watch_usage, self._process)
        nursery.start_soon(self._let_in, sessions, listening)
        return await self._watch(self._is_seated)

    # The process

    def _start(self, port: int) -> BotFault | None:
        """Start the bot; return why it cannot be started."""
        seat, task = self._seat, self._seat.task
        program, game = task.program, self._game.task.attempt.game
        self._began = trio.current_time()
        try:
            sandbox = bot_program.sandbox_of(program)
            seat.result = evolve(seat.result, box=sandbox)
            self._process = BotProcess.start(
                bot_program.command_line(task, game, port, self._folder),
                Path(program.folder),
                bot_program.environment(program, self._folder),
                program.disk,
            )
        except OSError as error:
            what = f"{error.strerror}: {error.filename or program.command[0]}"
            if error.errno in MACHINE_ERRORS:
                self._game.void(f"{program.name} cannot be started: {what}")
            return BotFault(f"cannot be started: {what}")
        except (RunningError, subprocess.SubprocessError, ValueError) as error:
            self._game.void(f"{program.name} cannot be started: {error}")
            return BotFault(f"cannot be started: {error}")
        seat.output = self._process.output
        return None

    async def _await_exit(self, process: BotProcess) -> None:
        """Note when the bot has ended: its first process, and with it the sandbox."""
        self.exit_code = await process.wait()
        self._game.notify()

    async def _watch_usage(self, process: BotProcess) -> None:
        """Stop the bot if it uses too much memory or disk, or too many processes."""
        usage = self._usage
        for sample in count():
            await trio.sleep(SAMPLE_SECONDS)
            reason = None
            if sample % PROCESS_SAMPLES == 0:
                usage.processes = process.living()
                reason = usage.process_excess() or usage.disk_excess()
            reason = reason or usage.memory_excess()
            if reason is not None:
                self._seat.stop(reason)
                self._game.notify()

    async def _end(self) -> None:
        """End all processes of the bot, after it had time to exit."""
        process = self._process
        if process is None:
            return
        try:
            if self._game.is_over:
                with trio.move_on_after(EXIT_SECONDS):
                    await self._game.closed.wait()
                with trio.move_on_after(EXIT_SECONDS):
                    await process.wait()
        finally:
            await process.stop()
            if self._seat.task.program.speaks == "lines":
                self._seat.notes = read_usage(bot_program.usage_file(self._folder))

    # The connection

    async def _let_in(self, sessions: trio.Nursery, listening: socket.socket) -> None:
        """Keep the port open while the seat is vacant, at first with *listening*."""
        port = listening.getsockname()[1]
        while True:
            async with trio.open_nursery() as opening:
                opening.start_soon(self._accept, sessions, listening)
                await self._game.until(self._is_seated)
                opening.cancel_scope.cancel()
            await self._game.until(lambda: not self._is_seated())
            listening = listening_socket(port)

    async def _accept(self, sessions: trio.Nursery, listening: socket.socket) -> None:
        """Serve each connection in *sessions* until cancelled; then close the port."""
        with listening:
            while True:
                await trio.lowlevel.wait_readable(listening)
                try:
                    connection, _ = listening.accept()
                except (BlockingIOError, ConnectionAbortedError):
                    continue
                except OSError:
                    await trio.sleep(0.1)
                    continue
                sessions.start_soon(self._game.serve, connection, self._power)

    def _is_seated(self) -> bool:
        # It has yet to accept the map; the server closes it if that takes too long.
        return not self._game.is_vacant(self._power)

    # Failures

    async def _watch(self, until: Callable[[], bool]) -> BotFault | None:
        """Return why the bot must stop; `None` if it need not, or the game is over."""
        while not (self._game.is_over or until()):
            now = trio.current_time()
            fault = self.look(now)
            if fault is not None:
                return fault
            with trio.move_on_at(min(self.due(), now + RECHECK_SECONDS)):
                await self._game.changed.wait()
        return await self._look_at_end() if self._game.is_over else None

    def look(self, now: float) -> BotFault | None:
        """Return what is wrong with the bot now, if anything."""
        seat = self._seat
        if not self._game.may_play(self._power):
            return None
        if seat.stopped is not None:
            return BotFault(seat.stopped)
        if self.exit_code is not None:
            when = "in the game" if self._has_begun else "before the game began"
            return BotFault(f"{exit_text(self.exit_code)} {when}")
        if 0 < self._limits.late_turns <= seat.late_in_a_row:
            return BotFault(f"late in {seat.late_in_a_row} turns in a row")
        return self._look_at_connection(now)

    def _look_at_connection(self, now: float) -> BotFault | None:
        if self._is_seated():
            self._away_since = math.inf
        elif self._has_begun:
            self._away_since = min(self._away_since, now)
        if now < self.due():
            return None
        refusal = self._seat.refusal
        why = f" ({refusal})" if refusal else ""
        if self._has_begun:
            seconds = self._away_seconds
            return BotFault(f"connection stayed away for {seconds:g} seconds{why}")
        seconds = self._limits.start_seconds
        reason = f"not ready {seconds:g} seconds after its start{why}"
        return BotFault(reason, is_slow_start=not why)

    @property
    def _has_begun(self) -> bool:
        return self._game.state.has_started

    def due(self) -> float:
        """Return the time at which a missing connection becomes a fault."""
        if self._is_seated():
            return math.inf
        if self._has_begun:
            return self._away_since + self._away_seconds
        return self._began + self._limits.start_seconds

    async def _look_at_end(self) -> BotFault | None:
        """Return a fault if the bot was away at the end, because games may be short."""
        survivors = self._game.state.turn.survivors
        if self._seat.left_in is None or self._power not in survivors:
            return None
        if self._seat.stopped is not None:
            return BotFault(self._seat.stopped)
        if self._process is not None:
            # Its sandbox or wrapper ends a moment after the bot.
            with trio.move_on_after(EXIT_SECONDS):
                self.exit_code = await self._process.wait()
        if self.exit_code is not None:
            return BotFault(f"{exit_text(self.exit_code)} in the game")
        return BotFault("connection was away when the game ended")

    def _settle(self, fault: BotFault, turn: str | None) -> None:
        """Let the bot forfeit, unless the machine may have been too slow."""
        task = self._game.task
        if self._was_killed_for_others():
            self._game.void("the machine had no memory left")
        elif fault.is_slow_start and not task.is_alone:
            seat = self._seat.task
            why = f"{SLOW_START}{seat.program.name} ({self._power}): {fault.reason}"
            self._game.void(why, seat.bot)
        elif task.is_trial:
            self._game.void(fault.reason)
        else:
            self._game.forfeit(self._seat, turn, fault.reason)

    def _was_killed_for_others(self) -> bool:
        """Return whether the kernel killed the bot though it used little memory."""
        is_killed = self.exit_code == -signal.SIGKILL and not self._seat.stopped
        return is_killed and self._usage.is_modest and oom_kills() > self._oom_kills


def listening_socket(port: int) -> socket.socket:
    """Return a listening socket; connections wait to be accepted."""
    listening = bound_socket(port)
    listening.listen(16)
    return listening


def bound_socket(port: int = 0) -> socket.socket:
    """Return a socket that does not listen; connections are refused.

    Two sockets may share a port: one that reserves it, and one that listens.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setblocking(False)
        # BSD needs another option.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if not hasattr(socket, "SO_BINDTODEVICE") and hasattr(socket, "SO_REUSEPORT"):
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind((bot_program.HOST, port))
    except BaseException:
        bound.close()
        raise
    return bound
