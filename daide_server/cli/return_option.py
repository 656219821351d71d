"""The option that says how long a bot of ours goes on trying to reach its server."""

from typing import Final

import click

from daide_server.bots.retries import RETRIES

from .option_types import Number

return_seconds_option: Final = click.option(
    "--return-seconds",
    metavar="SECONDS",
    type=Number(min=0),
    default=RETRIES.return_seconds,
    show_default=True,
    help="How long to go on trying when the connection is lost, or when there is no "
    "server yet; 0: give up.",
)
