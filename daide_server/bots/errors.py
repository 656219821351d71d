"""What can go wrong between a bot and its server, in words for the bot's author."""


class ClientError(Exception):
    """The client cannot go on; the message says why in one line."""


class CannotConnectError(ClientError):
    """Nobody accepts connections at the address."""


class RefusedError(ClientError):
    """The server does not let the client in."""


class ConnectionLostError(ClientError):
    """The connection is gone, and coming back did not work."""


class ProtocolFaultError(ClientError):
    """One side broke the Client-Server Protocol, and the connection was closed."""
