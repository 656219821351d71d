"""The files of a report, written whole or not at all. All functions block."""

from collections.abc import Callable, Mapping
from os.path import relpath
from pathlib import Path
from typing import Final
from urllib.parse import quote

from daide_server.storage.archive import replace

from .report_facts import ReportFacts
from .report_page import RecordLinks, page
from .report_tables import (
    games_csv,
    powers_csv,
    results_json,
    standings_csv,
    standings_markdown,
)

PAGE: Final = "index.html"

REPORT_FILES: Final[Mapping[str, Callable[[ReportFacts], str]]] = {
    "standings.csv": standings_csv,
    "games.csv": games_csv,
    "powers.csv": powers_csv,
    "results.json": results_json,
    "standings.md": standings_markdown,
}


def write_report(
    found: ReportFacts, folder: Path, *, has_replays: bool = False
) -> Path:
    """Write the report into *folder*; return the path of its page.

    If it *has_replays* in the folder `games` beside it, it links to them, not to logs.
    Earlier files of the same names are replaced. Raises `OSError`, and `ScoringError`
    if a scoring system does not fit the board.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in REPORT_FILES.items():
        replace(folder / name, make(found).encode())
    path = folder / PAGE
    home = found.home.path if found.home and not has_replays else folder
    above = quote(Path(relpath(home, folder)).as_posix())
    links = RecordLinks(found.home, above, has_replays=has_replays)
    replace(path, page(found, tuple(REPORT_FILES), links).encode())
    return path
