"""Which display of a game fits standard output."""

import sys

from daide_server.board.variant import Variant

from .progress import Progress


def progress_of(variant: Variant) -> Progress:
    """Return what shows a game on standard output, whatever that is."""
    if not sys.stdout.isatty():
        return Progress(variant)
    # Imported here, because a pipe needs no rich.
    from rich.console import Console  # noqa: PLC0415

    from .live_progress import LiveProgress  # noqa: PLC0415

    return LiveProgress(variant, Console())
