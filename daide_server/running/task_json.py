"""Tasks and reports as bytes, for the way to a worker and back."""

from collections.abc import Mapping

import msgspec

from daide_server.classes import frozen

from .game_task import GameReport, GameTask
from .outcome_json import OutcomeText, read_outcome, write_outcome


@frozen
class ReportText:
    """A report with its outcome as text."""

    outcome: OutcomeText
    record: bytes | None
    logs: Mapping[str, bytes]


def encode_task(task: GameTask) -> bytes:
    """Return *task* as JSON."""
    return msgspec.json.encode(task)


def decode_task(content: bytes) -> GameTask:
    """Return the task that `encode_task` wrote; raises `msgspec.DecodeError`."""
    return msgspec.json.decode(content, type=GameTask)


def encode_report(report: GameReport) -> bytes:
    """Return *report* as JSON; bytes in it are base64."""
    outcome = write_outcome(report.outcome)
    return msgspec.json.encode(ReportText(outcome, report.record, report.logs))


def decode_report(content: bytes) -> GameReport:
    """Return the report that `encode_report` wrote; raises `msgspec.DecodeError`."""
    found = msgspec.json.decode(content, type=ReportText)
    return GameReport(read_outcome(found.outcome), found.record, found.logs)
