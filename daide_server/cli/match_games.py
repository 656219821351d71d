"""The games of `match`: a tournament of one bot against six, and the verdict."""

import secrets
import tomllib
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from attrs import evolve

from daide_server.library.archive import replace
from daide_server.library.variants import find_variant
from daide_server.server.settings import BoardSettings
from daide_server.tournament import description, pairs
from daide_server.tournament.chance import SEED_BITS
from daide_server.tournament.run import tournament_file, tournament_settings
from daide_server.tournament.run.bot_program import EVERYTHING, TOURNAMENT_FILE
from daide_server.tournament.run.errors import BotWordsError
from daide_server.tournament.run.tournament_state import look_at, refuse
from daide_server.tournament.run.tournament_texts import match_file, named_bots

from .common.failures import FAILED, INTERRUPTED
from .common.printing import print_line
from .tournament_plan import print_detection
from .tournament_play import run_tournament

OTHER_IS_BETTER = 3
NOT_APART = 4


def play_match(  # noqa: PLR0913 - each is an option
    *,
    bots: tuple[str, ...],
    paired: tuple[str, str] | None,
    against: str,
    folder: Path | None,
    stop_when: str | None,
    detect: float | None,
    power: float,
    as_json: bool,
    quiet: bool,
    **others: Any,  # noqa: ANN401 - what click has read
) -> None:
    """Play the match, print the verdict, and end the command."""
    bots = bots or (paired or ())[::-1]
    folder = folder or _free_folder()
    path = folder / TOURNAMENT_FILE
    try:
        entrants = named_bots((*bots, against))
    except BotWordsError as error:
        raise click.UsageError(f"bot: {error}") from error
    opponent = entrants[-1].name if len(bots) > 1 else ""
    before = tournament_file.read_tournament(path) if path.exists() else None
    seed = before.settings.names.seed if before else others["seed"]
    stop = description.StopRule(separated=2 if stop_when else None)
    settings = evolve(_settings(folder.name, seed, opponent, others), stop=stop)
    text = match_file(settings, entrants)
    after = tournament_file.tournament_from(tomllib.loads(text), path).description()
    if before is not None:
        refuse(path, before.description(), after)
    if detect is not None:
        _print_detection(path, text, detect, power)
        return
    folder.mkdir(parents=True, exist_ok=True)
    replace(path, text.encode())
    code = run_tournament(folder, as_json=as_json, quiet=quiet)
    if opponent and not as_json:
        _print_differences(folder)
    raise SystemExit(code if stop_when is None else _verdict_code(folder, code))


def _settings(
    name: str, seed: int | None, opponent: str, given: Mapping[str, Any]
) -> tournament_settings.TournamentSettings:
    """Return the settings of a match; its seed is drawn if there is none."""
    usual, here = tournament_settings.TOURNAMENT_DEFAULTS, Path.cwd()
    name_of_board = tournament_file.board_name(here, given["variant"])
    board = BoardSettings(variant=name_of_board, start=given["start"] or None)
    board, _ = tournament_file.with_position(here, board, find_variant(name_of_board))
    policy = usual.policy
    if given["year_limit"] is not None:
        policy = evolve(policy, year_limit=given["year_limit"])
    return evolve(
        usual,
        board=board,
        names=tournament_settings.NameSettings(
            name=name, seed=secrets.randbelow(1 << SEED_BITS) if seed is None else seed
        ),
        design=tournament_settings.DesignSettings(
            kind="one-against-six",
            games=given["games"],
            at_once=given["at_once"],
            opponent=opponent,
        ),
        policy=policy,
        options=evolve(usual.options, movement_limit=given["mtl"] or None),
        run=tournament_settings.RunSettings(
            pass_variables=given["passed"] or (EVERYTHING,), sandbox=given["sandbox"]
        ),
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
        found = pairs.paired_difference(state.ledger, (0, number))
        if found is not None:
            print_line(f"{first.name} less {other.name}: {_difference_text(found)}")
    state.close()


def _difference_text(found: pairs.PairedDifference) -> str:
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


def _free_folder() -> Path:
    """Return the first of match-1, match-2, ... that does not exist."""
    folders = (Path(f"match-{number}") for number in count(1))
    return next(folder for folder in folders if not folder.exists())


def _verdict_code(folder: Path, code: int) -> int:
    """Return the exit code of the verdict; *code* is that of the run."""
    if code in {FAILED, INTERRUPTED}:
        return code
    verdict = look_at(folder).watch.verdict
    if verdict is None:
        print_line("not told apart")
        return NOT_APART
    return 0 if verdict.order[0] == 0 else OTHER_IS_BETTER
