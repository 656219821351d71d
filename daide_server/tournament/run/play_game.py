"""Plays one game of a tournament: from a `GameTask` to its `GameReport`.

`play_game` is called by a worker in its main thread; `play` is the same for trio tasks.
A game has its own server (`running_game`), and for each seat a built-in bot, connected
inside the process, or a program (`command_seat`).

It has a folder for its bots' own files, locked while its worker lives. A killed worker
leaves the folder behind, as large as its bots were allowed to make it; the next worker
removes it.
"""

import fcntl
import os
import shutil
import signal
import socket
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from traceback import format_exception

import trio
from attrs import evolve

from daide_server import __version__
from daide_server.bots import built_in, hold
from daide_server.bots.client import enter
from daide_server.bots.entering import UNREPORTED
from daide_server.bots.errors import ClientError
from daide_server.bots.remote_game import RemoteGame
from daide_server.daide.messages import Name, Rejoin
from daide_server.game.joining import MAX_NAME
from daide_server.server.events import EventReader
from daide_server.server.log import LogReader, line_writer
from daide_server.server.making import GameMaker
from daide_server.server.written_games import POLL_SECONDS, RunningRecord, show_turn

from .bot_program import HOST
from .bot_settings import MEBIBYTE
from .command_seat import CommandSeat
from .game_reporting import game_report, void_report
from .game_task import GameReport, GameTask, unfinished
from .running_game import RunningGame, SeatPlay, game_maker

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a game as unfinished."""
BEAT_SECONDS = 3.0
"""Seconds between two heartbeats of a game."""
LOG_LINES = 5000
"""Lines that are kept of a server's log, at the end."""
CLOSE_SECONDS = 30.0
"""Seconds for a game to close after its post-game time."""
STRANGERS = 16
"""Connections of bots that may arrive before our own: bots may try all ports."""
MIN_FREE_BYTES = 100 << 20
"""Bytes that must be free in the folder for temporary files to begin a game."""

ShowLive = Callable[[bytes], None]
"""Called with the record so far; may wait."""


def play_game(
    task: GameTask, show: ShowLive | None = None, beat: Callable[[], None] | None = None
) -> GameReport:
    """Play *task* to its end, in the main thread; SIGINT and SIGTERM abort it.

    *show* is called in another thread with the record so far, and *beat*, also in
    another thread, every few seconds while the game makes progress. Signals that the
    process ignores stay ignored. Raises `SettingsError` and `VariantError` if the
    settings of the game are wrong.
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
            report = await play(task, show=show, maker=maker)
            nursery.cancel_scope.cancel()
    return report


async def _cancel_at_signal(
    signals: AsyncIterator[int], scope: trio.CancelScope
) -> None:
    async for _ in signals:
        scope.cancel()


async def _beat_on(beat: Callable[[], None]) -> None:
    while True:
        # If nobody reads the pipe, the game continues.
        await trio.to_thread.run_sync(beat, abandon_on_cancel=True)
        await trio.sleep(BEAT_SECONDS)


async def play(
    task: GameTask,
    watching: EventReader | None = None,
    *,
    show: ShowLive | None = None,
    maker: GameMaker | None = None,
) -> GameReport:
    """Play *task* to its end; if cancelled, end everything that it has started.

    *watching* is called with the events of its server, *show* in another thread with
    the record so far; *maker* belongs to its settings. Raises `SettingsError` and
    `VariantError` if these are wrong.
    """
    maker = maker or game_maker(task)
    reason = _no_space()
    if reason is not None:
        return void_report(task, reason)
    log = deque[str](maxlen=LOG_LINES)
    logging = LogReader(line_writer(log.append), "info")
    game: RunningGame | None = None
    try:
        with game_folder() as folder:
            readers = (logging, watching) if watching else (logging,)
            game = RunningGame(task, maker, readers)
            await _play_whole(game, folder, show)
        return game_report(game, log)
    except Exception as error:  # noqa: BLE001 (whatever it is, the game does not count)
        log.append("".join(format_exception(error)))
        reason = game.void_reason if game is not None else None
        return void_report(task, reason or f"the worker failed: {_causes(error)}", log)


def _causes(error: Exception) -> str:
    """Return the distinct causes of an error: tasks fail in nested groups."""
    if isinstance(error, ExceptionGroup):
        return "; ".join(dict.fromkeys(map(_causes, error.exceptions)))
    return repr(error)


async def _play_whole(game: RunningGame, folder: Path, show: ShowLive | None) -> None:
    """Open the game, play all seats, and wait until its server has closed it."""
    async with trio.open_nursery() as server:
        game.open(server)
        if show is not None:
            so_far = RunningRecord(game.runner, game.variant)
            server.start_soon(_send_live, so_far, show)
        with game.playing:
            await _play_seats(game, server, folder)
            after = game.settings.policy.post_game_seconds
            # The result exists, so a game that stays open must delay nobody.
            with trio.move_on_after(after + CLOSE_SECONDS):
                await game.closed.wait()
        server.cancel_scope.cancel()


async def _send_live(record: RunningRecord, show: ShowLive) -> None:
    """Call *show* with the record after each turn, until cancelled."""
    while True:
        await trio.sleep(POLL_SECONDS)
        await show_turn(record, show, abandon=True)


async def _play_seats(game: RunningGame, server: trio.Nursery, folder: Path) -> None:
    """Play all seats until the game is over."""
    at_once = 1 if game.task.is_alone else os.cpu_count() or 1
    starts = trio.Semaphore(at_once)

    async def play_seat(seat: SeatPlay) -> None:
        if seat.task.stand_in:
            game.forfeit(seat, None, seat.task.stand_in)
        elif seat.task.program.builtin:
            await play_built_in(game, seat)
        else:
            program = CommandSeat(game, seat, folder / seat.task.power)
            await program.play(starts, server)
        if seat.result.forfeit is not None:
            await replace_bot(game, seat)

    async with trio.open_nursery() as nursery:
        for seat in game.seats.values():
            nursery.start_soon(play_seat, seat)


def _no_space() -> str | None:
    """Return why no game can be played here if there is too little disk space."""
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    if free >= MIN_FREE_BYTES:
        return None
    wanted = MIN_FREE_BYTES // MEBIBYTE
    return f"{folder}: found {free // MEBIBYTE} MiB free, expected {wanted}"


FOLDER_PREFIX = "daide-game-"
YOUNG_SECONDS = 10.0
"""Seconds for which a new folder may have no lock yet."""


@contextmanager
def game_folder() -> Iterator[Path]:
    """Create a folder, and remove it at the end; raises `OSError`."""
    with tempfile.TemporaryDirectory(
        prefix=FOLDER_PREFIX, ignore_cleanup_errors=True
    ) as name:
        held = _locked(Path(name))
        try:
            yield Path(name)
        finally:
            if held is not None:
                os.close(held)


def remove_left_folders() -> int:
    """Remove the folders of games whose workers are gone; return their number."""
    removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        with suppress(OSError):
            removed += _remove_left(path)
    return removed


def _remove_left(path: Path) -> bool:
    state = path.lstat()
    if state.st_uid != os.getuid() or time.time() < state.st_mtime + YOUNG_SECONDS:
        return False
    held = _locked(path)
    if held is None:
        return False
    shutil.rmtree(path, ignore_errors=True)
    os.close(held)
    return True


def _locked(path: Path) -> int | None:
    """Return a descriptor that holds the lock of a folder; `None` if another has it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # Locked, or on a file system without locks, where nothing is ever removed.
        os.close(descriptor)
        return None
    return descriptor


