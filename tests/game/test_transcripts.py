"""Whole conversations, each a file that a bot author can read."""

from pathlib import Path

import pytest

from daide_server.board.map import Variant
from tests.support.transcripts import play

TRANSCRIPTS = sorted(Path(__file__).parents[1].joinpath("transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, standard: Variant) -> None:
    """The game says exactly what the transcript says."""
    play(path, standard)


def test_there_are_transcripts() -> None:
    """An empty folder would test nothing."""
    assert len(TRANSCRIPTS) > 10
