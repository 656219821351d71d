"""`daide-server tournament`: plan, play and evaluate many games between bots."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any, ClassVar

import click

from daide_server.server.settings import TABLE
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.run.errors import RunningError

from . import ListedCommands
from .common import option_types
from .common.options import setting_options
from .common.printing import print_line, printable

COMMANDS: Mapping[str, tuple[str, str]] = {
    "new": ("tournament.new", "Write a folder with an annotated tournament.toml."),
    "plan": ("tournament_plan", "Show the games that will be played, and balance."),
    "check": ("tournament_check", "Start each bot once, and say what is wrong."),
    "run": ("tournament.run", "Play; the same command resumes."),
    "status": ("tournament_report.status", "Print the table, also while a run plays."),
    "report": ("tournament_report", "Write the report for people and programs."),
    "compare": ("tournament_report.compare", "Compare the bots of two tournaments."),
    "publish": ("tournament_report.publish_site", "Write a static site with replays."),
    "again": ("tournament_check.again", "Play one game once more, and compare."),
    "add": ("tournament.add", "Add a bot to a ladder."),
    "remove": ("tournament.remove", "Take a bot out of a ladder."),
}
"""The module of each command, and the name there if it is another; its help."""


class TournamentCommands(ListedCommands):
    """The commands of the table above."""

    listed: ClassVar = {
        "Commands": {name: text for name, (_, text) in COMMANDS.items()}
    }
    places: ClassVar = {name: place for name, (place, _) in COMMANDS.items()}


@click.group("tournament", cls=TournamentCommands)
def command() -> None:
    """Let bots play many games, balanced and repeatable, and say who is better.

    A tournament is a folder: its tournament.toml says what is played, and results.db
    and games/ have the results. A run that is killed can be resumed.

    \b
    Try this:
      daide-server tournament new cup
      daide-server tournament run cup
    """


@click.command("run")
@option_types.folder_argument
@option_types.executor_option
@click.option(
    "--for",
    "seconds",
    type=option_types.duration,
    metavar="TIME",
    help="End after 90s, 30m, 2h.",
)
@setting_options("web", defaults=TABLE.compose())
@click.option("--quiet", is_flag=True, help="Print only the table at the end.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON lines; the last is the status."
)
def run(folder: Path, **options: Any) -> None:  # noqa: ANN401 - what click has read
    """Play the remaining games of a tournament; run it again to resume.

    Ctrl-C waits for the games in progress; a second Ctrl-C aborts them. Stored games
    are never lost or counted twice. With --web, the table and the games on this machine
    can be watched in a browser; `daide-server watch FOLDER` shows them afterwards.

    The exit code is 0 when the plan is complete, [stop] is met or the time of --for is
    over, 1 if games are unplayed after their retries, and 130 after Ctrl-C.
    """
    from .tournament_play import run_tournament  # noqa: PLC0415 - not for the help

    raise SystemExit(run_tournament(folder, **options))


@click.command("new")
@option_types.folder_argument
@click.option(
    "--seed",
    type=option_types.WholeNumber(0, (1 << SEED_BITS) - 1),
    help="The seed of the tournament.",
)
def new(folder: Path, seed: int | None) -> None:
    """Write a folder with an annotated tournament.toml.

    It can be run unchanged: 42 games of built-in bots, in at most a minute.
    """
    # Slow to import, and not for the help.
    from daide_server.library.archive import replace  # noqa: PLC0415
    from daide_server.tournament.run.bot_program import TOURNAMENT_FILE  # noqa: PLC0415
    from daide_server.tournament.run.tournament_texts import new_file  # noqa: PLC0415

    path = folder / TOURNAMENT_FILE
    if path.exists():
        raise RunningError(f"{path}: found a tournament, expected none")
    seed = secrets.randbelow(1 << SEED_BITS) if seed is None else seed
    name = folder.resolve().name or "cup"
    # A name that begins with a dash would be read as an option.
    quoted = quote(f"./{folder}" if str(folder).startswith("-") else str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    replace(path, new_file(name, seed, printable(quoted)).encode())
    print_line(f"{path}: written")
    print_line(f"next: daide-server tournament run {quoted}")


@click.command("add")
@option_types.folder_argument
@click.argument("bot", type=option_types.Utf8Text())
@click.option(
    "--name",
    type=option_types.Utf8Text(),
    default="",
    show_default=False,
    help="The name of the bot in the table.",
)
def add(folder: Path, bot: str, name: str) -> None:
    """Add BOT to a ladder: a built-in name, or a command in one argument.

    A run that is going on takes it from its next game on.
    """
    from daide_server.tournament.run.tournament_texts import add_bot  # noqa: PLC0415 - slow

    added = add_bot(folder, bot, name)
    print_line(f"{folder}: {added} plays from the next game on")


@click.command("remove")
@option_types.folder_argument
@click.argument("bot")
def remove(folder: Path, bot: str) -> None:
    """Take BOT, a name of the table, out of a ladder; its games still count."""
    from daide_server.tournament.run.tournament_texts import retire_bot  # noqa: PLC0415 - slow

    retire_bot(folder, bot)
    print_line(f"{folder}: {bot} plays no more games")
