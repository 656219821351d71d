"""`daide-server health`: a check for Docker, systemd and monitors."""

import socket
import time
from contextlib import suppress
from typing import NoReturn

import click
from attrs import define, field

from daide_server.daide import frames
from daide_server.daide.tokens import MAP, OFF, REJ, Tokens
from daide_server.host_port import address_text

from .common import failures, option_types
from .common.options import RECEIVE_BYTES, address_of_this_machine, connect, to_address
from .common.printing import print_line


@click.command()
@click.argument(
    "address", type=to_address, metavar="[HOST:PORT]", default=address_of_this_machine
)
@click.option("--ready", is_flag=True, help="Ask for the map as well (MAP).")
@click.option(
    "--timeout",
    type=option_types.Seconds(0.1),
    default=5.0,
    help="Time for the connection and all answers together.",
)
def command(address: tuple[str, int], timeout: float, *, ready: bool) -> None:
    """Exit with 0 if a server answers; else with 1, and a line that says why not.

    It sends IM, and expects RM: a server that hangs, or cannot write its journal, does
    not answer. With --ready it also sends MAP, which needs no seat; a server without a
    game refuses that.

    The default of HOST:PORT is that of `serve`, including the environment variables
    DAIDE_HOST and DAIDE_PORT.

    \b
    Examples:
      daide-server health
      daide-server health 192.0.2.7:16713 --ready --timeout 2
    """
    deadline = time.monotonic() + timeout
    with connect(address, timeout) as connection:
        check = HealthCheck(connection, deadline)
        check.expect_representation()
        if ready:
            check.expect_map()
        # The server may have gone already.
        with suppress(OSError):
            connection.sendall(frames.FINAL_MESSAGE)
    print_line(f"{address_text(address)}: {'ready' if ready else 'healthy'}")


@define
class HealthCheck:
    """A check of a server, over one connection; raises `CommandError` if it fails."""

    _socket: socket.socket
    _deadline: float
    _protocol: frames.ClientConnection = field(factory=frames.ClientConnection)
    _heard: list[Tokens] = field(factory=list)

    def expect_representation(self) -> None:
        """Send IM, and wait for RM."""
        self._send(self._protocol.take_output(), "RM")
        while self._protocol.representation is None:
            self._receive("RM")

    def expect_map(self) -> None:
        """Send MAP, and wait for its answer; other messages may come before."""
        self._send(frames.encode_tokens((MAP,)), "MAP")
        while True:
            while self._heard:
                first = self._heard.pop(0)[0]
                if first == MAP:
                    return
                if first == REJ:
                    _fail("not ready: there is no game (REJ (MAP))")
                if first == OFF:
                    _fail("not ready: the server is ending (OFF)")
            self._receive("MAP")

    def _send(self, data: bytes, expected: str) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            _fail(f"no {expected} from the server: {error.strerror or error}", error)

    def _receive(self, expected: str) -> None:
        """Receive once, and keep the messages."""
        if self._protocol.state is frames.ConnectionState.CLOSED:
            _fail(f"the server closed the connection before its {expected}")
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            _fail(f"no {expected} from the server: timed out")
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(RECEIVE_BYTES)
        except OSError as error:
            _fail(f"no {expected} from the server: {error.strerror or error}", error)
        self._heard.extend(self._protocol.receive(data))
        if self._protocol.fault is not None:
            _fail(f"the server broke the protocol: {self._protocol.fault.name}")
        if not data:
            _fail(f"the server closed the connection before its {expected}")


def _fail(reason: str, cause: OSError | None = None) -> NoReturn:
    raise failures.CommandError(reason) from cause
