"""Reads and checks `tournament.toml`; converts it to a description and programs.

The board and the start of games may be files beside it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from msgspec.structs import replace

from daide_server.board.map import Variant, VariantError
from daide_server.library.texts import read_toml
from daide_server.library.variants import find_variant
from daide_server.server.settings import TABLE, BoardSettings
from daide_server.settings.table import SettingsError
from daide_server.tournament.description import (
    DescriptionError,
    DesignChoice,
    Entrant,
    TournamentDescription,
)

from . import tournament_settings
from .bot_program import program_digest, with_hidden
from .bot_settings import AS_RUN, BUILT_IN, BotSettings, bot_name


def board_name(folder: Path, name: str) -> str:
    """Return the board called *name* as a name that works in any folder."""
    path = folder / name
    return str(path) if path.is_file() else name


def with_position(
    folder: Path, board: BoardSettings, variant: Variant
) -> tuple[BoardSettings, int]:
    """Return *board* with the position itself, and the year of the position.

    Workers then need no file, a change of the file is noticed, and the location of the
    folder does not matter. Raises `StartError`.
    """
    text = board.start
    if text is None:
        return board, variant.start.turn.year
    # Imported late: most tournaments begin at the start of the board.
    from daide_server.server.making import start_of  # noqa: PLC0415
    from daide_server.server.settings import DEFAULTS  # noqa: PLC0415

    file, _, phase = text.rpartition(":")
    path = folder / file
    is_file = not text.startswith("{") and path.is_file()
    found = f"{path}:{phase}" if is_file else text
    start = start_of(evolve(DEFAULTS, board=evolve(board, start=found)), variant)
    assert start is not None
    if found != text:
        start = replace(start, source=text)
    return evolve(board, start=start.as_line(variant)), start.position.turn.year


GAME_PARTS = ("board", "policy", "options")
"""The components of the server's settings that concern a game."""
OTHER_LIMITS = ("start_seconds", "retries", "bench_after")
"""Keys of `[trouble]` that decide nothing in a game, or are fields of a description."""


@frozen
class TournamentFile:
    """The content of a file. `folder` is its location, also for paths of bots."""

    folder: Path
    settings: tournament_settings.TournamentSettings
    bots: tuple[BotSettings, ...]
    variant: Variant

    def description(self) -> TournamentDescription:
        """Return the description for plan and verdicts; raises `SettingsError`."""
        settings = self.settings
        return TournamentDescription(
            name=settings.names.name,
            seed=settings.names.seed,
            powers=self.variant.map.powers,
            bots=tuple(
                Entrant(bot.name, _identity(bot), bot.anchor) for bot in self.bots
            ),
            design=self._design(),
            rank_by=settings.scoring.rank_by,
            also=settings.scoring.also,
            forfeit_score=settings.scoring.forfeit_score,
            stop=settings.stop,
            retries=settings.limits.retries,
            bench_after=settings.limits.bench_after,
            terms=dict(_terms(settings)),
        )

    @property
    def retired(self) -> tuple[int, ...]:
        """The numbers of the bots that were retired from a ladder."""
        return tuple(at for at, bot in enumerate(self.bots) if bot.retired)

    def programs(self) -> tuple[BotSettings, ...]:
        """Return how each bot is started."""
        run = self.settings.run
        found = tuple(_program(bot, self.folder, run) for bot in self.bots)
        return with_hidden(found, self.folder)

    def executables(self) -> Mapping[str, str]:
        """Return the digest of each bot whose program is a local file, by name."""
        found = {each.name: program_digest(each) for each in self.programs()}
        return {name: digest for name, digest in found.items() if digest is not None}

    def game_settings(self) -> Mapping[str, Mapping[str, object]]:
        """Return the server's settings that differ from its defaults."""
        found: dict[str, dict[str, object]] = {}
        board = self.settings.board
        board = evolve(board, variant=board_name(self.folder, board.variant))
        settings = evolve(self.settings, board=board)
        for row in TABLE.rows:
            is_of_game = row.component.field in GAME_PARTS
            value = row.value_in(settings) if is_of_game else row.default
            if value != row.default:
                found.setdefault(row.component.section, {})[row.key] = row.written(
                    value
                )
        return found

    def _design(self) -> DesignChoice:
        choice = self.settings.design
        names = [bot.name for bot in self.bots]
        opponent = [choice.opponent] if choice.opponent else []
        for key, listed in (("seats", choice.seats), ("opponent", opponent)):
            unknown = [name for name in listed if name not in names]
            if unknown:
                expected = f"expected some of {', '.join(names)}"
                raise SettingsError(f"[design] {key}: found {unknown[0]!r}, {expected}")
        return DesignChoice(
            kind=choice.kind,
            games=choice.games,
            goal=choice.goal,
            both_ways=choice.both_ways,
            seats=tuple(map(names.index, choice.seats)),
            opponent=names.index(choice.opponent) if choice.opponent else None,
        )


