"""What the log says, and that it says it in lines of key=value."""

import re

import pytest
import structlog

from daide_server.board.variant import Variant
from daide_server.server import observing
from tests.support.scripts import Script


def test_a_line_for_what_people_want_to_know(
    standard: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    """Start, turns and the end of a game; nothing for votes."""
    observing.configure("info")
    bound = structlog.get_logger(game=7)
    script = Script(standard, "year_limit=1901")
    script.holds()
    script.holds()
    for entry in script.records:
        observing.observe_entry(bound, entry)
    structlog.reset_defaults()
    lines = capsys.readouterr().err.splitlines()
    assert all(
        re.match(r"\S+Z info \S+ game=7( \w+=(\S+|\"[^\"]*\"))*$", x) for x in lines
    )
    kinds = [line.split()[2] for line in lines]
    assert kinds == ["game.started", "turn.processed", "turn.processed", "game.ended"]
    assert 'turn="SPR 1901" units=22' in lines[-3]


def test_a_line_cannot_be_forged(capsys: pytest.CaptureFixture[str]) -> None:
    """A client's name with a line break stays in its quotes."""
    observing.configure("info")
    structlog.get_logger().info("seat.taken", name='a"\n2026 info game.ended')
    structlog.reset_defaults()
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_below_the_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings only, if that is asked for."""
    observing.configure("warning")
    logger = structlog.get_logger()
    logger.info("not.said")
    logger.warning("said")
    structlog.reset_defaults()
    assert capsys.readouterr().err.split()[1:] == ["warning", "said"]
