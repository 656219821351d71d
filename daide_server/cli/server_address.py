"""The address of a server on the command line, and a connection to it."""

import os
import socket
from typing import Final

import click

from daide_server.app.settings import DEFAULTS
from daide_server.host_port import address_text

from .failures import CommandError
from .options import environment_variable

HIGHEST_PORT: Final = 65535
RECEIVE_BYTES: Final = 65536
"""The most bytes of one read."""
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not bound here
"""Where a server that listens on every interface answers on its own machine."""


class Address(click.ParamType[tuple[str, int]]):
    """HOST:PORT, or a port of this machine."""

    name = "host:port"

    def convert(
        self,
        value: str | tuple[str, int],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, int]:
        """Return the host and the port."""
        if isinstance(value, tuple):
            return value
        host, _, port = value.rpartition(":")
        digits = (
            port if port.isdecimal() and len(port) <= len(str(HIGHEST_PORT)) else "0"
        )
        if not 0 < int(digits) <= HIGHEST_PORT:
            message = f"found {value!r}, expected HOST:PORT, with a port from 1 to "
            self.fail(f"{message}{HIGHEST_PORT}", param, ctx)
        return host.strip("[]") or "127.0.0.1", int(port)


def served_address() -> tuple[str, str]:
    """Return host and port at which `serve` with the same environment listens."""
    service = DEFAULTS.service
    host = os.environ.get(environment_variable("host")) or service.host
    port = os.environ.get(environment_variable("port")) or str(service.port)
    return host, port


def address_of_this_machine() -> str:
    """Return where `serve` with the same environment variables is reached."""
    host, port = served_address()
    return f"{LOOPBACK.get(host, host)}:{port}"


def connect(address: tuple[str, int], seconds: float) -> socket.socket:
    """Return a connection that is made within *seconds*; raises `CommandError`."""
    try:
        return socket.create_connection(address, seconds)
    except (OSError, UnicodeError) as error:
        # The name of a host may be none: that is the UnicodeError.
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot connect to {address_text(address)}: {reason}"
        raise CommandError(message) from error
