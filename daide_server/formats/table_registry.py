"""The formats of tables by name."""

from collections.abc import Mapping
from typing import Final

from . import tables

TABLE_FORMATS: Final[Mapping[str, tables.TableFormat]] = {
    "csv": tables.CSV,
    "jsonl": tables.JSON_LINES,
    "parquet": tables.PARQUET,
}
