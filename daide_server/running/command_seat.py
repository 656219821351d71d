"""The bot of one seat as a program: started, let in, watched, ended."""

import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from daide_server.bots.usage_file import read_usage

from .bot_process import MACHINE_ERRORS, BotProcess, Launch
from .bot_program import SeatPlace, box_of, command_line, environment
from .bot_usage import BotUsage, oom_kills
from .errors import SandboxError
from .game_task import SLOW_START, STARTED
from .running_game import BotFault, RunningGame, SeatFacts, SeatPlay, exit_text
from .seat_port import SeatPort

EXIT_SECONDS: Final = 1.0
"""How long a bot may take to end by itself, when the game is over."""
RECHECK_SECONDS: Final = 5.0
"""A bot is looked at as often, also if nothing seems to have happened."""


class CommandSeat:
    """A seat whose bot is a program; its port and its sessions are there before it."""

    def __init__(
        self, game: RunningGame, seat: SeatPlay, place: SeatPlace, port: SeatPort
    ) -> None:
        self.process: BotProcess | None = None
        """The bot, while it runs."""
        self.seat: Final = seat
        self.place: Final = place
        self._game: Final = game
        self._port: Final = port
        self._power: Final = seat.task.power
        self._usage: Final = BotUsage(seat.task.program, place.folder)
        self._exit_code: int | None = None
        self._oom_kills: Final = oom_kills()

    async def play(self, starts: trio.Semaphore, sessions: trio.Nursery) -> None:
        """Play until the game is over or the bot has forfeited.

        So many bots as *starts* allows are started at the same time. No process of the
        bot is left in the end, also when this is cancelled.
        """
        async with trio.open_nursery() as nursery:
            try:
                async with starts:
                    fault = await self._begin(nursery, sessions)
                if fault is None and self._game.task.is_trial:
                    self._game.void(STARTED)
                if fault is None:
                    fault = await self._watch(lambda: False)
                turn = self.seat.left_in or self._game.turn
            finally:
                await self._end()
            nursery.cancel_scope.cancel()
        if fault is not None:
            self._settle(fault, turn)

    async def _begin(
        self, nursery: trio.Nursery, sessions: trio.Nursery
    ) -> BotFault | None:
        """Start the bot, and wait for its seat to be taken; return what is wrong."""
        # Before the bot is started, which may be quicker than this task.
        listening = self._port.open()
        fault = self._start()
        if self.process is None:
            listening.close()
            return fault
        nursery.start_soon(self.process.drain)
        nursery.start_soon(self._await_exit, self.process)
        nursery.start_soon(self._let_in, sessions, listening)
        return await self._watch(self._is_seated)

    # The process

    def _start(self) -> BotFault | None:
        """Start the bot; return why it cannot be started."""
        program = self.seat.task.program
        self.seat.watch.began = trio.current_time()
        try:
            self.seat.note(box=box_of(program))
            launch = Launch(
                command_line(self.seat.task, self.place),
                Path(program.folder),
                environment(program, self.place),
                program.disk,
            )
            self.process = BotProcess.start(launch)
        except OSError as error:
            what = f"{error.strerror}: {error.filename or program.command[0]}"
            if error.errno in MACHINE_ERRORS:
                self._game.void(f"{program.name} cannot be started: {what}")
            return BotFault(f"cannot be started: {what}")
        except (SandboxError, subprocess.SubprocessError, ValueError) as error:
            self._game.void(f"{program.name} cannot be started: {error}")
            return BotFault(f"cannot be started: {error}")
        self.seat.output = self.process.output
        return None

    async def _await_exit(self, process: BotProcess) -> None:
        """Note when the bot has ended: its first process, which its box ends with."""
        self._exit_code = await process.wait()
        self._game.notify()

    async def _end(self) -> None:
        """End all processes of the bot, after it had time to end by itself."""
        process = self.process
        if process is None:
            return
        try:
            if self._game.table.is_over:
                with trio.move_on_after(EXIT_SECONDS):
                    await self._game.table.closed.wait()
                with trio.move_on_after(EXIT_SECONDS):
                    await process.wait()
        finally:
            await process.stop()
            if self.seat.task.program.speaks == "lines":
                self.seat.notes = read_usage(self.place.usage)

    # What it uses

    def see(self) -> None:
        """Look for its processes; stop it if they are many, or its disk full."""
        if self.process is not None:
            self._usage.processes = self.process.living()
            self._stop_for(self._usage.process_excess() or self._usage.disk_excess())

    def weigh(self) -> None:
        """Stop the bot if its processes have too much memory."""
        self._stop_for(self._usage.memory_excess())

    def _stop_for(self, reason: str | None) -> None:
        if reason is not None:
            self.seat.watch.stop(reason)
            self._game.notify()

    # The connection

    async def _let_in(self, sessions: trio.Nursery, listening: socket.socket) -> None:
        """Have the port open whenever the seat is vacant; it is *listening* now."""

        async def take(connection: socket.socket) -> None:
            sessions.start_soon(self._game.table.serve, connection, self._power)

        while True:
            async with trio.open_nursery() as opening:
                opening.start_soon(self._port.accept, listening, take)
                await self._game.until(self._is_seated)
                opening.cancel_scope.cancel()
            await self._game.until(lambda: not self._is_seated())
            listening = self._port.open()

    # Trouble

    def _is_seated(self) -> bool:
        # It has yet to accept the map; the server closes it if that takes too long.
        return not self._game.table.is_vacant(self._power)

    async def _watch(self, until: Callable[[], bool]) -> BotFault | None:
        """Return why the bot may not go on; `None` if it may, or the game is over."""
        watch = self.seat.watch
        while not (self._game.table.is_over or until()):
            facts, now = self._facts(), trio.current_time()
            fault = watch.look(facts, now)
            if fault is not None:
                return fault
            with trio.move_on_at(min(watch.due(facts), now + RECHECK_SECONDS)):
                await self._game.changed.wait()
        return await self._look_at_end() if self._game.table.is_over else None

    async def _look_at_end(self) -> BotFault | None:
        """Return that the bot was away when the game ended; games may be short."""
        survivors = self._game.table.state.turn.survivors
        if self.seat.left_in is None or self._power not in survivors:
            return None
        if self.seat.watch.stopped is not None:
            return BotFault(self.seat.watch.stopped)
        if self.process is not None:
            # Its box, or its wrapper, ends a moment after the bot has left.
            with trio.move_on_after(EXIT_SECONDS):
                self._exit_code = await self.process.wait()
        if self._exit_code is not None:
            return BotFault(f"{exit_text(self._exit_code)} in the game")
        return BotFault("connection was away when the game ended")

    def _facts(self) -> SeatFacts:
        table = self._game.table
        return SeatFacts(
            lives=table.is_played(self._power),
            has_begun=table.state.has_started,
            is_seated=self._is_seated(),
            exit_code=self._exit_code,
        )

    def _settle(self, fault: BotFault, turn: str | None) -> None:
        """Let the bot forfeit, unless the machine may have been too slow for it."""
        task = self._game.task
        if self._was_killed_for_others():
            self._game.void("the machine had no memory left")
        elif fault.is_slow_start and not task.is_alone:
            seat = self.seat.task
            why = f"{SLOW_START}{seat.program.name} ({self._power}): {fault.reason}"
            self._game.void(why, seat.bot)
        elif task.is_trial:
            self._game.void(fault.reason)
        else:
            self._game.forfeit(self.seat, turn, fault.reason)

    def _was_killed_for_others(self) -> bool:
        """Return whether the kernel ended the bot though it used little memory."""
        is_killed = self._exit_code == -signal.SIGKILL and not self.seat.watch.stopped
        return is_killed and self._usage.is_modest and oom_kills() > self._oom_kills
