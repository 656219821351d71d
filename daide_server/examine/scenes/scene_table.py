"""All scenes, in the order of the report."""

from collections.abc import Mapping
from typing import Final

from daide_server.examine.bot_scene import BotScene

from .frame_scenes import FRAMES
from .joining_scenes import JOINING
from .turn_scenes import TURNS

SCENES: Final[Mapping[str, BotScene]] = {
    each.name: each for each in (*JOINING, *FRAMES, *TURNS)
}
"""By their names."""
JOINS: Final = SCENES["joins"]
