"""The setting `[game] start`: where games begin."""

from attrs import evolve

from daide_server.board.variant import Variant, VariantError
from daide_server.errors import ReportedError
from daide_server.formats.errors import FormatError
from daide_server.records.record import RecordError
from daide_server.storage.starts import GameStart, find_start

from .settings import ServerSettings


class StartError(ReportedError):
    """No game can begin at the start that the settings name; the message says why."""


def start_of(settings: ServerSettings, variant: Variant) -> GameStart | None:
    """Return where games on *variant* begin; `None`: as the board says.

    Reads the file, unless `resolve_start` did. Raises `StartError`.
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
        message = f"start: {error}"
        raise StartError(message) from error
    limit, year = settings.policy.year_limit, start.position.turn.year
    if limit is not None and limit < year:
        message = f"start: {start.source}: begins after the year limit {limit}"
        raise StartError(message)
    return start


def begun(settings: ServerSettings, variant: Variant) -> Variant:
    """Return *variant* with games that begin where *settings* say.

    Raises `StartError`.
    """
    start = start_of(settings, variant)
    return variant if start is None else start.begin(variant)


def resolve_start(settings: ServerSettings, variant: Variant) -> ServerSettings:
    """Return *settings* that hold the position itself, whose file may change.

    Raises `StartError`.
    """
    start = start_of(settings, variant)
    if start is None:
        return settings
    board = evolve(settings.board, start=start.as_line(variant))
    return evolve(settings, board=board)


def source_of(settings: ServerSettings, variant: Variant) -> str | None:
    """Return the FILE:PHASE that games begin at, `None` without one.

    Raises `StartError`.
    """
    start = start_of(settings, variant)
    return None if start is None else start.source
