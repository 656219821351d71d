"""Files of games, as ours and as another program would have written them."""

import json
from collections.abc import Mapping
from typing import Any

from daide_server.library.variants import load_variant
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from tests.support.boards import Listed, Texts, by_power

File = dict[str, Any]


def phase(
    name: str,
    units: Texts,
    centers: Texts = "FRANCE: PAR; GERMANY: MUN",
    orders: str = "",
    retreats: Mapping[str, Listed] | None = None,
) -> File:
    """Return a phase in which only France and Germany play."""
    tables = {"units": by_power(units), "centers": by_power(centers)}
    state = {"name": name, **tables, "retreats": retreats or {}}
    return {"name": name, "state": state, "orders": by_power(orders)}


def reading(file: File) -> GameRecord:
    """Return the record that *file* holds."""
    return DIPCC.read(json.dumps(file), load_variant)


def file_of(record: GameRecord, form: str = "dipcc") -> File:
    """Return *record* as a file."""
    loaded: File = json.loads(FORMATS[form].write(record))
    return loaded


def foreign(file: File) -> File:
    """Return *file* as another program would have written it."""
    if isinstance(file, dict):
        return {key: foreign(each) for key, each in file.items() if key != "daide"}
    return [foreign(each) for each in file] if isinstance(file, list) else file