async def play_built_in(game: RunningGame, seat: SeatPlay) -> None:
    """Play a seat with a built-in bot, to the end of the game."""
    program = seat.task.program
    bot = built_in.BOTS.get(program.builtin)
    if bot is None:
        game.forfeit(seat, None, f"no built-in bot is called {program.builtin!r}")
        return
    strategy = bot(Random(seat.task.seed))  # noqa: S311 - a game, not a secret
    hello = Name(_usable(program.name), __version__)
    error = await _play_as(
        game, seat, hello, lambda remote: built_in.play(remote, strategy)
    )
    if error is not None:
        game.forfeit(seat, game.turn, f"bot {program.builtin}: {error}")


async def replace_bot(game: RunningGame, seat: SeatPlay) -> None:
    """Hold in the seat of a bot that has forfeited, to the end of the game.

    A power without a client holds too, but in turns with a deadline the game would then
    wait for it, and a game without any client is paused.
    """
    power = seat.task.power
    game.drop(power, "has forfeited")
    await game.until(lambda: game.is_over or game.is_vacant(power))
    if game.state.has_started:
        await game.until(lambda: game.is_over or _is_needed(game))
    if game.is_over:
        return
    hello: Name | Rejoin
    if game.state.has_started:
        seat.is_taken_over = True
        hello = Rejoin(power, game.state.seating[power].passcode)
    else:
        seat.result = evolve(seat.result, stand_in=True)
        hello = Name(_usable(f"stand-in for {seat.task.program.name}"), __version__)
    error = await _play_as(game, seat, hello, _hold)
    if error is not None:
        game.void(f"the stand-in of {power} failed: {error}")


def _is_needed(game: RunningGame) -> bool:
    return game.is_deserted or game.state.clock.has_deadline


async def _play_as(
    game: RunningGame,
    seat: SeatPlay,
    hello: Name | Rejoin,
    bot: Callable[[RemoteGame], Awaitable[object]],
) -> ClientError | None:
    """Play a seat with *bot*; return what ended it early."""
    power, found = seat.task.power, None
    async with trio.open_nursery() as nursery:

        async def dial() -> trio.SocketStream:
            client, server = connected_pair()
            nursery.start_soon(game.serve, server, power)
            return trio.SocketStream(trio.socket.from_stdlib_socket(client))

        try:
            async with enter(dial, hello, UNREPORTED) as remote:
                await bot(remote)
        except ClientError as error:
            found = error if game.may_play(power) else None
        nursery.cancel_scope.cancel()
    return found


async def _hold(remote: RemoteGame) -> None:
    """Hold, and vote for every draw: a power without a player prevents none."""
    async for view in remote.turns():
        await remote.vote_draw()
        await remote.submit(hold.orders(view))


def _usable(name: str) -> str:
    return "".join(filter(str.isprintable, name))[:MAX_NAME]


def connected_pair() -> tuple[socket.socket, socket.socket]:
    """Return both ends of a connection to this process, client first; raises `OSError`.

    Connections of others in between are closed.
    """
    with socket.create_server((HOST, 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        for _ in range(STRANGERS):
            server, address = listening.accept()
            if address == client.getsockname():
                client.setblocking(False)
                server.setblocking(False)
                return client, server
            server.close()
    client.close()
    raise OSError("cannot connect to itself: others were faster")
