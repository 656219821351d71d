"""Which display of a game fits standard output."""

import sys

from daide_server.board.variant import Variant
from daide_server.server.events import (
    EntryRecorded,
    EventReader,
    RecordStored,
    ServerEvent,
)

from .progress import Progress


def progress_of(variant: Variant) -> Progress:
    """Return what shows a game on standard output, whatever that is."""
    if not sys.stdout.isatty():
        return Progress(variant)
    # Imported here, because a pipe needs no rich.
    from rich.console import Console  # noqa: PLC0415

    from .live_progress import LiveProgress  # noqa: PLC0415

    return LiveProgress(variant, Console())


def shown_by(progress: Progress) -> EventReader:
    """Return a reader of events that shows the only game of a server."""

    def read(event: ServerEvent) -> None:
        match event:
            case EntryRecorded(entry=entry):
                progress.show(entry)
            case RecordStored(path=path):
                progress.record = path
            case _:
                pass

    return read
