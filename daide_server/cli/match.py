"""`daide-server match`: one line from two bots to a result."""

import secrets
import sys
import tomllib
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from attrs import evolve

from daide_server.app.service_settings import BoardSettings
from daide_server.running.bot_program import EVERYTHING, TOURNAMENT_FILE
from daide_server.running.errors import BotWordsError, RefusedChangeError
from daide_server.running.tournament_file import (
    board_name,
    read_tournament,
    tournament_from,
    with_position,
)
from daide_server.running.tournament_settings import (
    TOURNAMENT_DEFAULTS,
    DesignSettings,
    NameSettings,
    RunSettings,
    TournamentSettings,
)
from daide_server.running.tournament_state import look_at
from daide_server.running.tournament_texts import match_file, named_bots
from daide_server.storage.archive import replace
from daide_server.storage.variants import find_variant
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.description import StopRule, TournamentDescription, refusal
from daide_server.tournament.pairs import PairedDifference, paired_difference

from .common.failures import FAILED, INTERRUPTED
from .common.option_types import WholeNumber, pass_option, sandbox_option
from .common.printing import print_line
from .tournament_plan import detect_option, power_option, print_detection
from .tournament_play import RunOptions, run_tournament

OTHER_IS_BETTER: Final = 3
NOT_APART: Final = 4
STOP_APART: Final = "apart"


@click.command("match")
@click.option("--bot", "bots", multiple=True, help="Yours; repeatable.")
@click.option(
    "--paired",
    nargs=2,
    metavar="OLD NEW",
    help="Two versions, in place of --bot: is NEW better, and by how much?",
)
@click.option(
    "--against", default="dumb", show_default=True, help="Who has the other seats."
)
@click.option(
    "--games",
    type=WholeNumber(1),
    default=42,
    show_default=True,
    help="How many, rounded up so that each bot has each power as often.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where it is kept and resumed.  [default: match-1, match-2, ...]",
)
@click.option(
    "--year-limit",
    type=WholeNumber(1),
    help="The last year of the games.  [default: the tenth]",
)
@click.option("--start", metavar="FILE:PHASE", help="Where every game begins.")
@click.option("--variant", default="standard", show_default=True, help="The board.")
@click.option(
    "--mtl",
    type=WholeNumber(0),
    default=0,
    show_default=True,
    help="Seconds for a turn; 0: no deadline.",
)
@click.option(
    "--at-once",
    type=WholeNumber(0),
    default=0,
    show_default=True,
    help="Games side by side; 0: as many as there are cores.",
)
@click.option(
    "--seed",
    type=WholeNumber(0, (1 << SEED_BITS) - 1),
    help="Its seed.  [default: random]",
)
@click.option(
    "--stop-when",
    type=click.Choice([STOP_APART]),
    help="Stop when it is clear who is better; the exit code says who.",
)
@pass_option
@sandbox_option
@detect_option
@power_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@click.option("--quiet", is_flag=True, help="Print nothing but the table at the end.")
def command(
    bots: tuple[str, ...],
    against: str,
    folder: Path | None,
    stop_when: str | None,
    **options: Any,  # noqa: ANN401 - what click has read
) -> None:
    """Play bots against another one, and say who is better.

    A bot is a built-in name, or a command in one argument, in which {host} {port}
    {seed} {name} {power} are filled in; "lines:" before it if it speaks JSON lines.
    Each --bot plays every power as often, alone against six copies of the other, and
    all have the same seats and seeds, so that their differences say more. Bots get all
    your environment variables, or with --pass these and PATH, HOME, LANG. The folder is
    a tournament: `daide-server tournament` works with it. With --start each game begins
    at a phase of a record or of a file of positions; the folder keeps it. With --detect
    nothing is played but one game, to time it.

    \b
    With --stop-when apart the exit code is 0 if the first --bot, or NEW, is better, 3
    if it is not the best, 4 if they could not be told apart. Else it is 0 when all
    games are played. Always 1 for a failure and 130 for Ctrl-C.

    \b
    Examples:
      daide-server match --bot "./mybot -i{host} -p{port}" --against dumb --games 42
      daide-server match --bot "./new -p{port}" --against "./old -p{port}" \\
          --games 420 --stop-when apart --folder new-old
      daide-server match --bot "./new -p{port}" --start game.json:F1905M
    """
    versions: tuple[str, ...] = options["paired"] or ()
    if bool(bots) == bool(versions):
        message = f"found {'both' if bots else 'none'} of --bot and --paired"
        raise click.UsageError(message)
    bots = bots or versions[::-1]
    folder = folder or _free_folder()
    path = folder / TOURNAMENT_FILE
    try:
        entrants = named_bots((*bots, against))
    except BotWordsError as error:
        message = f"bot: {error}"
        raise click.UsageError(message) from error
    opponent = entrants[-1].name if len(bots) > 1 else ""
    settings = _settings(path, folder, stop_when, options, opponent)
    text = match_file(settings, entrants)
    _check_same(path, tournament_from(tomllib.loads(text), path).description())
    if options["detect"] is not None:
        _print_detection(path, text, options["detect"], options["power"])
        return
    folder.mkdir(parents=True, exist_ok=True)
    replace(path, text.encode())
    chosen = RunOptions(as_json=bool(options["as_json"]), quiet=bool(options["quiet"]))
    code = run_tournament(folder, chosen)
    if opponent and not options["as_json"]:
        _print_differences(folder)
    sys.exit(code if stop_when is None else _verdict_code(folder, code))


