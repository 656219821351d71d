"""What clients may cost: the limits of one session, and of all connections.

Each field is a setting: see `daide_server.settings`.
"""

from math import inf
from typing import Final

from daide_server.classes import frozen
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, SWITCH, either, number, whole
from daide_server.wire.frames import MAX_BODY_BYTES

READ_BYTES: Final = number(1000, unit="bytes")
MANY_BYTES: Final = whole(10_000, unit="bytes")
RATE: Final = number(0.1, unit="messages")
PLACES: Final = either(COUNT, 0, None)
MAX_PLACES: Final = 8192
"""Of connections, if the settings do not say how many."""


@frozen(kw_only=True)
class SessionLimits:
    """What one client may cost. Sizes are in bytes, times in seconds."""

    max_message_bytes: int = setting(
        whole(64, MAX_BODY_BYTES, unit="bytes"),
        32758,
        "Bytes of one message; longer ones are an error.",
        formerly="largest_message",
    )
    outbox_bytes: int = setting(
        whole(100_000, unit="bytes"),
        8_000_000,
        "Unread bytes after which a client is closed.",
    )
    read_bytes_per_second: float = setting(
        READ_BYTES, 400_000.0, "A client that sends more is read more slowly."
    )
    read_burst_bytes: float = setting(
        READ_BYTES, 1_000_000.0, "What it may send at once before that."
    )
    rm_delay: float = setting(
        SECONDS,
        0.005,
        "Seconds from the initial message of a client to its answer (RM): old Java "
        "clients lose one that comes faster; 0: at once.",
    )
    im_seconds: float = setting(
        number(0.1, unit="seconds"),
        30.0,
        "Seconds until the initial message must be there.",
    )
    join_seconds: float = setting(
        either(SECONDS, 0.0, inf),
        600.0,
        "Seconds until NME, OBS or IAM must be accepted; 0: no limit.",
    )
    map_seconds: float = setting(
        either(SECONDS, 0.0, inf),
        60.0,
        "Seconds until a client that was let in must have answered MAP; 0: no limit.",
    )
    close_seconds: float = setting(
        SECONDS, 1.0, "Seconds to deliver the last messages before closing."
    )


@frozen(kw_only=True)
class FanOutLimits:
    """What one client may cause in the outboxes of others, before it waits."""

    admin_per_second: float = setting(
        RATE, 20.0, "ADM of one client; ten seconds' worth may come at once."
    )
    press_per_second: float = setting(
        RATE,
        1000.0,
        "Press and draw votes of one client; ten seconds' worth may come at once.",
    )
    joins_per_second: float = setting(
        RATE, 1.0, "NME and OBS of one client; ten seconds' worth may come at once."
    )
    unread_bytes: int = setting(
        MANY_BYTES,
        250_000,
        "Bytes of one sender that one recipient has not read; then ADM, press and "
        "votes of that sender wait.",
    )
    own_unread_bytes: int = setting(
        MANY_BYTES,
        1_000_000,
        "Bytes of its own answers that a client has not read; then all its messages "
        "wait.",
    )
    admin_unread_bytes: int = setting(
        MANY_BYTES,
        2_000_000,
        "Bytes of other clients that a client has not read; then ADM passes it over.",
    )


@frozen(kw_only=True)
class PassLimits:
    """What the server does for some clients before the others have their turn."""

    pass_ms: float = setting(
        number(0.1, unit="milliseconds"),
        2.0,
        "Milliseconds of handling messages; what is left waits for the next pass, "
        "players of running games first.",
    )
    pass_bytes: int = setting(
        MANY_BYTES, 1_000_000, "Bytes to send after which a pass ends as well."
    )
    outboxes_bytes: int = setting(
        whole(1_000_000, unit="bytes"),
        512_000_000,
        "Unread bytes of all clients; above, the client with the most is closed.",
    )


@frozen
class ConnectionLimits:
    """How many connections there may be at the same time."""

    total: int | None = setting(
        PLACES,
        None,
        f"At the same time; 0: what the limit of open files allows, {MAX_PLACES} at "
        "most.",
        key="connections",
    )
    per_address: int = setting(
        COUNT,
        100,
        "At the same time, from one address.",
        key="connections_per_address",
    )
    loopback_exempt: bool = setting(
        SWITCH,
        default=True,
        help="The limits of one address do not count for this machine.",
    )
    reserve: int = setting(
        whole(0),
        64,
        "Places of these that are kept for players who return, and for health checks.",
        key="reserved_connections",
    )
    reserve_seconds: float = setting(
        number(0.1, unit="seconds"),
        2.0,
        "Seconds until a connection on a reserved place must have sent IAM.",
    )
    per_second: float = setting(
        number(0.1, unit="connections"),
        5.0,
        "New ones a second of one address; as many as it may have may come at once.",
        key="connections_per_second",
    )
    evict_observers: bool = setting(
        SWITCH,
        default=True,
        help="When there is no place left, observers are closed, the idlest first; "
        "before them whoever has joined nothing.",
    )
    keep_alive_seconds: float = setting(
        number(3, unit="seconds"),
        60.0,
        "Seconds after which a peer that is unreachable is closed.",
    )


RESERVED_FILES: Final = 64
"""Open files that are not for connections: records, journals, the log, the program."""
