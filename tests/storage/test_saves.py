"""Saved games as files."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

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
    assert read_saves(tmp_path / "new", vocabulary, refused=print) == [save]
    assert read_settings(tmp_path / "new") == SETTINGS


def test_games_are_read_in_their_order(tmp_path: Path, standard: Variant) -> None:
    """Not in that of their names; and without any there are no settings."""
    vocabulary = Vocabulary.of(standard.map)
    assert read_settings(tmp_path) is None
    save = replace(played(standard), lines=())
    for name, number in (("b", 1), ("a", 2)):
        write_save(replace(save, name=name, number=number), tmp_path, vocabulary)
    saves = read_saves(tmp_path, vocabulary, refused=print)
    assert [each.name for each in saves] == ["b", "a"]


def test_games_of_different_servers_do_not_mix(
    tmp_path: Path, standard: Variant
) -> None:
    """One port has one level and one set of limits."""
    vocabulary = Vocabulary.of(standard.map)
    save = replace(played(standard), lines=())
    write_save(save, tmp_path, vocabulary)
    write_save(
        replace(save, name="b", settings={"hlo": {"level": 0}}), tmp_path, vocabulary
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
        read_saves(tmp_path, vocabulary, refused=print)


def test_a_damaged_save_does_not_keep_the_others_from_loading(
    tmp_path: Path, standard: Variant
) -> None:
    """The others are read; the damaged ones are reported, each with its file."""
    vocabulary = Vocabulary.of(standard.map)
    save = replace(played(standard), lines=())
    write_save(save, tmp_path, vocabulary)
    (tmp_path / "a.save").write_text("nonsense")
    write_save(replace(save, name="z", number=8), tmp_path, vocabulary)
    (tmp_path / "z.save").write_text((tmp_path / "z.save").read_text() + "[1]\n")
    refused: list[SaveError] = []

    assert read_settings(tmp_path) == SETTINGS
    assert read_saves(tmp_path, vocabulary, refused=refused.append) == [save]
    assert [str(error).removeprefix(f"{tmp_path}/")[:6] for error in refused] == [
        "a.save",
        "z.save",
    ]


def test_a_number_is_that_of_one_game(tmp_path: Path, standard: Variant) -> None:
    """A copy in the same folder is refused; the first by name is loaded."""
    vocabulary = Vocabulary.of(standard.map)
    save = replace(played(standard), lines=())
    for name in ("a", "b"):
        write_save(replace(save, name=name), tmp_path, vocabulary)
    refused: list[SaveError] = []

    (loaded,) = read_saves(tmp_path, vocabulary, refused=refused.append)

    assert loaded.name == "a"
    assert "b.save: cannot be read: line 1: number: found 7, expected" in str(
        refused[0]
    )


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "../x", "name: found '../x', expected at most 64 letters, digits"),
        ("name", "", "name: found '', expected"),
        ("name", "a" * 65, "name: found 'aaa"),
        ("name", 5, "Expected `str`, got `int` - at `$.name`"),
        ("number", "7", "Expected `int`, got `str` - at `$.number`"),
        ("number", 0, "Expected `int` >= 1 - at `$.number`"),
        ("seconds", None, "Expected `float`, got `null` - at `$.seconds`"),
        ("settings", [], "Expected `object`, got `array` - at `$.settings`"),
        ("seats", ["FRA"], "seats: found ['FRA'], expected the powers AUS, ENG, FRA"),
        ("seats", {}, "Expected `array`, got `object` - at `$.seats`"),
        ("passcodes", {}, "passcodes: found those of [], expected the powers AUS"),
        (
            "passcodes",
            {"FRA": "x"},
            "Expected `int`, got `str` - at `$.passcodes",
        ),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, standard: Variant, field: str, value: object, message: str
) -> None:
    """In one line: the place, what was found, what was expected."""
    vocabulary = Vocabulary.of(standard.map)
    path = write_save(replace(played(standard), lines=()), tmp_path, vocabulary)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))

    with pytest.raises(SaveError) as caught:
        read_saves(tmp_path, vocabulary, refused=print)

    assert f"game.save: cannot be read: line 1: {message}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "Input data was truncated"),
        ("{}", "Expected `array`, got `object`"),
        ("[1, 2]", "Expected `array` of"),
        ("[1e999, 1, null]", "Number out of range"),
        ('["x", 1, null]', "Expected `float`, got `str` - at `$[0]`"),
        ("[1, 0, null]", "Expected `int` >= 1 - at `$[1]`"),
        ('[1, "nobody", null]', "Invalid enum value 'nobody' - at `$[1]`"),
        ("[1, 2, 3]", "Expected `str | null`, got `int` - at `$[2]`"),
        ('[1, 2, "BLAH"]', "no word is called 'BLAH'"),
        ('[1, null, "HLO"]', "found (1.0, None, 'HLO'), expected seconds, a client"),
        ('[1, "saved", null]', "found (1.0, 'saved', None), expected seconds"),
        ("[" * 100_000, "Expected `float`, got `array`"),
    ],
)
def test_a_wrong_line_is_named(
    tmp_path: Path, standard: Variant, line: str, message: str
) -> None:
    """With its number."""
    vocabulary = Vocabulary.of(standard.map)
    path = write_save(replace(played(standard), lines=()), tmp_path, vocabulary)
    path.write_text(f"{path.read_text()}{line}\n")

    with pytest.raises(
        SaveError, match=r"game\.save: cannot be read: line 2"
    ) as caught:
        read_saves(tmp_path, vocabulary, refused=print)

    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "..", "", "x\n", "a\x00"])
def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        ValueError, match=r"name: found .*, expected at most 64 letters"
    ):
        path_of(name, tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"seconds":', '"seconds":1e999,"old":', 1),
        lambda text: text.replace(
            '"number":', '"number":' + "9" * 1_000_000 + ',"old":'
        ),
        lambda text: text.replace('"name":"', '"name":"../../' + "a" * 700_000, 1),
        lambda text: text.replace('"name":"', '"name":"\\u001b[2J', 1),
        lambda text: text.replace('"FRA":6334', '"FRA":63340', 1),
        lambda text: text.encode()[:40] + b"\xff" + text.encode()[40:],
        lambda text: text + "[1, " + "[" * 100_000,
        lambda text: text + "[1e999, null, null]",
        lambda text: text + "[1, " + "9" * 1_000_000 + ", null]",
        lambda text: text + '[1, 1, "' + "A" * 700_000 + '"]',
        lambda text: text + '[1, 1, "NME (\'"]',
        lambda _: "",
    ],
)
def test_hostile_saves_are_refused_in_a_line(
    standard: Variant, tmp_path: Path, change: Callable[[str], str | bytes]
) -> None:
    path = write_save(played(standard), tmp_path, Vocabulary.of(standard.map))
    changed = change(path.read_text())
    assert changed != path.read_text()
    path.write_bytes(changed if isinstance(changed, bytes) else changed.encode())
    with pytest.raises(SaveError) as refused:
        read_saves(tmp_path, Vocabulary.of(standard.map), refused=lambda _: None)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_no_save(
    standard: Variant, tmp_path: Path, kind: str
) -> None:
    """Nobody waits for a pipe."""
    path = tmp_path / "x.save"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to("/dev/zero")
    with pytest.raises(SaveError, match="expected a saved game"):
        read_saves(tmp_path, Vocabulary.of(standard.map), refused=lambda _: None)
