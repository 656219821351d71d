"""The scenes: a module for related groups; `SCENES` lists all."""

from collections.abc import Mapping

from daide_server.examine.scene import BotScene, SceneGroup

# Each module lists its scenes.
from . import conduct, ends, faults, joining, press, turns  # noqa: F401

GROUPS = (
    *("joining", "frames", "turns", "refused orders", "time", "press", "faults"),
    *("conduct", "ends", "resources", "boards", "lines"),
)
"""The groups, in the order of the report."""

SCENES: Mapping[str, BotScene] = {
    each.name: each
    for each in sorted(SceneGroup.listed, key=lambda each: GROUPS.index(each.group))
}
"""All scenes by name, in the order of the report."""
JOINS = SCENES["joins"]
