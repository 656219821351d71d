"""Counters for operators, in Prometheus's conventions.

Names have units; no label is by game, bot or address.
"""

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from daide_server import __version__

METRICS_TYPE: Final = CONTENT_TYPE_LATEST
TURN_BUCKETS: Final = (0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 86400)
PROCESSING_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
ANSWER_BUCKETS: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)


class WebMetrics:
    """What the page itself counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        # When a counter was made is no news for operators, and doubles the page.
        disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types
        self.registry: Final = registry
        Info("daide_build", "The program.", registry=registry).info(
            {"version": __version__}
        )
        self.spectators: Final = Gauge(
            "daide_web_spectators",
            "Pages that follow running games.",
            registry=registry,
        )
        self.connections: Final = Gauge(
            "daide_web_connections", "Connections to the page.", registry=registry
        )
        self._answers: Final = Counter(
            "daide_web_answers",
            "Answers to requests, by the class of their status.",
            ("status",),
            registry=registry,
        )
        self._seconds: Final = Histogram(
            "daide_web_answer_seconds",
            "Seconds until an answer begins.",
            buckets=ANSWER_BUCKETS,
            registry=registry,
        )

    def note_answer(self, status: int, seconds: float) -> None:
        """Count an answer that begins."""
        self._answers.labels(f"{status // 100}xx").inc()
        self._seconds.observe(seconds)

    def text(self) -> bytes:
        """Return all metrics as `METRICS_TYPE`."""
        found: bytes = generate_latest(self.registry)
        return found


class ServerMetrics:
    """What a server counts of its games, clients and files."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"daide_{name}", text, labels, registry=registry)

        def gauge(name: str, text: str) -> Gauge:
            return Gauge(f"daide_{name}", text, registry=registry)

        self.games_running: Final = gauge("games_running", "Games that are played.")
        self.games_started: Final = counter("games_started", "Games that began.")
        self.games_ended: Final = counter(
            "games_ended", "Games that are over, by how they ended.", "ending"
        )
        self.games_failed: Final = counter(
            "games_failed", "Games given up for an error of the server."
        )
        self.turns: Final = counter("turns", "Turns that were adjudicated.")
        self.orders_refused: Final = counter(
            "orders_refused", "Orders that were refused."
        )
        self.press: Final = counter("press_messages", "Press messages between powers.")
        self.clients: Final = gauge("clients_connected", "Connections of clients.")
        self.connections: Final = counter("connections", "Connections accepted.")
        self.connections_refused: Final = counter(
            "connections_refused",
            "Connections closed at once: no place, or too many of one address.",
        )
        self.clients_dropped: Final = counter(
            "clients_dropped",
            "Clients closed: too slow, gone, or their place was needed.",
        )
        self.commit_failures: Final = counter(
            "journal_commit_failures", "Times that the journal could not be written."
        )
        self.records: Final = counter("records_written", "Records written.")
        self.record_failures: Final = counter(
            "record_failures", "Times that a record could not be written."
        )
        self.turn_seconds: Final = Histogram(
            "daide_turn_seconds",
            "Seconds from the start of a turn to its result.",
            buckets=TURN_BUCKETS,
            registry=registry,
        )
        self.processing_seconds: Final = Histogram(
            "daide_turn_processing_seconds",
            "Seconds to adjudicate a turn and make its messages.",
            buckets=PROCESSING_BUCKETS,
            registry=registry,
        )


def metrics_table() -> str:
    """Return all metrics as a table of Markdown, for `docs/metrics.md`."""
    registry = CollectorRegistry()
    ServerMetrics(registry)
    WebMetrics(registry)
    lines = ["| metric | kind | what |", "|---|---|---|"]
    for metric in sorted(registry.collect(), key=lambda metric: metric.name):
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        lines.append(f"| `{name}` | {metric.type} | {metric.documentation} |")
    return "\n".join(lines) + "\n"
