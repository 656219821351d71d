"""Peers that are gone without a word: TCP keep-alive, and bytes that nobody confirms.

An idle connection is probed by the kernel. Where bytes are under way there are no such
probes, and retransmissions go on for a quarter of an hour; TCP_USER_TIMEOUT would end
them, but also cuts a client whose window is closed because it thinks. So the counts of
unanswered retransmissions and window probes are asked for (TCP_INFO, Linux).

What a platform does not have is left out: then its own, longer times hold.
"""

import socket
from typing import Final

PROBES: Final = 3
MAX_UNCONFIRMED: Final = 8
"""Doubling from 0.2 seconds, so many retransmissions take about a minute."""

IDLE_OPTION: Final[int | None] = getattr(
    socket, "TCP_KEEPIDLE", getattr(socket, "TCP_KEEPALIVE", None)
)
INTERVAL_OPTION: Final[int | None] = getattr(socket, "TCP_KEEPINTVL", None)
COUNT_OPTION: Final[int | None] = getattr(socket, "TCP_KEEPCNT", None)
INFO_OPTION: Final[int | None] = getattr(socket, "TCP_INFO", None)
INFO_BYTES: Final = 5
"""Of `struct tcp_info`: state, ca_state, retransmits, probes, backoff; a byte each."""


def keep_alive(connection: socket.socket, seconds: float) -> None:
    """Have the kernel close *connection* when its peer is silent for about *seconds*.

    Half of the time passes before the first probe. Raises `OSError` if the connection
    is broken already.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (IDLE_OPTION, max(1, int(seconds / 2))),
        (INTERVAL_OPTION, max(1, int(seconds / 2 / PROBES))),
        (COUNT_OPTION, PROBES),
    ):
        if option is not None:
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def is_unanswered(connection: socket.socket) -> bool:
    """Return whether the peer has confirmed nothing for about a minute.

    A client that does not read still answers probes of its window.
    """
    if INFO_OPTION is None:
        return False
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, INFO_OPTION, INFO_BYTES)
    except OSError:
        return False
    retransmits, probes = info[2:4]
    return max(retransmits, probes) >= MAX_UNCONFIRMED
