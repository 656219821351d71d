"""What a format cannot hold of a record: `docs/records.md` lists just that."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daide_server.library.variants import load_variant
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.formats.registry import FORMATS
from tests.support.data import game

RECORDS = Path(__file__).parents[2] / "docs" / "records.md"
ROW = re.compile(r"\| `(?P<form>[\w-]+)` \| (?P<saved>.*) \| (?P<dipcc>.*) \|")
EMPTY: tuple[object, ...] = ([], {}, None, "")
SAMPLES = {
    "diplomacy": ["selfplay_game_TUR.55.json"],
    "dipcc": ["example_game.json", "game_449062_TURKEY_AFI.json"],
}


def canonical(value: object) -> object:
    """Return *value* without empty entries, and with lists in order."""
    if isinstance(value, dict):
        found = {key: canonical(each) for key, each in sorted(value.items())}
        return {key: each for key, each in found.items() if each not in EMPTY}
    if isinstance(value, list):
        return sorted(map(canonical, value), key=str)
    return value


def parts(file: dict[str, Any]) -> Iterator[tuple[tuple[str, object], object]]:
    """Yield each value with its key, and where it is."""
    yield from (((key, ""), each) for key, each in file.items() if key != "phases")
    for phase in file["phases"]:
        name = phase["name"]
        for key, value in phase.items():
            if key == "state":
                yield from (((f"state.{at}", name), x) for at, x in value.items())
            elif key == "messages":
                for number, message in enumerate(value):
                    for at, x in message.items():
                        yield (f"messages.{at}", (name, number)), _stamp(at, x)
            else:
                yield (key, name), value


def _stamp(key: str, value: object) -> object:
    """Return *value*, in centiseconds if it is one of Cicero's stamps."""
    if key != "time_sent" or not isinstance(value, int):
        return value
    return value // 100 if value > 10**13 else value


def lost(form: str, program: str) -> set[str]:
    """Return the keys of *program*'s samples that are not the same after *form*."""
    found: set[str] = set()
    for name in SAMPLES[program]:
        content = game(name)
        before = dict(parts(json.loads(content)))
        record = DIPCC.read(content, load_variant)
        again = FORMATS[form].read(FORMATS[form].write(record), load_variant)
        after = dict(parts(json.loads(FORMATS[program].write(again))))
        found |= {
            key
            for (key, place), value in before.items()
            if (wanted := canonical(value)) not in EMPTY
            and not _holds(wanted, canonical(after.get((key, place))))
        }
    return found


def _holds(wanted: object, found: object) -> bool:
    """Return whether *found* is what is *wanted*; metadata may have more."""
    if isinstance(wanted, dict) and isinstance(found, dict) and "end_reason" in found:
        return wanted.items() <= found.items()
    return wanted == found


def documented(form: str, program: str) -> set[str]:
    """Return the keys that the document says are lost."""
    _, _, text = RECORDS.read_text(encoding="utf-8").partition("| written as |")
    row = next(each for each in ROW.finditer(text) if each["form"] == form)
    return set(
        re.findall(r"`([\w.]+)`", row[{"diplomacy": "saved"}.get(program, program)])
    )


@pytest.mark.parametrize("program", SAMPLES)
@pytest.mark.parametrize("form", FORMATS)
def test_the_document_lists_what_is_lost(form: str, program: str) -> None:
    assert lost(form, program) == documented(form, program)
