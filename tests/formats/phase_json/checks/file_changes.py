"""Files with one fault, and the faults that the checks find in them."""

import json
from collections.abc import Callable
from typing import Any

from daide_server.formats.phase_json.checks import check
from daide_server.storage.variants import load_variant
from tests.formats.phase_json.files import File

Change = Callable[[dict[str, Any]], object]


def faults(file: File) -> list[str]:
    """Return the faults in *file*."""
    return [str(each) for each in check(json.dumps(file).encode(), load_variant)]


def faults_after(file: File, change: Change, phase: int = 0) -> str:
    """Return the faults, a line each, after *change* of one phase."""
    change(file["phases"][phase])
    return "\n".join(faults(file))
