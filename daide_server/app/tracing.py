"""Which conversations the server keeps, and where: the setting `trace`."""

import time
from pathlib import Path

import trio

from daide_server.game.events import ClientId
from daide_server.server.traced_transport import TracedTransport
from daide_server.server.transport import Transport
from daide_server.storage.trace_files import SUFFIX_OF_TRACES, TraceFile


def traced(
    transport: Transport, client: ClientId, folder: str, limit: int
) -> Transport:
    """Return *transport* with a trace of *client*, in a file of its own in *folder*."""
    began = trio.current_time()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    path = Path(folder) / f"{stamp}-{client:06}{SUFFIX_OF_TRACES}"

    def milliseconds() -> int:
        return int((trio.current_time() - began) * 1000)

    file = TraceFile(path, limit, milliseconds)

    def keep(data: bytes, by_client: bool) -> None:  # noqa: FBT001 - as Trace says
        file.add(data, by_client=by_client)

    return TracedTransport(transport, keep)
