"""Arguments and options that the commands of tournaments share."""

import re
from typing import Final

import click

from .option_types import Folder

folder_argument = click.argument("folder", type=Folder(), metavar="FOLDER")
executor_option = click.option(
    "--executor",
    default="",
    metavar="NAME",
    help="Who plays: local or module:function, instead of what the file says.",
)
SECONDS_IN: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Duration(click.ParamType[float]):
    """A time such as 90s, 30m, 2h or 1d, in seconds."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", str(value))
        if found is None:
            self.fail(f"found {value!r}, expected a time such as 90s or 2h", param, ctx)
        return float(found[1]) * SECONDS_IN[found[2]]
