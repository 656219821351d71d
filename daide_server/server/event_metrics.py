"""Metrics for Prometheus, computed from server events; see also `web/metrics.py`."""

from functools import partial
from typing import Final

import prometheus_client as prometheus

from daide_server import __version__
from daide_server.game.directory import GameId
from daide_server.records.entries import Began, Ended, PressSent, TurnResolved

from . import events as happened

TURN_BUCKETS = (0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 86400)
PROCESSING_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
"""Upper limits of the buckets of both histograms, in seconds."""
COUNTED = {
    Began: ("games_started", "Games that began."),
    happened.GameFailed: ("games_failed", "Games ended by a bug in the server."),
    TurnResolved: ("turns", "Turns that were adjudicated."),
    happened.OrdersRefused: ("orders_refused", "Orders that were refused."),
    PressSent: ("press_messages", "Press messages between powers."),
    happened.ClientConnected: ("connections", "Connections accepted."),
    happened.ConnectionRefused: (
        "connections_refused",
        "Connections refused: no place, or too many from one address.",
    ),
    happened.ClientDropped: (
        "clients_dropped",
        "Clients disconnected: too slow, unreachable, or their place was needed.",
    ),
    "journal.failed": (
        "journal_commit_failures",
        "Times that the journal could not be written.",
    ),
    happened.RecordStored: ("records_written", "Records written."),
    happened.RecordRefused: (
        "record_failures",
        "Times that a record could not be written.",
    ),
}
"""Name and help of each counter, by the class of an event or of a record's entry, or by
the name of a notice."""


def program_registry() -> prometheus.CollectorRegistry:
    """Return a registry with metrics of this process and the program's version."""
    # The creation times of counters tell operators nothing, and double the output.
    prometheus.disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types
    registry = prometheus.CollectorRegistry()
    prometheus.ProcessCollector(registry=registry)
    version = {"version": __version__}
    prometheus.Info("daide_build", "The program.", registry=registry).info(version)
    return registry


class EventMetrics:
    """The metrics of games, clients and files of a server: a reader of events."""

    def __init__(self) -> None:
        self.registry: Final = program_registry()
        counter = partial(prometheus.Counter, registry=self.registry)
        gauge = partial(prometheus.Gauge, registry=self.registry)
        histogram = partial(prometheus.Histogram, registry=self.registry)
        self._counters: Final = {
            kind: counter(f"daide_{name}", text)
            for kind, (name, text) in COUNTED.items()
        }
        self.games_running: Final = gauge("daide_games_running", "Games in progress.")
        self._clients: Final = gauge("daide_clients_connected", "Connected clients.")
        self._games_ended: Final = counter(
            "daide_games_ended", "Games that have ended, by ending.", ("ending",)
        )
        self._turn_seconds: Final = histogram(
            "daide_turn_seconds",
            "Seconds from the start of a turn to its result.",
            buckets=TURN_BUCKETS,
        )
        self._processing_seconds: Final = histogram(
            "daide_turn_processing_seconds",
            "Seconds to adjudicate a turn and create its messages.",
            buckets=PROCESSING_BUCKETS,
        )
        self._turns: Final[dict[GameId, float]] = {}
        """When the current turn of each game began, on the game's clock."""

    def __call__(self, event: happened.ServerEvent) -> None:
        """Count *event*."""
        what = event.entry if isinstance(event, happened.EntryRecorded) else event
        kind = what.name if isinstance(what, happened.Notice) else type(what)
        if kind in self._counters:
            count = what.count if isinstance(what, happened.ConnectionRefused) else 1
            self._counters[kind].inc(count)
        self._observe(event)

    def _observe(self, event: happened.ServerEvent) -> None:
        """Update the metrics that are not just a counter."""
        match event:
            case happened.EntryRecorded(game=game, entry=Began(seconds=seconds)):
                self._turns[game] = seconds
            case happened.EntryRecorded(game=game, entry=TurnResolved(seconds=seconds)):
                if game in self._turns:
                    self._turn_seconds.observe(seconds - self._turns[game])
                self._turns[game] = seconds
            case happened.EntryRecorded(game=game, entry=Ended(ending=ending)):
                self._games_ended.labels(ending.value.replace(" ", "_")).inc()
                self._turns.pop(game, None)
            case happened.ClientConnected():
                self._clients.inc()
            case happened.ClientDisconnected():
                self._clients.dec()
            case happened.TurnProcessed(seconds=seconds):
                self._processing_seconds.observe(seconds)
            case _:
                pass
