"""Saved games as files."""

from pathlib import Path

import pytest
from attrs import evolve

from daide_server.board.variant import Variant
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.saves import (
    Save,
    SavedSettings,
    SaveError,
    path_of,
    read_saves,
    read_settings,
    write_save,
)
from tests.support.scripts import Script

SETTINGS: SavedSettings = {
    "game": {"variant": "standard", "abandoned_after": 60.0},
    "hlo": {"level": 10, "mtl": 100, "dsd": True},
}


def played(standard: Variant) -> Save:
    """Return the save of a game with all kinds of events."""
    script = Script(standard, "level=8000", "mtl=100")
    script.hears("FRA", "SND (ENG) ('It\\'s \\x0A a \"word\"')")
    script.hears("FRA", "SND (ENG) (PRP (ULB (FRA 0.80)))")
    script.hears("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA FLT 0x50FE) HLD)")
    script.loses("TUR")
    script.waits(100)
    script.saves("game")
    script.loads("game")
    script.hears("FRA", "IAM (FRA) (6334)")
    return Save(
        name="game",
        number=7,
        seconds=script.now,
        settings=SETTINGS,
        assignment=script.game.state.assignment,
        lines=tuple(script.journal.lines()),
    )


def test_a_save_is_read_as_it_was_written(tmp_path: Path, standard: Variant) -> None:
    """Whatever was said, to the token."""
    save = played(standard)
    vocabulary = Vocabulary.of(standard.map)
    path = write_save(save, tmp_path / "new", vocabulary)
    assert path == path_of("game", tmp_path / "new")
    assert read_saves(tmp_path / "new", vocabulary) == [save]
    assert read_settings(tmp_path / "new") == SETTINGS


def test_games_are_read_in_their_order(tmp_path: Path, standard: Variant) -> None:
    """Not in that of their names; and without any there are no settings."""
    vocabulary = Vocabulary.of(standard.map)
    assert read_settings(tmp_path) is None
    save = evolve(played(standard), lines=())
    for name, number in (("b", 1), ("a", 2)):
        write_save(evolve(save, name=name, number=number), tmp_path, vocabulary)
    assert [each.name for each in read_saves(tmp_path, vocabulary)] == ["b", "a"]


def test_games_of_different_servers_do_not_mix(
    tmp_path: Path, standard: Variant
) -> None:
    """One port has one level and one set of limits."""
    vocabulary = Vocabulary.of(standard.map)
    save = evolve(played(standard), lines=())
    write_save(save, tmp_path, vocabulary)
    write_save(
        evolve(save, name="b", settings={"hlo": {"level": 0}}), tmp_path, vocabulary
    )
    with pytest.raises(SaveError, match="different settings"):
        read_settings(tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "nonsense\n"])
def test_what_is_no_save_is_named(tmp_path: Path, content: str) -> None:
    """With its path."""
    (tmp_path / "x.save").write_text(content)
    with pytest.raises(SaveError, match=r"x\.save: is no saved game"):
        read_settings(tmp_path)


@pytest.mark.parametrize(
    ("written", "wrong", "words"),
    [
        ("save 2", "save 1", ("another version", "'daide-server save 1'", "save 2'")),
        ('"number":7', '"number":"7"', ("Expected `int`", "$.number")),
        ('"level":10', '"level":null', ("got `null`", "$.settings")),
        ('"seats":', '"chairs":', ("missing required field `seats`",)),
    ],
)
def test_a_header_that_is_not_ours_is_named(
    tmp_path: Path, standard: Variant, written: str, wrong: str, words: tuple[str, ...]
) -> None:
    """A save of another version, and values that are of another type."""
    path = write_save(played(standard), tmp_path, Vocabulary.of(standard.map))
    text = path.read_text()
    assert written in text
    path.write_text(text.replace(written, wrong))
    with pytest.raises(SaveError) as caught:
        read_settings(tmp_path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_a_damaged_save_is_named(tmp_path: Path, standard: Variant) -> None:
    """A line that is cut off is no event."""
    vocabulary = Vocabulary.of(standard.map)
    path = write_save(played(standard), tmp_path, vocabulary)
    path.write_text(path.read_text()[:-10])
    with pytest.raises(SaveError, match=r"game\.save: cannot be read"):
        read_saves(tmp_path, vocabulary)