def _settings(
    path: Path,
    folder: Path,
    stop_when: str | None,
    options: Mapping[str, Any],
    opponent: str,
) -> TournamentSettings:
    """Return the settings of the match; its seed stays when it is resumed."""
    usual = TOURNAMENT_DEFAULTS
    if path.exists():
        seed = read_tournament(path).settings.names.seed
    else:
        seed = options["seed"]
        seed = secrets.randbelow(1 << SEED_BITS) if seed is None else seed
    design = DesignSettings(
        kind="one-against-six",
        games=options["games"],
        at_once=options["at_once"],
        opponent=opponent,
    )
    policy = usual.policy
    if options["year_limit"] is not None:
        policy = evolve(policy, year_limit=options["year_limit"])
    here = Path.cwd()
    board = BoardSettings(
        variant=board_name(here, options["variant"]), start=options["start"] or None
    )
    board, _ = with_position(here, board, find_variant(board.variant))
    return evolve(
        usual,
        board=board,
        names=NameSettings(name=folder.name, seed=seed),
        design=design,
        policy=policy,
        options=evolve(usual.options, movement_limit=options["mtl"] or None),
        run=RunSettings(
            pass_variables=options["passed"] or (EVERYTHING,),
            sandbox=options["sandbox"],
        ),
        stop=StopRule(separated=2 if stop_when else None),
    )


def _print_detection(path: Path, text: str, detect: float, power: float) -> None:
    """Print how many games of the match *text* find a difference of *detect*."""
    with TemporaryDirectory() as name:
        folder = path.parent
        if not path.exists():
            folder = Path(name)
            (folder / TOURNAMENT_FILE).write_text(text, "utf-8")
        state = look_at(folder)
        print_detection(state, detect, power, is_timed=True)
        state.close()


def _print_differences(folder: Path) -> None:
    """Print how the first bot did against each other one that stands alone."""
    state = look_at(folder)
    first, *others = state.plan.description.bots[:-1]
    for number, other in enumerate(others, start=1):
        found = paired_difference(state.ledger, (0, number))
        if found is not None:
            print_line(f"{first.name} less {other.name}: {_difference_text(found)}")
    state.close()


def _difference_text(found: PairedDifference) -> str:
    welch = ""
    if found.welch is not None:
        low, high = found.welch.low, found.welch.high
        welch = f", unpaired (Welch) {low:+.3f} to {high:+.3f}"
    saved = f"; the pairs saved about {found.saved} games of each"
    return (
        f"{found.mean:+.3f} in {found.games} pairs of games, at any time 95 % "
        f"{found.any_time.low:+.3f} to {found.any_time.high:+.3f}{welch}"
        f"{saved if found.saved > 0 else ''}"
    )


def _check_same(path: Path, after: TournamentDescription) -> None:
    """Refuse to resume in a folder with the games of another match."""
    if not path.exists():
        return
    before = read_tournament(path).description()
    reason = refusal(before, after)
    if reason is not None:
        message = f"{path}: {reason}"
        raise RefusedChangeError(message)


def _free_folder() -> Path:
    """Return the first of match-1, match-2, ... that does not exist."""
    folders = (Path(f"match-{number}") for number in count(1))
    return next(folder for folder in folders if not folder.exists())


def _verdict_code(folder: Path, code: int) -> int:
    """Return the exit code that says who is better; *code* is that of the run."""
    if code in {FAILED, INTERRUPTED}:
        return code
    verdict = look_at(folder).watch.verdict
    if verdict is None:
        print_line("not told apart")
        return NOT_APART
    return 0 if verdict.order[0] == 0 else OTHER_IS_BETTER
