"""Events as numbers for operators, in Prometheus's conventions (`web/metrics.py`)."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import prometheus_client as prometheus
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from daide_server import __version__
from daide_server.game.directory import GameId
from daide_server.records.entries import Began, Ended, PressSent, TurnResolved
from daide_server.server import events as happened
from daide_server.server.events import ServerEvent

from .server import Server

METRICS_TYPE: Final = CONTENT_TYPE_LATEST
TURN_BUCKETS: Final = (0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 86400)
PROCESSING_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)


def program_registry() -> prometheus.CollectorRegistry:
    """Return a registry that has the metrics of this process and of its program."""
    # When a counter was made is no news for operators, and doubles the page.
    prometheus.disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types
    registry = prometheus.CollectorRegistry()
    prometheus.ProcessCollector(registry=registry)
    version = {"version": __version__}
    prometheus.Info("daide_build", "The program.", registry=registry).info(version)
    return registry


def exposition(registry: prometheus.CollectorRegistry) -> bytes:
    """Return all metrics of *registry* as `METRICS_TYPE`."""
    found: bytes = generate_latest(registry)
    return found


class Counted(NamedTuple):
    """A counter of events: its name, its help, and how much an event adds."""

    name: str
    text: str
    amount: Callable[[Any], int] = lambda _: 1


COUNTED: Final = {
    Began: Counted("games_started", "Games that began."),
    happened.GameFailed: Counted(
        "games_failed", "Games given up for an error of the server."
    ),
    TurnResolved: Counted("turns", "Turns that were adjudicated."),
    happened.OrdersRefused: Counted("orders_refused", "Orders that were refused."),
    PressSent: Counted("press_messages", "Press messages between powers."),
    happened.ClientConnected: Counted("connections", "Connections accepted."),
    happened.ConnectionRefused: Counted(
        "connections_refused",
        "Connections closed at once: no place, or too many of one address.",
        lambda event: int(event.count),
    ),
    happened.ClientDropped: Counted(
        "clients_dropped", "Clients closed: too slow, gone, or their place was needed."
    ),
    happened.CommitFailed: Counted(
        "journal_commit_failures", "Times that the journal could not be written."
    ),
    happened.RecordStored: Counted("records_written", "Records written."),
    happened.RecordRefused: Counted(
        "record_failures", "Times that a record could not be written."
    ),
}
"""By the class of an event, or of the entry that was recorded."""


class EventMetrics:
    """What a server counts of its games, clients and files: a reader of events."""

    def __init__(self) -> None:
        self.registry: Final = program_registry()
        registry = self.registry
        self._counters: Final = {
            kind: (
                prometheus.Counter(
                    f"daide_{counted.name}", counted.text, registry=registry
                ),
                counted.amount,
            )
            for kind, counted in COUNTED.items()
        }
        self._games_running: Final = prometheus.Gauge(
            "daide_games_running", "Games that are played.", registry=registry
        )
        self._clients: Final = prometheus.Gauge(
            "daide_clients_connected", "Connections of clients.", registry=registry
        )
        self._games_ended: Final = prometheus.Counter(
            "daide_games_ended",
            "Games that are over, by how they ended.",
            ("ending",),
            registry=registry,
        )
        self._turn_seconds: Final = prometheus.Histogram(
            "daide_turn_seconds",
            "Seconds from the start of a turn to its result.",
            buckets=TURN_BUCKETS,
            registry=registry,
        )
        self._processing_seconds: Final = prometheus.Histogram(
            "daide_turn_processing_seconds",
            "Seconds to adjudicate a turn and make its messages.",
            buckets=PROCESSING_BUCKETS,
            registry=registry,
        )
        self._turns: Final[dict[GameId, float]] = {}
        """When the present turn of each game began, on the game's clock."""

    def follow(self, server: Server) -> None:
        """Show how many games of *server* are played, whichever run began them."""
        self._games_running.set_function(lambda: len(server.games.running()))

    def __call__(self, event: ServerEvent) -> None:
        """Count *event*."""
        kind = (
            type(event.entry)
            if isinstance(event, happened.EntryRecorded)
            else type(event)
        )
        counted = self._counters.get(kind)
        if counted is not None:
            counter, amount = counted
            counter.inc(amount(event))
        self._observe(event)

    def _observe(self, event: ServerEvent) -> None:
        """Count what has more than a counter."""
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
