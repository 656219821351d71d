"""How the server is whose page this is, as its control socket says."""

from pathlib import Path
from typing import Any, Final

import msgspec
import trio

from daide_server.storage import control_socket

ANSWER_SECONDS: Final = 5.0
REQUESTS: Final = 4
"""Requests at the same time: the control has few places, and operators need some."""


class ServerState:
    """Asks the server; a page without a server is always ready."""

    def __init__(self, folder: Path | None) -> None:
        """Ask at the control socket in *folder*."""
        self._folder: Final = folder
        self._threads: Final = trio.CapacityLimiter(REQUESTS)

    async def problem(self) -> str | None:
        """Return why the server does not answer."""
        return (await self._ask("metrics")).get("problem")

    async def unready(self) -> str | None:
        """Return why no players can be taken now."""
        answer = await self._ask("status")
        found = (answer.get(key) for key in ("problem", "error", "unready"))
        return next(filter(None, found), None)

    async def metrics(self) -> bytes:
        """Return what the server has counted; nothing if it does not answer."""
        text: str = (await self._ask("metrics")).get("metrics", "")
        return text.encode()

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
