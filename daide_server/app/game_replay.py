"""A game from the lines of its journal, each under the options it was opened with.

The options come from a file: what is no option of a game is refused, and a game begins
at a position that stands in the file, never at one of another file.
"""

from typing import Final

import msgspec

from daide_server import __version__
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.events import GameBrokenOff, GameLoaded, GameSaved, Record
from daide_server.game.journal import board_digest, replay
from daide_server.game.options import SeatAssignment
from daide_server.game.turn_tally import TurnTally
from daide_server.language.translation import ClientReader
from daide_server.lobby.directory import GameId
from daide_server.records.entries import RecordEntry
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord
from daide_server.server.game_runner import ReplayedGame
from daide_server.server.game_setup import GameIdentity, GameSetup, reader_of
from daide_server.settings.table import Layer
from daide_server.storage.journal_file import GameContent, GameHeader, GameOptions
from daide_server.storage.variants import find_variant

from .making import setup
from .settings import DEFAULTS, TABLE, ServerSettings

BOARD: Final = "game.variant"
START: Final = "game.start"


class OtherServerError(Exception):
    """A game is for a server with other settings, and stays as it is."""


class HeaderError(ValueError):
    """The first line of a journal is not what it should be; the message says where."""


@frozen
class _GamePlan:
    """What games with the same options share."""

    setup: GameSetup
    reader: ClientReader


class GameReplayer:
    """Makes games of journals, and the first lines of new ones, for one server."""

    def __init__(self, settings: ServerSettings, variant: Variant) -> None:
        self._settings: Final = settings
        self._variant: Final = variant
        self._options: Final = options_of(settings)
        self._plans: Final[dict[bytes, _GamePlan]] = {}
        """By the options that games were opened with."""

    def header(self, identity: GameIdentity, assignment: SeatAssignment) -> GameHeader:
        """Return the first line of the journal of a new game."""
        return GameHeader(
            number=identity.number,
            record=identity.record,
            opened=identity.opened,
            metadata=identity.metadata,
            board=self._variant.name,
            board_digest=board_digest(self._variant),
            options=self._options,
            seats=assignment.seats,
            passcodes=assignment.passcodes,
        )

    def compare(self, header: GameHeader) -> None:
        """Raise `OtherServerError` if a game cannot be played on this server."""
        self._compare_board(header)
        self._plan(header)

    def replay(self, content: GameContent) -> ReplayedGame:
        """Return the game that *content* makes.

        Raises `OtherServerError`, `HeaderError`, `SettingsError`, and what `replay`
        raises.
        """
        header = content.header
        self.compare(header)
        plan = self._plan(header)
        game = plan.setup.game(SeatAssignment(header.seats, header.passcodes))
        tally = TurnTally(game.state)
        entries = replay(game, content.lines, plan.reader, tally)
        return ReplayedGame(
            GameIdentity(
                GameId(header.number), header.record, header.opened, header.metadata
            ),
            game,
            tuple(entries),
            tally,
            plan.reader,
            content.lines[-1].seconds if content.lines else 0.0,
            _name_of(content),
        )

    def _plan(self, header: GameHeader) -> _GamePlan:
        """Return what games with the options of *header* share."""
        key = msgspec.json.encode(header.options)
        if key not in self._plans:
            layer = _layer_of(header)
            settings = TABLE.compose(layer, base=self._settings)
            found, ours = settings.policy.edition, self._settings.policy.edition
            if found != ours:
                message = f"found edition {found}, this server plays {ours}"
                raise OtherServerError(message)
            plan = setup(settings, self._variant)
            self._plans[key] = _GamePlan(plan, reader_of(plan))
        return self._plans[key]

    def _compare_board(self, header: GameHeader) -> None:
        variant = self._variant
        if header.board != variant.name:
            message = f"found board {header.board}, this server has {variant.name}"
            raise OtherServerError(message)
        if header.board_digest != board_digest(variant):
            message = f"its board {header.board} is another than that of this server"
            raise OtherServerError(message)
        powers = sorted(variant.map.powers)
        for given in (header.seats, header.passcodes):
            if sorted(given) != powers:
                expected = f"the powers {', '.join(powers)}, each once"
                message = f"found seats of {', '.join(given)}, expected {expected}"
                raise HeaderError(message)


def options_of(settings: ServerSettings) -> GameOptions:
    """Return the settings that a game depends on, without the name of its board."""
    board = BOARD.partition(".")
    return {
        section: {
            key: value
            for key, value in values.items()
            if (section, key) != (board[0], board[2])
        }
        for section, values in TABLE.saved(settings).items()
    }


def _layer_of(header: GameHeader) -> Layer:
    """Return the options of a game. Raises `HeaderError` and `SettingsError`."""
    layer = TABLE.read(header.options, f"line 1 (version {header.version})")
    for row, given in layer.items():
        if not row.component.saved or row.path == BOARD:
            message = f"{row.place} is no option of a game"
            raise HeaderError(message)
        if row.path == START and not str(given.value or "{").startswith("{"):
            message = f"{row.place}: found {given.value!r:.100}, expected a position"
            raise HeaderError(message)
    return layer


def _name_of(content: GameContent) -> str | None:
    """Return the name that a game was saved under last."""
    for line in reversed(content.lines):
        if isinstance(line.kept, GameSaved | GameLoaded):
            return line.kept.name
    return None


def reason_of(error: Exception) -> str:
    """Return why a game cannot be replayed, in a line."""
    return f"{str(error) or type(error).__name__:.500} (version {__version__})"


# A game by itself, for people


def replay_alone(
    content: GameContent, board: str | None
) -> tuple[ReplayedGame, Variant]:
    """Return the game of *content* on *board*, or on that which the file names.

    Raises what `GameReplayer.replay` raises, and `VariantError`.
    """
    variant = find_variant(board or content.header.board)
    settings = TABLE.compose(_layer_of(content.header), base=DEFAULTS)
    return GameReplayer(settings, variant).replay(content), variant


def record_of(found: ReplayedGame, variant: Variant) -> GameRecord:
    """Return the record of a game; one that runs is broken off.

    Raises `RecordError` if it has not begun.
    """
    last: list[RecordEntry] = []
    if found.game.state.is_running:
        effects = found.game.handle(GameBrokenOff(), found.seconds)
        last = [each.entry for each in effects if isinstance(each, Record)]
    return fold(
        [*found.entries, *last],
        variant,
        game=found.identity.record,
        started=found.identity.opened,
        metadata=found.identity.metadata,
    )
