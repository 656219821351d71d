"""What the log says: dotted events in the past tense, with their fields.

At info one line each for what people want to know of; at debug one line per
event. Nothing is built for a line that is off.
"""

import logging
import sys
from collections.abc import Sequence

import structlog
from structlog.typing import FilteringBoundLogger

from daide_server.game.effects import Effect, Record, Tell
from daide_server.game.events import Event, MessageReceived
from daide_server.language.messages import Name, Observe, Rejected, Rejoin
from daide_server.records.entries import (
    Began,
    DrawVoted,
    Ended,
    Entry,
    PressSent,
    Seated,
    TurnResolved,
    Vacated,
)

LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(level: str) -> None:
    """Send the log to standard error, from *level* up."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(
                key_order=["timestamp", "level", "event"], bool_as_flag=False
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def observe(log: FilteringBoundLogger, event: Event, effects: Sequence[Effect]) -> None:
    """Log an event of a game and what followed from it."""
    if log.is_enabled_for(logging.DEBUG):
        log.debug("game.handled", kind=type(event).__name__, effects=len(effects))
    for effect in effects:
        if isinstance(effect, Record):
            _observe_entry(log, effect.entry)
    if isinstance(event, MessageReceived):
        _observe_joining(log, event, effects)


def _observe_joining(
    log: FilteringBoundLogger, event: MessageReceived, effects: Sequence[Effect]
) -> None:
    match event.message:
        case Name(name=name, version=version):
            said = {"said": "NME", "name": name, "version": version}
        case Observe():
            said = {"said": "OBS"}
        case Rejoin(power=power):
            said = {"said": "IAM", "power": power}
        case _:
            return
    told = [
        message
        for tell in effects
        if isinstance(tell, Tell)
        for message in tell.messages
    ]
    refused = any(isinstance(message, Rejected) for message in told)
    log.info(
        "client.refused" if refused else "client.joined", client=event.client, **said
    )


def _observe_entry(log: FilteringBoundLogger, entry: Entry) -> None:
    match entry:
        case Began(level=level):
            log.info("game.started", level=level)
        case Seated(power=power, name=name, version=version):
            log.info("seat.taken", power=power, name=name, version=version)
        case Vacated(power=power):
            log.info("seat.vacated", power=power)
        case TurnResolved(position=position, next=after):
            log.info("turn.processed", turn=str(position.turn), units=len(after.units))
        case Ended(ending=ending, winners=winners, position=position):
            log.info(
                "game.ended",
                ending=ending.value,
                winners=" ".join(winners),
                turn=str(position.turn),
            )
        case PressSent() | DrawVoted():
            pass
