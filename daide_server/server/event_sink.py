"""What happens on a server, for whoever wants to know: one method for each event.

The log is one sink (`log_sink.py`); metrics, traces and live views are others. The
server calls a single sink, `sinks.fan_out` makes one of several. Sinks are called in
the loop that serves all clients: they do not wait, and they do not raise.
"""

from .client_events import ClientEvents
from .play_events import PlayEvents
from .server_events import ServerEvents


class EventSink(ServerEvents, ClientEvents, PlayEvents):
    """Called for each event, after it has happened.

    This one ignores everything; others override the methods that they are for.
    """

    wants_messages: bool = False
    """Whether `message_received`, `message_sent` and `event_handled` are to be called.

    Their texts cost more than the messages themselves.
    """
