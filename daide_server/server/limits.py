"""The limits for clients: of one session, and of all connections.

Each field is a setting: see `daide_server.settings`.
"""

from math import inf

from attrs import frozen

from daide_server.settings.descriptor import setting, switch
from daide_server.settings.kinds import COUNT, SECONDS, either, number, whole

PLACES = either(COUNT, 0, None)
MAX_PLACES = 8192
"""The maximum number of connections if the settings have none."""
RESERVED_FILES = 64
"""Open files reserved for records, journals, the log and the program."""


@frozen(kw_only=True)
class SessionLimits:
    """The limits of one client. Sizes are in bytes, times in seconds."""

    im_seconds: float = setting(
        number(0.1, unit="seconds"),
        30.0,
        "Seconds within which the initial message must arrive.",
    )
    join_seconds: float = setting(
        either(SECONDS, 0.0, inf),
        600.0,
        "Seconds within which NME, OBS or IAM must be accepted; 0: no limit.",
    )
    map_seconds: float = setting(
        either(SECONDS, 0.0, inf),
        60.0,
        "Seconds within which an admitted client must answer MAP; 0: no limit.",
    )
    close_seconds: float = setting(
        SECONDS, 1.0, "Seconds to deliver the last messages before closing."
    )
    outbox_bytes: int = setting(
        whole(100_000, unit="bytes"),
        8_000_000,
        "Unread bytes above which a client is closed.",
    )
    outboxes_bytes: int = setting(
        whole(1_000_000, unit="bytes"),
        512_000_000,
        "Unread bytes of all clients; above, the client with the most is closed.",
    )
    rm_delay: float = 0.005
    """Seconds between a client's initial message and the answer (RM): Java clients that
    were written for the first servers lose an answer that comes sooner."""


@frozen
class ConnectionLimits:
    """The limits on the number of connections."""

    total: int | None = setting(
        PLACES,
        None,
        "Maximum at the same time; 0: what the limit of open files allows, at most "
        f"{MAX_PLACES}.",
        key="connections",
    )
    per_address: int = setting(
        COUNT, 100, "The same for one address.", key="connections_per_address"
    )
    per_second: float = setting(
        number(0.1, unit="connections"),
        5.0,
        "New connections per second from one address, with a burst of all it may have.",
        key="connections_per_second",
    )
    loopback_exempt: bool = switch(
        "The limits of one address do not apply to this machine.", default=True
    )
    evict_observers: bool = switch(
        "If no place is left, close observers, the idlest first; before them, "
        "clients that have joined nothing.",
        default=True,
    )
    keep_alive_seconds: float = setting(
        number(3, unit="seconds"),
        60.0,
        "Seconds after which the connection of an unreachable peer is closed.",
    )
