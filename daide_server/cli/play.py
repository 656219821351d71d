"""`daide-server play`: watch bots play a game on a server of their own."""

from pathlib import Path
from typing import Any, Final

import click

from daide_server.app.settings import TABLE

from .common.option_types import Number, WholeNumber, pass_option, sandbox_option
from .common.options import setting_options

DEFAULT_BOTS = ("dumb", "dumb", "dumb", "rand", "rand", "rand", "hold")
"""The bots; repeated until there is one for each power."""
DEFAULT_YEARS = 34
"""Years after the first one at which a game ends, without a year limit."""
PLAY_SETTINGS = TABLE.read(
    {
        "server": {"port": 0, "games": 1},
        # Nobody asks anything after the end.
        "game": {"post_game_seconds": 0.1},
        "log": {"level": "error"},
        # Its bots end with it: nobody would come back.
        "journal": {"durability": "none"},
    },
    "play",
)
"""Settings of the server that differ from those of `serve`."""
WATCHED_PACE: Final = 0.3
"""Seconds between turns while a browser watches."""


class BotList(click.ParamType[tuple[str, ...]]):
    """Bots in words, with commas between them."""

    name = "bots"

    def convert(
        self,
        value: str | tuple[str, ...],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, ...]:
        """Return the words for each bot."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        return tuple(words.strip() for words in value.split(","))


more_option = click.option(
    "--bot",
    "more",
    multiple=True,
    metavar="WORDS",
    help="One bot more, such as '2 x ./mybot -i{host} -p{port}', its command with "
    "placeholders, or 'lines:COMMAND'; can be repeated.",
)


@click.command()
@click.option(
    "--bots",
    type=BotList(),
    metavar="NAME,...",
    help="One bot for each power: dumb, rand, hold, or cmd=COMMAND.  ["
    + ",".join(DEFAULT_BOTS)
    + "]",
)
@more_option
@click.option(
    "--games",
    type=WholeNumber(1, 10_000),
    default=1,
    show_default=True,
    help="Number of games, several side by side, with the result of each in a line.",
)
@click.option(
    "--processes/--tasks",
    default=False,
    help="Run each bot in a process of its own, or all in this one.  [tasks]",
)
@click.option(
    "--pace",
    type=Number(0.0),
    metavar="SECONDS",
    help="What each turn takes at least, so that people can follow.  "
    f"[default: {WATCHED_PACE:g} with --web, else 0]",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder for the logs of each game: what bots printed, their conversations.",
)
@pass_option
@sandbox_option
@setting_options(
    *(
        "variant",
        "start",
        "port",
        "records",
        "year_limit",
        "seats",
        "seed",
        "level",
        "mtl",
        "rtl",
        "btl",
        "web",
    ),
    defaults=TABLE.compose(PLAY_SETTINGS),
    year_limit=f"{DEFAULT_YEARS} years after the first",
)
def command(**options: Any) -> None:  # noqa: ANN401 - what click has read
    """Watch bots play a whole game over TCP, to a solo, a draw or a year.

    The server is one of its own, on a free port of this machine; the bots are
    ordinary clients. The seats are drawn, so the same bots can play many games.
    For a table that can be believed: `daide-server match`.

    Bots may be programs: each is started with a port of its own, {port}, where one
    seat waits for it, and ended with the game. {host} {seed} {name} {power} {game} and
    {folder}, one for its files, are replaced as well. They get all your environment
    variables, or those of --pass. What they print is in the folder of --logs; the last
    lines of one that forfeits are shown. The exit code is 1 if a bot does not take its
    seat.

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

    play(**options)
