"""Errors of the client library."""


class ClientError(Exception):
    """The client cannot continue; the message gives the reason in one line."""


class CannotConnectError(ClientError):
    """No server accepts TCP connections at the address."""


class RefusedError(ClientError):
    """The server refused the client's NME, OBS or IAM."""


class ConnectionLostError(ClientError):
    """The connection is lost, and the client could not return to its seat."""


class ProtocolFaultError(ClientError):
    """One end violated the Client-Server Protocol, which closes the connection."""
