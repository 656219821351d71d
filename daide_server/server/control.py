"""The control socket of a server, for requests of operators.

Requests and answers are lines of JSON (`control_messages`). The socket is served in the
loop of the games and never blocks it: the length of lines, the number of connections,
and the time of a client that is silent or does not read are limited.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import trio
from attrs import frozen
from prometheus_client import generate_latest

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.library.control_socket import listen
from daide_server.records.formats.errors import shortened
from daide_server.records.formats.phase_json.map_names import turn_id

from .control_messages import ControlRequest, GameStatus, PowerStatus, ServerStatus
from .event_metrics import EventMetrics
from .events import ClientDropped, Failed, Warned
from .game_runner import GameRunner
from .server import Server

MAX_REQUEST = 65536
"""Maximum bytes of a request; all valid requests are far shorter."""
MAX_CONNECTIONS = 8
"""Connections that are served at the same time; others wait."""
PATIENCE_SECONDS = 10.0
"""Seconds that a client may be silent, or not read its answer."""
RETRY_SECONDS = 1.0
"""Pause in seconds after a connection could not be accepted for lack of open files."""
NAMED_GAMES = 20
"""Maximum number of games that an error message lists."""
EXPECTED = (
    'expected {"do": "status"}, "metrics", "drain", "end" with a "game", or "kick" '
    'with a "game" and a "power"'
)
READER = msgspec.json.Decoder(ControlRequest)

Answer = ServerStatus | dict[str, object]


class RequestError(Exception):
    """A request cannot be carried out; the message says why."""


@frozen
class Control:
    """Answers requests at the control socket of one server."""

    server: Server
    metrics: EventMetrics
    addresses: Sequence[str]
    """The address for players, and that of the page if there is one."""
    folder: Path
    """The folder of the socket; its owner removes it."""

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Answer until cancelled; it is started when clients can connect."""
        running = self.server.games.running
        self.metrics.games_running.set_function(lambda: len(running()))
        try:
            listening = trio.socket.from_stdlib_socket(listen(self.folder))
        except OSError as error:
            reason = error.strerror or str(error)
            self.server.events(Warned("control.unavailable", {"reason": reason}))
            task_status.started()
            return
        task_status.started()
        listener = trio.SocketListener(listening)
        places = trio.Semaphore(MAX_CONNECTIONS)
        async with listener, trio.open_nursery() as nursery:
            while True:
                await places.acquire()
                stream = await _accepted(listener)
                nursery.start_soon(self._serve_one, stream, places)

    async def _serve_one(
        self, stream: trio.SocketStream, places: trio.Semaphore
    ) -> None:
        """Serve one client, then free its connection for another."""
        with suppress(trio.BrokenResourceError):
            async with stream:
                await self._serve(stream)
        places.release()

    async def _serve(self, stream: trio.SocketStream) -> None:
        """Answer the requests of one client until it closes or stops reading."""
        received = bytearray()
        with trio.move_on_after(PATIENCE_SECONDS) as scope:
            while True:
                if b"\n" in received:
                    line, _, received = received.partition(b"\n")
                    answer = await self._answer(bytes(line))
                    scope.deadline = trio.current_time() + PATIENCE_SECONDS
                    await stream.send_all(answer)
                    scope.deadline = trio.current_time() + PATIENCE_SECONDS
                elif len(received) > MAX_REQUEST:
                    found = f"found more than {MAX_REQUEST} bytes without an LF"
                    await stream.send_all(_refusal(f"{found}; {EXPECTED}"))
                    return
                elif part := await stream.receive_some(MAX_REQUEST + 1 - len(received)):
                    received += part
                else:
                    return

    async def _answer(self, line: bytes) -> bytes:
        """Return the answer to one request; a bug in it affects only this answer."""
        try:
            request = READER.decode(line)
        except (ValueError, RecursionError) as error:
            return _refusal(f"{shortened(str(error))}; {EXPECTED}")
        try:
            return _line(await self._done(request))
        except RequestError as error:
            return _refusal(str(error))
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self.server.events(Failed("control.failed", {"error": error}))
            return _refusal("a bug in the server, see its log")

    async def _done(self, request: ControlRequest) -> Answer:
        """Carry out a request, and return the answer. Raises `RequestError`."""
        server = self.server
        match request.do:
            case "status":
                return await self._status()
            case "metrics":
                text = generate_latest(self.metrics.registry).decode()
                return {"metrics": text, "ok": True}
            case _ if server.is_stopping:
                raise RequestError("the server stops already")
            case "drain":
                if not server.is_draining:
                    server.drain()
            case "end":
                _end(server, _game(server, request.game))
            case "kick":
                _kick(server, _game(server, request.game), request.power)
        return {"ok": True}

    async def _status(self) -> ServerStatus:
        server = self.server
        games = []
        for runner in server.games.open_games():
            games.append(_status_of(runner))
            # The text of many games would block their loop.
            await trio.lowlevel.checkpoint()
        return ServerStatus(
            version=__version__,
            pid=os.getpid(),
            addresses=self.addresses,
            draining=server.is_draining,
            unready=server.unready,
            commit_failure=server.journal.failure,
            connections=len(server.clients.everybody()),
            places=server.games.places,
            games=games,
        )


async def _accepted(listener: trio.SocketListener) -> trio.SocketStream:
    """Return the next connection; wait if there are too many open files."""
    while True:
        try:
            return await listener.accept()
        except OSError:
            await trio.sleep(RETRY_SECONDS)


def _line(answer: Answer) -> bytes:
    return msgspec.json.encode(answer) + b"\n"


def _refusal(error: str) -> bytes:
    return _line({"error": error, "ok": False})


def _status_of(runner: GameRunner) -> GameStatus:
    """Return the state of a game: who owes orders, but never the orders."""
    state = runner.game.state
    left = state.clock.running_left(runner.seconds)
    owe = state.owing() if state.is_running else ()
    seats = [state.seating[power] for power in state.variant.map.powers]
    return GameStatus(
        game=runner.header.record,
        number=runner.number,
        turn=turn_id(state.position.turn),
        stage=state.stage.name.lower(),
        seconds_left=None if left is None else round(left, 1),
        powers=[
            PowerStatus(
                seat.power,
                seat.client is not None,
                seat.name,
                seat.version,
                seat.power in owe,
            )
            for seat in seats
        ],
    )


def _game(server: Server, wanted: str | int) -> GameRunner:
    """Return an open game by its number or record id. Raises `RequestError`."""
    games = server.games.open_games()
    for runner in games:
        if str(wanted) in {runner.header.record, str(runner.number)}:
            return runner
    known = [str(runner.number) for runner in games]
    more = ", ..." if len(known) > NAMED_GAMES else ""
    expected = ", ".join(known[:NAMED_GAMES]) or "none, there is no game"
    message = f"found game {str(wanted)!r:.100}, expected one of: {expected}{more}"
    raise RequestError(message)


def _end(server: Server, runner: GameRunner) -> None:
    state = runner.game.state
    if not state.is_running:
        message = f"game {runner.number} is {state.stage.name.lower()}, not running"
        raise RequestError(message)
    with server.passes:
        server.games.end_game(runner)


def _kick(server: Server, runner: GameRunner, power: str) -> None:
    state = runner.game.state
    powers = state.variant.map.powers
    if power not in powers:
        message = f"found power {power!r:.100}, expected one of: {', '.join(powers)}"
        raise RequestError(message)
    client = state.seating[Power(power)].client
    if client is None:
        raise RequestError(f"no client plays {power} in game {runner.number}")
    with server.passes:
        server.events(ClientDropped(client, "the operator closes it"))
        server.clients.finish((client,))
