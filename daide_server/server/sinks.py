"""Sinks made of sinks: several as one, and one that cannot fail."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from .event_sink import EventSink

EVENT_METHODS: Final = tuple(
    name
    for name in dir(EventSink)
    if not name.startswith("_") and callable(getattr(EventSink, name))
)
"""The names of the methods of a sink."""

MESSAGE_METHODS: Final = ("message_received", "message_sent", "event_handled")
"""Those that only a sink with `wants_messages` is called with."""

ENTRY_RECORDED: Final = EventSink.entry_recorded.__name__
ENTRY_METHODS: Final = (
    "game_started",
    "seat_taken",
    "seat_vacated",
    "press_sent",
    "draw_voted",
    "turn_resolved",
    "turn_tallied",
    "game_ended",
)
"""Those that call `entry_recorded`, unless they are overridden."""


class _FanOut(EventSink):
    """Several sinks, called in order."""

    def __init__(self, sinks: Sequence[EventSink]) -> None:
        self.wants_messages = any(sink.wants_messages for sink in sinks)
        for name in EVENT_METHODS:
            methods = [
                getattr(sink, name)
                for sink in sinks
                if sink.wants_messages or name not in MESSAGE_METHODS
            ]
            setattr(self, name, partial(_call_all, methods))


def _call_all(methods: Sequence[Callable[..., None]], *arguments: object) -> None:
    for method in methods:
        method(*arguments)


def fan_out(*sinks: EventSink) -> EventSink:
    """Return a sink that hands every event to all of *sinks*, in their order."""
    return sinks[0] if len(sinks) == 1 else _FanOut(sinks)


def _call_guarded(
    method: Callable[..., None], failed: Callable[[], None], *arguments: object
) -> None:
    try:
        method(*arguments)
    except Exception:  # noqa: BLE001 (whatever it is, it stops no game)
        failed()


def guarded(sink: EventSink, failed: Callable[[], None]) -> EventSink:
    """Return *sink* such that what it raises is dropped, and *failed* called."""
    safe = EventSink()
    safe.wants_messages = sink.wants_messages
    for name in EVENT_METHODS:
        if _listens(sink, name):
            setattr(safe, name, partial(_call_guarded, getattr(sink, name), failed))
        elif name in ENTRY_METHODS:
            setattr(safe, name, _ignore)
    return safe


def _listens(sink: EventSink, name: str) -> bool:
    """Return whether the method *name* of *sink* does anything."""
    if name in vars(sink) or getattr(type(sink), name) is not getattr(EventSink, name):
        return True
    return name in ENTRY_METHODS and _listens(sink, ENTRY_RECORDED)


def _ignore(*_: object) -> None:
    """Do nothing, where the method of `EventSink` would call another that does."""
