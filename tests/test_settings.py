"""Settings: defaults from the file, errors that help."""

from pathlib import Path

import pytest
from attrs import fields

from daide_server.settings import (
    KINDS,
    ServerSettings,
    SettingsError,
    defaults,
    read_file,
    settings,
)


def test_the_file_is_the_list_of_defaults() -> None:
    """Every setting is there, and nothing else."""
    assert set(defaults()) == {field.name for field in fields(ServerSettings)}
    assert settings().port == 16713


def test_the_last_layer_wins() -> None:
    """Command line over file over defaults."""
    assert settings({"mtl": 100, "rtl": 5}, {"mtl": 60}).mtl == 60
    assert settings({"mtl": 100, "rtl": 5}, {"mtl": 60}).rtl == 5


def test_zero_is_no_limit() -> None:
    """Deadlines that are not asked for do not exist."""
    assert settings().options.movement_limit is None
    assert settings({"mtl": 30}).options.movement_limit == 30


def test_ports_of_games() -> None:
    """A range, both ends included."""
    assert settings({"game_ports": "17000-17002"}).ports_of_games == (
        17000,
        17001,
        17002,
    )
    assert settings().ports_of_games == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mtl = -1", ("mtl", "-1", "from 0 to 8191")),
        ("mtl = 9000", ("mtl", "9000", "from 0 to 8191")),
        ("mtl = true", ("mtl", "True", "whole seconds")),
        ('host = ""', ("host", "''", "a text")),
        ('seats = "best"', ("seats", "'best'", "random, arrival, name")),
        ("level = 15", ("level", "15", "10, 20")),
        ('game_ports = "9-1"', ("game_ports", "'9-1'", "17000-17009")),
        ("post_game_seconds = nan", ("post_game_seconds", "nan", "0 or more")),
        ("colour = 1", ("colour", "no such setting", "host, port")),
        ("port = ", ("Invalid value",)),
    ],
)
def test_a_wrong_key_names_itself(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    """With the file, what was found and what was expected."""
    path = tmp_path / "server.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_file(path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("port = 1901", encoding="utf-8-sig")
    assert read_file(path) == {"port": 1901}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(SettingsError, match="No such file"):
        read_file(tmp_path / "none.toml")


@pytest.mark.parametrize("key", KINDS)
def test_every_kind_accepts_its_default(key: str) -> None:
    """And says in words what it expects."""
    assert KINDS[key].accepts(defaults()[key])
    assert KINDS[key].expected
