"""Makes games from settings, new or from journals.

Random numbers are drawn here: a seed makes the seats repeatable, but never the
passcodes, which keep strangers out. The options of a game in a journal are untrusted
input: settings that are not options of a game are refused, and the start position must
be in the file itself, not in another file.
"""

import random
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import msgspec
from attrs import evolve

from daide_server import __version__
from daide_server.board.map import Variant, VariantError
from daide_server.daide.tokens import MAX_NUMBER
from daide_server.daide.translation import ClientReader
from daide_server.daide.vocabulary import Vocabulary
from daide_server.errors import ReportedError
from daide_server.game.directory import Directory, GameId
from daide_server.game.events import GameBrokenOff, GameLoaded, GameSaved, Record
from daide_server.game.game import Game
from daide_server.game.journal import board_digest, replay
from daide_server.game.options import SeatAssignment
from daide_server.game.turn_tally import TurnTally
from daide_server.library.game_files import GameStart, find_start
from daide_server.library.journal_file import GameContent, GameHeader, JournalError
from daide_server.library.variants import find_variant
from daide_server.records.entries import RecordEntry, fold
from daide_server.records.formats.errors import FormatError
from daide_server.records.record import GameRecord, RecordError
from daide_server.settings.table import Layer

from .game_host import SeatsUnavailableError
from .game_runner import GameSoFar
from .settings import DEFAULTS, TABLE, ServerSettings

MAX_PASSCODE = MAX_NUMBER
"""The largest number in the protocol, and so the maximum number of games at a time."""
BOARD = "game.variant"
START = "game.start"
START_KEY = "daide_start"
"""The metadata key for the FILE:PHASE at which a game began."""

PasscodeSource = Callable[[int], int]
"""Returns a random number from 0 up to, but not including, its argument."""


class StartError(ReportedError):
    """Games cannot begin at the start in the settings; the message says why."""


class OtherServerError(Exception):
    """A game needs a server with other settings, and is left unchanged."""


# The setting `[game] start`: where games begin


def start_of(settings: ServerSettings, variant: Variant) -> GameStart | None:
    """Return where games on *variant* begin; `None`: at the start of the board.

    Reads the file unless `resolve_start` has read it. Raises `StartError`.
    """
    text = settings.board.start
    if text is None:
        return None
    try:
        start = find_start(text, variant)
    except OSError as error:
        message = f"start: {error.filename or text}: {error.strerror or error}"
        raise StartError(message) from error
    except (FormatError, RecordError, VariantError) as error:
        raise StartError(f"start: {error}") from error
    limit, year = settings.policy.year_limit, start.position.turn.year
    if limit is not None and limit < year:
        raise StartError(f"start: {start.source}: begins after the year limit {limit}")
    return start


def begun(settings: ServerSettings, variant: Variant) -> Variant:
    """Return *variant* with the start position of *settings*; raises `StartError`."""
    start = start_of(settings, variant)
    return variant if start is None else start.begin(variant)


def resolve_start(settings: ServerSettings, variant: Variant) -> ServerSettings:
    """Return *settings* with the start position itself, because its file may change.

    Raises `StartError`.
    """
    start = start_of(settings, variant)
    if start is None:
        return settings
    board = evolve(settings.board, start=start.as_line(variant))
    return evolve(settings, board=board)


# Names, seats and passcodes


def run_name() -> str:
    """Return a unique name for a run that begins now, for its files.

    Two servers may begin in the same second and write to the same folder.
    """
    when = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    return f"{when}-{secrets.token_hex(2)}"


class SeatAssigner:
    """Draws the seats and the passcodes of each new game."""

    def __init__(
        self,
        settings: ServerSettings,
        variant: Variant,
        below: PasscodeSource = secrets.randbelow,
    ) -> None:
        """Draw passcodes with *below*, and seats by the seed of the settings."""
        self._powers: Final = variant.map.powers
        self._shuffled: Final = settings.policy.seats == "random"
        self._chance: Final = random.Random(  # noqa: S311 (a seed repeats the seats)
            settings.chance.seed
        )
        self._below: Final = below

    def draw(self, directory: Directory) -> SeatAssignment:
        """Return seats, and passcodes that no game in *directory* uses.

        Raises `SeatsUnavailableError` if all passcodes of a power are in use.
        """
        passcodes = {
            power: self._passcode(directory.passcodes(power)) for power in self._powers
        }
        powers = list(self._powers)
        if self._shuffled:
            self._chance.shuffle(powers)
        return SeatAssignment(tuple(powers), passcodes)

    def _passcode(self, taken: Collection[int]) -> int:
        if len(taken) >= MAX_PASSCODE:
            message = f"found {len(taken)} games, expected fewer than {MAX_PASSCODE}"
            raise SeatsUnavailableError(message)
        while True:
            passcode = 1 + self._below(MAX_PASSCODE)
            if passcode not in taken:
                return passcode


# Games


GameSetup = tuple[ServerSettings, Variant, ClientReader]
"""What games with the same settings share: the settings, the board with the start
position, and the reader for messages of their clients."""


def _setup_of(settings: ServerSettings, variant: Variant) -> GameSetup:
    """Return the setup that follows from *settings*. Raises `StartError`."""
    reader = ClientReader(
        Vocabulary.of(variant.map),
        variant.map,
        settings.options.level,
        partial_draws=settings.options.partial_draws,
        strict=settings.policy.strict,
    )
    return settings, begun(settings, variant), reader


