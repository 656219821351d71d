"""Errors of the client library."""

from daide_server.errors import ReportedError


class ClientError(ReportedError):
    """The client cannot continue; the message gives the reason in one line."""


class CannotConnectError(ClientError):
    """No server accepts TCP connections at the address."""


class RefusedError(ClientError):
    """The server refused the client's NME, OBS or IAM."""


class UnknownPowerError(RefusedError):
    """The server's variant does not have the power of the seat."""


class MapRefusedError(ClientError):
    """The server plays a map that the bot does not; REJ (MAP) was sent."""


class ConnectionLostError(ClientError):
    """The connection is lost, and the client could not return to its seat."""


class SilentServerError(ConnectionLostError):
    """A server accepts connections, but does not answer IM with RM."""


class GameOverError(ClientError):
    """The game is over, or the server ended it (OFF): there is no seat any more."""


class UnsendableError(ClientError):
    """What the bot wants to send is not a DAIDE message; nothing was sent."""


class LoadRequestedError(ClientError):
    """The server asks who can load a saved game (LOD); `RemoteGame` answers it.

    A client without a passcode refuses; `join` then raises this error.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the server waits for the players of a saved game (LOD '{name}'), "
            "and this client has no seat in it"
        )
        self.name = name


class ProtocolFaultError(ClientError):
    """One end violated the Client-Server Protocol, which closes the connection."""


class SeatFileError(ClientError):
    """A file that should hold a seat does not; the message is `FILE: reason`."""


class EndlessLineError(ClientError):
    """A bot wrote too much output without a newline."""

    def __init__(self, size: int) -> None:
        mebibytes = size >> 20
        super().__init__(f"the bot wrote {mebibytes} MiB without an end of line")
