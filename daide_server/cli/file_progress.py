"""A bar on standard error, if that is a terminal and the files are many."""

import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final

FEW_FILES: Final = 3
"""Up to this number of files, no bar is shown."""
BAR_SECONDS: Final = 0.1


def with_progress(names: Sequence[str]) -> Iterator[str]:
    """Yield *names*; the bar shows how many were yielded."""
    if len(names) <= FEW_FILES or not sys.stderr.isatty():
        yield from names
        return
    # Imported here, because the help needs no bar.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    # No thread refreshes it: processes are started meanwhile, which inherit its locks.
    bar = Progress(
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task, shown = bar.add_task("files", total=len(names)), 0.0
        for name in names:
            is_due = monotonic() - shown >= BAR_SECONDS
            shown = monotonic() if is_due else shown
            yield name
            bar.update(task, advance=1, refresh=is_due)
