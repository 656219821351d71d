"""`daide-server match`: compare bots with one command."""

from pathlib import Path
from typing import Any

import click

from daide_server.tournament.chance import SEED_BITS

from .common import option_types


@click.command("match")
@click.option("--bot", "bots", multiple=True, help="Your bot; may be repeated.")
@click.option(
    "--paired",
    nargs=2,
    metavar="OLD NEW",
    help="Two versions, instead of --bot: is NEW better, and by how much?",
)
@click.option("--against", default="dumb", help="The bot in the other six seats.")
@click.option(
    "--games",
    type=option_types.WholeNumber(1),
    default=42,
    help="Number of games, rounded up so that each bot has each power equally often.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the match, also to resume it.  [default: match-1, match-2, ...]",
)
@click.option(
    "--year-limit",
    type=option_types.WholeNumber(1),
    help="The last year of the games.  [default: the tenth]",
)
@click.option(
    "--start", metavar="FILE:PHASE", help="The phase at which every game begins."
)
@click.option("--variant", default="standard", help="The board.")
@click.option(
    "--mtl",
    type=option_types.WholeNumber(0),
    default=0,
    help="Seconds for a turn; 0: no deadline.",
)
@click.option(
    "--at-once",
    type=option_types.WholeNumber(0),
    default=0,
    help="Games at the same time; 0: one for each core.",
)
@click.option(
    "--seed",
    type=option_types.WholeNumber(0, (1 << SEED_BITS) - 1),
    help="The seed of the match.  [default: random]",
)
@click.option(
    "--stop-when",
    type=click.Choice(["apart"]),
    help="Stop when it is clear which bot is better; the exit code says which.",
)
@option_types.pass_option
@option_types.sandbox_option
@option_types.detect_option
@option_types.power_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@click.option("--quiet", is_flag=True, help="Print only the table at the end.")
def command(**options: Any) -> None:  # noqa: ANN401 - what click has read
    """Play bots against another one, and say who is better.

    A bot is a built-in name, or a command in one argument, in which {host} {port}
    {seed} {name} {power} are filled in; "lines:" before it if it speaks JSON lines.
    Each --bot plays every power equally often, alone against six copies of the other,
    and all have the same seats and seeds, which makes their differences more precise.
    Bots get all your environment variables, or with --pass these and PATH, HOME, LANG.
    The folder is a tournament: `daide-server tournament` works with it. With --start
    each game begins at a phase of a record or of a file of positions, which is stored
    in the folder. With --detect only one game is played, to measure its duration.

    \b
    With --stop-when apart the exit code is 0 if the first --bot, or NEW, is better, 3
    if it is not the best, 4 if they could not be told apart. Otherwise it is 0 when all
    games are played. It is 1 for a failure and 130 for Ctrl-C.

    \b
    Examples:
      daide-server match --bot "./mybot -i{host} -p{port}" --against dumb --games 42
      daide-server match --bot "./new -p{port}" --against "./old -p{port}" \\
          --games 420 --stop-when apart --folder new-old
      daide-server match --bot "./new -p{port}" --start game.json:F1905M
    """
    if bool(options["bots"]) == bool(options["paired"]):
        message = f"found {'both' if options['bots'] else 'none'} of --bot and --paired"
        raise click.UsageError(message)
    from .match_games import play_match  # noqa: PLC0415 - the help needs no game

    play_match(**options)
