"""What the log says: dotted events in the past tense, with their fields.

At info one line each for what people want to know of; at debug one line per
event. Nothing is built for a line that is off.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Sequence
from functools import lru_cache

import structlog
from structlog.typing import EventDict, FilteringBoundLogger

from daide_server.game.events import ClientId, MessageReceived
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.lobby.rejoin_throttle import RejoinAttempt
from daide_server.records.entries import (
    Began,
    DrawVoted,
    Ended,
    PressSent,
    RecordEntry,
    Seated,
    TurnResolved,
    Vacated,
)

PLAIN_VALUE = re.compile(r"[^\s\"=\x00-\x1f\x7f-\x9f]+")
"""A value that needs no quotes."""

LOG_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(level: str) -> None:
    """Send the log to standard error, from *level* up, in logfmt."""
    structlog.configure(
        processors=[
            structlog.processors.format_exc_info,
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _render(_: object, level: str, event: EventDict) -> str:
    """Return one line: when, how grave, what, and its fields.

    By hand: a line for each turn of each game is worth a few microseconds.
    """
    seconds, fraction = divmod(time.time(), 1)
    what = event.pop("event")
    fields = "".join(f" {key}={_value(value)}" for key, value in event.items())
    return f"{_clock(int(seconds))}.{int(fraction * 1000):03}Z {level} {what}{fields}"


@lru_cache(maxsize=2)
def _clock(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _value(value: object) -> str:
    text = str(value)
    return text if PLAIN_VALUE.fullmatch(text) else json.dumps(text)


def observe_joining(
    log: FilteringBoundLogger, event: MessageReceived, *, accepted: bool
) -> None:
    """Log that a client was let in, or not; other messages are passed over."""
    match event.message:
        case Name(name=name, version=version):
            said = {"said": "NME", "name": name, "version": version}
        case Observe():
            said = {"said": "OBS"}
        case Rejoin():
            said = {"said": "IAM"}
        case _:
            return
    log.info("client.joined" if accepted else "client.refused", **said)


def observe_sent(
    log: FilteringBoundLogger, clients: Sequence[ClientId], texts: Sequence[str]
) -> None:
    """Log what clients are told, one line a message."""
    listed = " ".join(map(str, clients))
    for text in texts:
        log.debug("message.sent", clients=listed, text=text)


def observe_guess(log: FilteringBoundLogger, guess: RejoinAttempt, reason: str) -> None:
    """Log an IAM that was refused because of its passcode, or of those before it."""
    log.warning(
        "passcode.refused",
        client=guess.client,
        address=guess.address,
        power=guess.power,
        reason=reason,
    )


def observe_entry(log: FilteringBoundLogger, entry: RecordEntry) -> None:
    """Log an entry of the journal that people want to know of."""
    match entry:
        case Began(level=level):
            log.info("game.started", level=level)
        case TurnResolved(position=position, next=after):
            log.info("turn.processed", turn=str(position.turn), units=len(after.units))
        case Ended(ending=ending, winners=winners, position=position):
            log.info(
                "game.ended",
                ending=ending.value,
                winners=" ".join(winners),
                turn=str(position.turn),
            )
        case Seated() | Vacated() | PressSent() | DrawVoted():
            pass
