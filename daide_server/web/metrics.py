"""What the page counts for operators, in Prometheus's conventions.

Names have units; no label is by game, bot or address.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from daide_server.app.event_metrics import EventMetrics, exposition

ANSWER_BUCKETS: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)


class WebMetrics:
    """What the page itself counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry: Final = registry
        self.spectators: Final = Gauge(
            "daide_web_spectators",
            "Pages that follow running games.",
            registry=registry,
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


def metrics_table() -> str:
    """Return all metrics as a table of Markdown, for `docs/log.md`."""
    registry = EventMetrics().registry
    WebMetrics(registry)
    lines = ["| metric | kind | what |", "|---|---|---|"]
    ours = (each for each in registry.collect() if each.name.startswith("daide_"))
    for metric in sorted(ours, key=lambda metric: metric.name):
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        lines.append(f"| `{name}` | {metric.type} | {metric.documentation} |")
    return "\n".join(lines) + "\n"
