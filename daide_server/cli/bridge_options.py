"""The options of `daide-server bridge`."""

from pathlib import Path

from daide_server.classes import frozen


@frozen
class BridgeOptions:
    """The arguments and options of the command."""

    server: tuple[str, int]
    command: tuple[str, ...]
    raw: bool
    observe: bool
    seed: int | None
    fill: float
    ready_seconds: float
    return_seconds: float
    state: Path | None
