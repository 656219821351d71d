"""By which names the page may be asked for."""

import pytest

from daide_server.app.settings import WebSettings
from daide_server.web.site import is_known, known_hosts

SETTINGS = WebSettings(address=("page.lan", 8080), hosts=("a.example",))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8080", "page.lan:8080", "A.example", "a.example.:1"),
        *("127.0.0.1:8080", "[::1]:8080", "192.0.2.7", "x.localhost", ""),
    ],
)
def test_the_page_has_the_names_of_its_settings_and_addresses(host: str) -> None:
    assert is_known(host, known_hosts(SETTINGS))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "a.example.evil", "127.0.0.1.evil:80"]
)
def test_another_name_is_refused(host: str) -> None:
    """It may be that of a site whose name leads to this machine."""
    assert not is_known(host, known_hosts(SETTINGS))
    assert is_known(host, known_hosts(WebSettings(hosts=("*",))))