@contextmanager
def described_in(path: Path) -> Iterator[None]:
    """Prefix errors about the described tournament with the file *path*."""
    try:
        yield
    except (SettingsError, DescriptionError) as error:
        raise type(error)(f"{path}: {error}") from error


def read_tournament(path: Path) -> TournamentFile:
    """Return the content of a file; raises `SettingsError` and `StartError`."""
    return tournament_from(read_toml(path, SettingsError), path)


def tournament_from(found: Mapping[str, Any], path: Path) -> TournamentFile:
    """Return the tournament in *found*, the content of *path*."""
    rest = {name: each for name, each in found.items() if name != "bot"}
    problems: list[str] = []
    settings, is_limited = tournament_settings.TOURNAMENT_DEFAULTS, False
    run = rest.get("run")
    if isinstance(run, dict) and run.get("store"):
        expected = f"expected none: {tournament_settings.STORE_IS_GONE}"
        problems.append(f"{path}: [run] store: found a database, {expected}")
    try:
        layer = tournament_settings.TOURNAMENT_TABLE.read(rest, str(path))
        settings = tournament_settings.TOURNAMENT_TABLE.compose(layer, base=settings)
        is_limited = any(row.key == "year_limit" for row in layer)
    except SettingsError as error:
        problems.append(str(error))
    bots = tuple(_bots(found.get("bot", []), path, problems))
    if problems:
        raise SettingsError("\n".join(problems))
    folder = path.parent.resolve()
    try:
        variant = find_variant(board_name(folder, settings.board.variant))
    except VariantError as error:
        raise SettingsError(f"{path}: [game] variant: {error}") from error
    board, first_year = with_position(folder, settings.board, variant)
    settings = evolve(settings, board=board)
    limit = settings.policy.year_limit
    if limit is not None and limit < first_year:
        expected = f"expected 0, or {first_year} or more"
        raise SettingsError(f"{path}: [game] year_limit: found {limit}, {expected}")
    if not is_limited:
        limit = first_year + tournament_settings.USUAL_YEARS - 1
        settings = evolve(settings, policy=evolve(settings.policy, year_limit=limit))
    return TournamentFile(folder, settings, bots, variant)


def _bots(found: object, path: Path, problems: list[str]) -> Iterator[BotSettings]:
    """Yield each valid bot; add the faults of others to *problems*."""
    if not isinstance(found, list):
        problems.append(f"{path}: bot: found one section, expected [[bot]] for each")
        return
    for number, content in enumerate(found, start=1):
        place = f"{path}: bot {number}"
        try:
            layer = tournament_settings.BOT_TABLE.read({"bot": content}, place)
        except SettingsError as error:
            problems.append(str(error))
            continue
        bot = tournament_settings.BOT_TABLE.compose(layer).bot
        if not any(row.key == "name" for row in layer):
            name = bot.builtin or (bot_name(bot.command) if bot.command else "bot")
            bot = evolve(bot, name=name)
        problem = bot_problem(bot)
        if problem is None:
            yield bot
        else:
            problems.append(f"{place}: {problem}")


def bot_problem(bot: BotSettings) -> str | None:
    """Return what is wrong with the program of *bot*, or `None`."""
    if bool(bot.builtin) == bool(bot.command):
        count = "both" if bot.builtin else "none"
        return f"found {count} of builtin and command, expected one"
    if bot.builtin and bot.builtin not in BUILT_IN:
        return f"builtin: found {bot.builtin!r}, expected one of {', '.join(BUILT_IN)}"
    return None


def _terms(given: tournament_settings.TournamentSettings) -> Iterator[tuple[str, str]]:
    """Yield the settings that change how games are played and are not defaults."""
    for row in tournament_settings.TOURNAMENT_TABLE.rows:
        decides = row.component.field in (*GAME_PARTS, "limits")
        value = row.value_in(given)
        if decides and row.key not in OTHER_LIMITS and value != row.default:
            yield row.path, str(row.written(value))


def _identity(bot: BotSettings) -> dict[str, str]:
    """Return the settings that affect how *bot* plays, without values of variables."""
    usual, found = BotSettings(), {}
    for key, field in IDENTITY.items():
        value = getattr(bot, field)
        if value != getattr(usual, field):
            words = sorted(dict(value)) if key == "environment" else value
            is_text = isinstance(words, str | int)
            found[key] = str(words) if is_text else " ".join(words)
    return found


IDENTITY: Mapping[str, str] = {
    **{each: each for each in ("builtin", "command", "speaks", "folder")},
    **{each: each for each in ("environment", "wrapper", "memory", "disk")},
    "pass": "pass_variables",
}
"""The fields of a bot by their keys in stored descriptions."""


def _program(
    bot: BotSettings, folder: Path, run: tournament_settings.RunSettings
) -> BotSettings:
    """Return how *bot* is started."""
    return evolve(
        bot,
        folder=str(folder / bot.folder),
        pass_variables=(*run.pass_variables, *bot.pass_variables),
        sandbox=run.sandbox if bot.sandbox == AS_RUN else bot.sandbox,
        hide=run.hide,
    )
