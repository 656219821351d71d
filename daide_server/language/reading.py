"""Reading: tokens to messages, on a server's side and on a client's."""

from .client_reader import ClientReader as ClientReader
from .server_reader import ServerReader as ServerReader
