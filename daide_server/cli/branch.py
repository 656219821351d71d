"""`daide-server branch`: play many games that begin at one phase."""

from typing import Any

import click

from daide_server.scoring.systems import SYSTEMS
from daide_server.server.settings import TABLE
from daide_server.tournament.run.tournament_settings import YEARS

from .common import option_types
from .common.options import BRANCH_SETTINGS, setting_options


@click.command("branch")
@click.argument("start", metavar="RECORD:PHASE")
@click.option(
    "--games",
    type=option_types.WholeNumber(1, 1_000_000),
    default=20,
    help="Number of games to play.",
)
@click.option(
    "--bots",
    type=option_types.bot_list,
    metavar="NAME,...",
    help="A bot for each power, in the order of the powers, as in `play`.  [all dumb]",
)
@option_types.more_option
@option_types.pass_option
@option_types.sandbox_option
@click.option(
    "--system",
    type=click.Choice(list(SYSTEMS)),
    metavar="NAME",
    default="sum_of_squares",
    help="The scoring system.",
)
@click.option(
    "--keep",
    type=option_types.Folder(),
    metavar="FOLDER",
    help="Keep the records of the games in a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@setting_options(
    *("variant", "year_limit", "seed"),
    defaults=TABLE.compose(BRANCH_SETTINGS),
    year_limit=f"{YEARS} years after the start",
    seed="0",
)
def command(**options: Any) -> None:  # noqa: ANN401 - what click has read
    """Play games from one phase to their ends; print how they ended.

    The position is that of a record in any format, or of a file of positions, in any
    phase. The table summarises all games: for the centres at the end the mean, the
    median, and the 5th and 95th percentiles; the mean score; the number of games in
    which a power won alone, drew by vote, shared the end at the year limit, or was
    eliminated.

    The exit code is 1 if a bot has forfeited.

    \b
    Examples:
      daide-server branch records/game.json:F1905M
      daide-server branch game.json:S1910M --games 200 --year-limit 1920
      daide-server branch game.json:S1905M --bot "lines:./mybot" --bot "6 x dumb"
    """
    from .branch_games import branch  # noqa: PLC0415 - the help needs no game

    branch(**options)
