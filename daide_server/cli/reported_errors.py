"""The errors that a command reports in one line; any other one is a bug.

This module is imported when an error ends a command: it imports half of the program.
"""

from typing import Final

from daide_server.app.server import ServeError
from daide_server.app.starting import StartError
from daide_server.bots.errors import ClientError
from daide_server.language.text import TextError
from daide_server.running.errors import BotWordsError, RunningError
from daide_server.scoring.systems import ScoringError
from daide_server.settings.table import SettingsError
from daide_server.storage.archive import ArchiveError
from daide_server.storage.errors import TableError
from daide_server.storage.journal_disk import JournalError
from daide_server.storage.journal_entries import JournalFormatError
from daide_server.tournament.errors import DescriptionError
from daide_server.wire.captures import CaptureError

from .input_errors import INPUT_ERRORS

COMMAND_ERRORS: Final = (
    *INPUT_ERRORS,
    ArchiveError,
    BotWordsError,
    CaptureError,
    ClientError,
    DescriptionError,
    JournalError,
    JournalFormatError,
    RunningError,
    ScoringError,
    ServeError,
    SettingsError,
    StartError,
    TableError,
    TextError,
)
"""The errors that end a command with exit code 1."""
