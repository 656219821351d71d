"""A server that cannot start says why."""

from pathlib import Path

import pytest

from daide_server.app.server import ServeError, Server
from tests.support.settings import settings_with

ELSEWHERE = "192.0.2.1"
"""An address of no machine (RFC 5737)."""


def test_an_address_that_is_not_ours_is_named(tmp_path: Path) -> None:
    """The host of the settings is the one that is listened on."""
    server = Server(
        settings_with(host=ELSEWHERE, port=0, records=str(tmp_path)), lambda _: None
    )
    with pytest.raises(ServeError, match=f"cannot listen on {ELSEWHERE}:0"):
        server.open()


def test_settings_of_saved_games_that_are_none_are_named(tmp_path: Path) -> None:
    """With the file."""
    (tmp_path / "x.save").write_text('{"format": "daide-server save 1"}\n')
    with pytest.raises(ServeError, match=r"x\.save: saved by another version"):
        Server(settings_with(load=str(tmp_path)), lambda _: None)
