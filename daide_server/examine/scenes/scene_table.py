"""All scenes, in the order of the report."""

from collections.abc import Mapping
from typing import Final

from daide_server.examine.bot_scene import BotScene

from .conduct_scenes import CONDUCT_SCENES
from .end_scenes import END_SCENES, NOTE_SCENES
from .fault_scenes import FAULT_SCENES
from .frame_scenes import FRAME_SCENES
from .joining_scenes import JOINING_SCENES
from .press_scenes import PRESS_SCENES
from .resource_scenes import BOARD_SCENES, LINE_SCENES, RESOURCE_SCENES
from .time_scenes import TIME_SCENES
from .turn_scenes import TURN_SCENES

SCENES: Final[Mapping[str, BotScene]] = {
    each.name: each
    for each in (
        *JOINING_SCENES,
        *FRAME_SCENES,
        *TURN_SCENES,
        *NOTE_SCENES,
        *TIME_SCENES,
        *PRESS_SCENES,
        *FAULT_SCENES,
        *CONDUCT_SCENES,
        *END_SCENES,
        *RESOURCE_SCENES,
        *BOARD_SCENES,
        *LINE_SCENES,
    )
}
"""By their names."""
JOINS: Final = SCENES["joins"]
