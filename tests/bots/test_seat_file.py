"""The file of a seat, by which a bot that is started again returns."""

import os
from pathlib import Path

import pytest

from daide_server.bots.client import (
    SavedSeat,
    load_seat,
    remove_seat,
    save_seat,
)
from daide_server.bots.errors import (
    SeatFileError,
)

SEAT = SavedSeat("127.0.0.1", 16713, "FRA", 2947, "dumb")


def test_a_seat_is_read_as_it_was_written_and_by_nobody_else(tmp_path: Path) -> None:
    """Whatever the umask allows: the passcode gives the seat."""
    path = tmp_path / "seat.json"
    assert load_seat(path) is None
    remove_seat(path)
    path.write_text("an older one")
    before = os.umask(0)
    try:
        save_seat(path, SEAT)
    finally:
        os.umask(before)

    assert load_seat(path) == SEAT
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"host": "a"}', b'{"host": "a", "port": "b"}', b"\xff"]
)
def test_a_file_without_a_seat_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "seat.json"
    path.write_bytes(content)

    with pytest.raises(SeatFileError, match=r"seat\.json: no seat"):
        load_seat(path)


def test_a_disk_that_is_full_leaves_the_old_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file takes the name of the old one when it is whole."""
    path = tmp_path / "seat.json"
    save_seat(path, SEAT)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SeatFileError, match="No space left"):
        save_seat(path, SavedSeat("::1", 1, "ENG", 1, "hold"))

    assert load_seat(path) == SEAT
    assert [each.name for each in tmp_path.iterdir()] == ["seat.json"]
