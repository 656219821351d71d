"""The games of a journal, replayed; each that cannot be is named, and costs itself."""

from collections.abc import Mapping, Sequence
from typing import Final

from daide_server import __version__
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.game.journal import Journal, JournalItem, replay
from daide_server.game.journal_lines import (
    ClientLeftLine,
    MessageLine,
)
from daide_server.game.options import SeatAssignment
from daide_server.game.position_digest import digest_of
from daide_server.game.turn_tally import TurnTally
from daide_server.language.client_reader import ClientReader
from daide_server.lobby.directory import GameId
from daide_server.server.game_entries import ENTRY_OVERHEAD
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_setup import GameIdentity, GameSetup, reader_of
from daide_server.server.recovered_game import RecoveredGame
from daide_server.storage.journal_entries import (
    JournalFormatError,
    OpenedGame,
    decode_items,
    decode_opened,
    encode_json,
)
from daide_server.storage.journal_frames import EntryKind, JournalEntry

from .making import setup
from .settings import TABLE, ServerSettings

JournalEntries = Sequence[JournalEntry]


class OtherServerError(Exception):
    """A game is for a server with other settings, and stays in the journal."""


@frozen
class Recovery:
    """What became of the games of a journal."""

    games: tuple[RecoveredGame, ...]
    left_alone: Mapping[GameId, str]
    """Games for another board or edition, and the difference."""
    set_aside: Mapping[GameId, str]
    """Games that cannot be replayed, and why."""


@frozen
class _GamePlan:
    """What games with the same settings share."""

    setup: GameSetup
    reader: ClientReader


class JournalReader:
    """Makes games of the entries of a journal, for one server."""

    def __init__(self, settings: ServerSettings, variant: Variant) -> None:
        self._settings: Final = settings
        self._variant: Final = variant
        self._plans: Final[dict[bytes, _GamePlan]] = {}
        """By the settings that games were opened with."""

    def describe(self, runner: GameRunner) -> bytes:
        """Return how the game of *runner* was opened, for the journal."""
        identity, assignment = runner.identity, runner.game.state.assignment
        return encode_json(
            OpenedGame(
                version=__version__,
                record=identity.record,
                opened=identity.opened,
                metadata=identity.metadata,
                board=self._variant.name,
                start=digest_of(self._variant.start),
                settings=TABLE.saved(self._settings),
                seats=assignment.seats,
                passcodes=assignment.passcodes,
            )
        )

    def read(self, games: Mapping[int, JournalEntries]) -> Recovery:
        """Return all *games* that can go on, and why others cannot."""
        found: list[RecoveredGame] = []
        left_alone: dict[GameId, str] = {}
        set_aside: dict[GameId, str] = {}
        for number, entries in sorted(games.items()):
            try:
                found.append(self.game(GameId(number), entries))
            except OtherServerError as error:
                left_alone[GameId(number)] = str(error)
            except Exception as error:  # noqa: BLE001 (it costs this game only)
                reason = str(error) or type(error).__name__
                set_aside[GameId(number)] = f"{reason} (version {__version__})"
        return Recovery(tuple(found), left_alone, set_aside)

    def game(self, number: GameId, entries: JournalEntries) -> RecoveredGame:
        """Return the game that *entries* make.

        Raises `OtherServerError`, `JournalFormatError`, `ReplayError`, and what the
        replay raises.
        """
        opened = opening_of(entries)
        self._compare_board(opened)
        plan = self._plan(number, opened)
        game = plan.setup.game(SeatAssignment(opened.seats, opened.passcodes))
        reader, journal = plan.reader, Journal()
        items = decode_items(entries)
        tally = TurnTally(game.state)
        recorded = replay(game, items, reader, journal, tally)
        return RecoveredGame(
            GameIdentity(number, opened.record, opened.opened, opened.metadata),
            game,
            tuple(recorded),
            journal,
            tally,
            reader,
            journal.seconds,
            _last_client(items),
            size_of(entries),
            len(entries),
            entries[0].payload,
        )

    def _plan(self, number: GameId, opened: OpenedGame) -> "_GamePlan":
        """Return what games with the settings of *opened* share.

        Raises `OtherServerError`, and `SettingsError`.
        """
        key = encode_json(opened.settings)
        if key not in self._plans:
            settings = TABLE.compose(
                TABLE.read(opened.settings, f"game {number} of the journal"),
                base=self._settings,
            )
            self._compare_edition(settings)
            found = setup(settings, self._variant)
            self._plans[key] = _GamePlan(found, reader_of(found))
        return self._plans[key]

    def _compare_board(self, opened: OpenedGame) -> None:
        variant = self._variant
        if opened.board != variant.name:
            message = f"found board {opened.board}, this server has {variant.name}"
            raise OtherServerError(message)
        if opened.start != digest_of(variant.start):
            message = f"its board {opened.board} begins with another position"
            raise OtherServerError(message)

    def _compare_edition(self, settings: ServerSettings) -> None:
        found, ours = settings.policy.edition, self._settings.policy.edition
        if found != ours:
            message = f"found edition {found}, this server plays {ours}"
            raise OtherServerError(message)


def size_of(entries: JournalEntries) -> int:
    """Return how many bytes *entries* take in a file."""
    return sum(len(each.payload) + ENTRY_OVERHEAD for each in entries)


def opening_of(entries: JournalEntries) -> OpenedGame:
    """Return how the game of *entries* was opened; raises `JournalFormatError`."""
    if not entries or entries[0].kind is not EntryKind.OPENED:
        message = "does not begin with how it was opened"
        raise JournalFormatError(message)
    return decode_opened(entries[0].payload)


def _last_client(items: Sequence[JournalItem]) -> ClientId:
    """Return the highest number of a client: new clients come after it."""
    return max(
        (
            item.client
            for item in items
            if isinstance(item, MessageLine | ClientLeftLine)
        ),
        default=ClientId(0),
    )
