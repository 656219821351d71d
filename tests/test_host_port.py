"""Addresses are written as people paste them into a browser or another command."""

import pytest

from daide_server.bots.client import SavedSeat
from daide_server.cli.common.failures import CommandError
from daide_server.cli.common.options import connect, to_address
from daide_server.host_port import address_text


@pytest.mark.parametrize(
    ("host", "text"),
    [("::1", "[::1]:80"), ("127.0.0.1", "127.0.0.1:80"), ("a", "a:80")],
)
def test_an_ipv6_address_has_brackets(host: str, text: str) -> None:
    assert address_text((host, 80)) == text
    assert SavedSeat(host, 80, "ENG", 1, "hold").address == text
    assert to_address(text) == (host, 80)


def test_what_cannot_be_reached_is_named_so() -> None:
    with pytest.raises(CommandError, match=r"^cannot connect to \[::1\]:1: "):
        connect(("::1", 1), 1)
