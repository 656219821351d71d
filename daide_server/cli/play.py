"""`daide-server play`: watch bots play a game on a private server."""

from pathlib import Path
from typing import Any

import click

from daide_server.server.settings import TABLE
from daide_server.tournament.run.bot_settings import BEST_FIRST
from daide_server.tournament.run.tournament_settings import YEARS

from .common import option_types, options


@click.command()
@click.option(
    "--bots",
    type=option_types.bot_list,
    metavar="NAME,...",
    help=f"One bot for each power: {', '.join(BEST_FIRST)}, or cmd=COMMAND.  ["
    + ",".join(options.DEFAULT_BOTS)
    + "]",
)
@option_types.more_option
@click.option(
    "--games",
    type=option_types.WholeNumber(1, 10_000),
    default=1,
    help="Number of games, several at the same time; prints a line for each.",
)
@click.option(
    "--processes/--tasks",
    default=False,
    help="Run each bot in a separate process, or all in this one.",
)
@click.option(
    "--pace",
    type=option_types.Number(0.0),
    metavar="SECONDS",
    help="What each turn takes at least, so that people can follow.  "
    f"[default: {options.WATCHED_PACE:g} with --web, else 0]",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder for the logs of each game: output and conversations of bots.",
)
@option_types.pass_option
@option_types.sandbox_option
@options.setting_options(
    *("variant", "start", "port", "records", "year_limit", "seats", "seed"),
    *("level", "mtl", "rtl", "btl", "web"),
    defaults=TABLE.compose(options.PLAY_SETTINGS),
    year_limit=f"{YEARS} years after the first",
)
def command(**given: Any) -> None:  # noqa: ANN401 - what click has read
    """Watch bots play a whole game over TCP, to a solo, a draw or a year.

    A private server is started on a free port of this machine; the bots are ordinary
    clients. The seats are drawn, so the same bots can play many games. To find out
    which bot is better, use `daide-server match`.

    Bots may be programs: each is started with its own {port}, which leads to one seat,
    and ended with the game. {host} {seed} {name} {power} {game} and {folder}, a folder
    for its files, are replaced as well. Bots get all your environment variables, or
    those of --pass. Their output is in the folder of --logs; the last lines of a bot
    that forfeits are shown. The exit code is 1 if a bot does not take its seat.

    \b
    Examples:
      daide-server play
      daide-server play --bots dumb,dumb,dumb,dumb,dumb,dumb,dumb --year-limit 1920
      daide-server play --seed 7 --processes
      daide-server play --variant fva --bots dumb,rand
      daide-server play --web 127.0.0.1:0
      daide-server play --start records/game.json:F1905M
      daide-server play --bot "./mybot -i{host} -p{port}" --bot "6 x dumb" --games 10
    """
    from .played_game import play  # noqa: PLC0415 - the help needs no game

    play(**given)
