"""`daide-server play`: watch bots play a game on a server of their own."""

import sys
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import click
import trio
from attrs import evolve

from daide_server.app.making import begun, resolve_start
from daide_server.app.settings import TABLE, ServerSettings
from daide_server.board.map import Variant
from daide_server.bots.built_in import BOTS
from daide_server.storage.variants import find_variant

from .common.option_types import Number, WholeNumber, pass_option, sandbox_option
from .common.options import gather, given_options, setting_options
from .common.progress import progress_of
from .played_game import BotTable, play_game

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
    help="Run each bot in a process of its own, or all in this one.",
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
def command(  # noqa: PLR0913 - each is an option
    bots: tuple[str, ...] | None,
    pace: float | None,
    *,
    more: tuple[str, ...],
    games: int,
    processes: bool,
    logs: Path | None,
    passed: tuple[str, ...],
    sandbox: str,
    **given: object,
) -> None:
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
    settings = gather(PLAY_SETTINGS, given_options(given))
    variant = find_variant(settings.board.variant)
    settings = resolve_start(settings, variant)
    variant = begun(settings, variant)
    if given["year_limit"] is None:
        year_limit = variant.start.turn.year + DEFAULT_YEARS
        policy = evolve(settings.policy, year_limit=year_limit)
        settings = evolve(settings, policy=policy)
    words = (*(bots or ()), *more)
    if games > 1 or logs is not None or not set(words) <= set(BOTS):
        _refuse_page(settings, pace)
        if given["port"] is not None:
            message = "--port: found one port, expected none: each seat has its own"
            raise click.UsageError(message)
        boxed = {"passed": passed, "sandbox": sandbox}
        _play_programs(settings, words or DEFAULT_BOTS, games, logs, **boxed)
        return
    bots = words or None
    if pace is None:
        pace = 0.0 if settings.web.address is None else WATCHED_PACE
    if pace and processes:
        message = "--pace: bots in processes of their own play as fast as they can"
        raise click.UsageError(message)
    progress = progress_of(variant)
    table = BotTable(_players(bots, variant), processes, pace)
    trio.run(play_game, settings, table, progress)
    progress.conclude()
    sys.exit(0 if progress.ended is not None else 1)


def _refuse_page(settings: ServerSettings, pace: float | None) -> None:
    """End the command if what is for one game of built-in bots was asked for."""
    if settings.web.address is not None or pace is not None:
        message = "--web and --pace are for one game of built-in bots"
        raise click.UsageError(message)


def _play_programs(
    settings: ServerSettings,
    words: Sequence[str],
    games: int,
    logs: Path | None,
    **boxed: Any,  # noqa: ANN401 - how programs are started
) -> None:
    """Play with bots of which some are programs, or several games; end the command."""
    from .play_programs import play_programs, programs_of  # noqa: PLC0415 - rarely used

    variant = find_variant(settings.board.variant)
    words = words if words != DEFAULT_BOTS else _players(None, variant)
    programs = programs_of(words, len(variant.map.powers), **boxed)
    sys.exit(play_programs(settings, variant, programs, games, logs))


def _players(bots: tuple[str, ...] | None, variant: Variant) -> tuple[str, ...]:
    """Return a bot for each power; ends the command if they are too many or few."""
    powers = len(variant.map.powers)
    if bots is None:
        return tuple(islice(cycle(DEFAULT_BOTS), powers))
    if len(bots) != powers:
        message = f"--bots: found {len(bots)} bots, expected {powers}"
        raise click.UsageError(message)
    return bots
