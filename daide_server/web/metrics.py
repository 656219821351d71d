"""Metrics of the page, with no label for a game, bot or address; and of its server."""

from pathlib import Path
from typing import Any, Final

import msgspec
import trio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from daide_server.library import control_socket

ANSWER_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)
"""Upper bounds of the histogram of answers, in seconds."""


class WebMetrics:
    """Metrics of the page itself."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry: Final = registry
        self.spectators: Final = Gauge(
            "daide_web_spectators",
            "Browser pages that follow running games.",
            registry=registry,
        )
        self._answers: Final = Counter(
            "daide_web_answers",
            "Answers to requests, by status class.",
            ("status",),
            registry=registry,
        )
        self._seconds: Final = Histogram(
            "daide_web_answer_seconds",
            "Seconds from a request to the start of its answer.",
            buckets=ANSWER_BUCKETS,
            registry=registry,
        )

    def note_answer(self, status: int, seconds: float) -> None:
        """Count an answer when it begins."""
        self._answers.labels(f"{status // 100}xx").inc()
        self._seconds.observe(seconds)


ANSWER_SECONDS = 5.0
"""The time limit for an answer of the control socket."""
REQUESTS = 4
"""Simultaneous requests to the server: its control socket has few places, of which
operators need some."""


class ServerState:
    """Asks the server for its state; a page without a server is always ready."""

    def __init__(self, folder: Path | None) -> None:
        """Ask at the control socket in *folder*."""
        self._folder: Final = folder
        self._threads: Final = trio.CapacityLimiter(REQUESTS)

    async def problem(self) -> str | None:
        """Return why the server does not answer."""
        return (await self._ask("metrics")).get("problem")

    async def unready(self) -> str | None:
        """Return why no players are accepted now."""
        answer = await self._ask("status")
        found = (answer.get(key) for key in ("problem", "error", "unready"))
        return next(filter(None, found), None)

    async def metrics(self) -> bytes:
        """Return the metrics of the server; empty if it does not answer."""
        return str((await self._ask("metrics")).get("metrics", "")).encode()

    async def _ask(self, wanted: str) -> dict[str, Any]:
        if self._folder is None:
            return {}
        request = msgspec.json.encode({"do": wanted}) + b"\n"
        try:
            answer = await trio.to_thread.run_sync(
                control_socket.ask,
                self._folder,
                request,
                ANSWER_SECONDS,
                limiter=self._threads,
                abandon_on_cancel=True,
            )
            return msgspec.json.decode(answer, type=dict[str, Any])
        except (OSError, msgspec.DecodeError) as error:
            return {"problem": f"no answer of the server: {error}"}
