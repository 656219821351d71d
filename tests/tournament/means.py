"""Mean scores computed from tables with other programs."""

import csv
import sqlite3
from pathlib import Path


def means_by_sql(path: Path) -> dict[str, float]:
    """Return the mean score of each entrant in the table of powers at *path*."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    database = sqlite3.connect(":memory:")
    columns = ", ".join(f'"{name}"' for name in head)
    database.execute(f"CREATE TABLE powers ({columns})")
    places = ", ".join("?" * len(head))
    database.executemany(f"INSERT INTO powers VALUES ({places})", lines)  # noqa: S608
    found = database.execute(
        "SELECT entrant, avg(mean) FROM (SELECT entrant, avg(score) AS mean "
        "FROM powers WHERE counted = 'True' GROUP BY game, entrant) GROUP BY entrant"
    )
    return dict(found.fetchall())
