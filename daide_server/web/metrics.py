"""What the page counts for operators, in Prometheus's conventions.

Names have units; no label is by game, bot or address.
"""

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from daide_server import __version__

METRICS_TYPE: Final = CONTENT_TYPE_LATEST
ANSWER_BUCKETS: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)


def program_registry() -> CollectorRegistry:
    """Return a registry that has the metrics of this process and of its program."""
    # When a counter was made is no news for operators, and doubles the page.
    disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    version = {"version": __version__}
    Info("daide_build", "The program.", registry=registry).info(version)
    return registry


class WebMetrics:
    """What the page itself counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry: Final = registry
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
        return exposition(self.registry)


def exposition(registry: CollectorRegistry) -> bytes:
    """Return all metrics of *registry* as `METRICS_TYPE`."""
    found: bytes = generate_latest(registry)
    return found
