"""What clients may cost: the limits of one session, and of all connections.

Each field is a setting: see `daide_server.settings`.
"""

from math import inf
from typing import Final

from attrs import frozen

from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS, SWITCH, either, number, whole
from daide_server.wire.frames import MAX_BODY_BYTES

READ_BYTES: Final = number(1000, unit="bytes")


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
        4_000_000,
        "Unread bytes after which a client is closed.",
    )
    read_bytes_per_second: float = setting(
        READ_BYTES, 400_000.0, "A client that sends more is read more slowly."
    )
    read_burst_bytes: float = setting(
        READ_BYTES, 1_000_000.0, "What it may send at once before that."
    )
    messages_per_pass: int = setting(
        COUNT, 20, "Messages of one client before the others have their turn."
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
    close_seconds: float = setting(
        SECONDS, 1.0, "Seconds to deliver the last messages before closing."
    )


@frozen
class ConnectionLimits:
    """How many connections there may be at the same time."""

    total: int = setting(COUNT, 2000, "At the same time.", key="connections")
    per_address: int = setting(
        COUNT,
        100,
        "At the same time, from one address.",
        key="connections_per_address",
    )
    loopback_exempt: bool = setting(
        SWITCH,
        default=True,
        help="That limit does not count for this machine.",
    )