class GameMaker:
    """Makes the games of one server."""

    def __init__(
        self,
        settings: ServerSettings,
        variant: Variant,
        record: Callable[[GameId], str] = "{:04}".format,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Name the record of a new game with *record*, and add *metadata* to it.

        Raises `StartError`.
        """
        self.settings = settings
        self.variant: Final = variant
        self.draw: Callable[[Directory], SeatAssignment]
        self.draw = SeatAssigner(settings, variant).draw
        """Draws the seats and passcodes of a new game."""
        self._record: Final = record
        seed = settings.chance.seed
        self._metadata: Final = {
            "server": f"daide-server {__version__}",
            "seed": "random" if seed is None else str(seed),
            **(metadata or {}),
        }
        start = start_of(settings, variant)
        if start is not None:
            self._metadata[START_KEY] = start.source
        own = _setup_of(settings, variant)
        _, _, self.reader = own
        """Parses the messages of new games, and of clients that are in no game."""
        self._options: Final = TABLE.saved(settings)
        section, _, key = BOARD.partition(".")
        # The header has the name of the board.
        del self._options[section][key]
        self._digest: Final = board_digest(variant)
        self._setups: Final = {msgspec.json.encode(self._options): own}
        """The setups, by the options with which games were opened."""

    def new_game(self, number: GameId, directory: Directory) -> GameSoFar:
        """Return a new game, with passcodes that no game in *directory* uses.

        Raises `SeatsUnavailableError`.
        """
        seats = self.draw(directory)
        header = GameHeader(
            number=number,
            record=self._record(number),
            opened=time.time(),
            metadata=self._metadata,
            board=self.variant.name,
            board_digest=self._digest,
            options=self._options,
            seats=seats.seats,
            passcodes=seats.passcodes,
        )
        return self.replay(GameContent(header, [], [], 0))

    def replay(self, content: GameContent) -> GameSoFar:
        """Return the game that results from *content*.

        Raises `OtherServerError`, `JournalError`, `SettingsError`, and what `replay`
        raises.
        """
        header, lines = content.header, content.lines
        self._compare_board(header)
        settings, variant, reader = self._setup_for(header)
        seats = SeatAssignment(header.seats, header.passcodes)
        game = Game(variant, settings.options, settings.policy, seats)
        tally = TurnTally(game.state)
        entries = tuple(replay(game, lines, reader, tally))
        seconds = lines[-1].seconds if lines else 0.0
        names = (
            each.entry.name
            for each in reversed(lines)
            if isinstance(each.entry, GameSaved | GameLoaded)
        )
        name = next(names, None)
        return GameSoFar(header, game, reader, tally, entries, seconds, name)

    def _setup_for(self, header: GameHeader) -> GameSetup:
        """Return the setup for games with the options in *header*."""
        key = msgspec.json.encode(header.options)
        if key not in self._setups:
            settings = TABLE.compose(_layer_of(header), base=self.settings)
            found, ours = settings.policy.edition, self.settings.policy.edition
            if found != ours:
                message = f"found edition {found}, this server plays {ours}"
                raise OtherServerError(message)
            self._setups[key] = _setup_of(settings, self.variant)
        return self._setups[key]

    def _compare_board(self, header: GameHeader) -> None:
        variant = self.variant
        if header.board != variant.name:
            message = f"found board {header.board}, this server has {variant.name}"
            raise OtherServerError(message)
        if header.board_digest != self._digest:
            message = f"its board {header.board} is another than that of this server"
            raise OtherServerError(message)
        powers = sorted(variant.map.powers)
        for given in (header.seats, header.passcodes):
            if sorted(given) != powers:
                expected = f"the powers {', '.join(powers)}, each once"
                message = f"found seats of {', '.join(given)}, expected {expected}"
                raise JournalError(message)


def _layer_of(header: GameHeader) -> Layer:
    """Return the options in a header. Raises `JournalError` and `SettingsError`."""
    layer = TABLE.read(header.options, f"line 1 (version {header.version})")
    for row, given in layer.items():
        if not row.component.saved or row.path == BOARD:
            raise JournalError(f"{row.place} is no option of a game")
        if row.path == START and not str(given.value or "{").startswith("{"):
            message = f"{row.place}: found {given.value!r:.100}, expected a position"
            raise JournalError(message)
    return layer


def reason_of(error: Exception) -> str:
    """Return in one line why a game cannot be replayed."""
    return f"{str(error) or type(error).__name__:.500} (version {__version__})"


# A game by itself, for people


def replay_alone(content: GameContent, board: str | None) -> tuple[GameSoFar, Variant]:
    """Return the game of *content* on *board*, or on the board that the file names.

    Raises what `GameMaker.replay` raises, and `VariantError`.
    """
    variant = find_variant(board or content.header.board)
    settings = TABLE.compose(_layer_of(content.header), base=DEFAULTS)
    return GameMaker(settings, variant).replay(content), variant


def record_of(found: GameSoFar, variant: Variant) -> GameRecord:
    """Return the record of a game; a running game counts as aborted.

    Raises `RecordError` if it has not begun.
    """
    last: list[RecordEntry] = []
    if found.game.state.is_running:
        effects = found.game.handle(GameBrokenOff(), found.seconds)
        last = [each.entry for each in effects if isinstance(each, Record)]
    return recorded(found.header, [*found.entries, *last], variant)


def recorded(
    header: GameHeader, entries: Sequence[RecordEntry], variant: Variant
) -> GameRecord:
    """Return the record of a game. Raises `RecordError` if it has not begun."""
    return fold(
        entries,
        variant,
        game=header.record,
        started=header.opened,
        metadata=header.metadata,
    )
