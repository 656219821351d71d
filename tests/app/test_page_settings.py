"""What the settings of the page accept, and say of what they refuse."""

import pytest

from daide_server.app.service_settings import ORIGINS, WEB_ADDRESS, WEB_PRESS
from daide_server.records.secrecy import PressPolicy
from daide_server.settings.kinds import ValueRefused


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("127.0.0.1:8080", ("127.0.0.1", 8080)),
        (":0", ("127.0.0.1", 0)),
        ("[::1]:80", ("::1", 80)),
        ("", None),
    ],
)
def test_an_address_is_host_and_port(text: str, value: object) -> None:
    assert WEB_ADDRESS.read(text) == value


@pytest.mark.parametrize("text", ["8080", "host", "host:", "host:http", "host:99999"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueRefused):
        WEB_ADDRESS.read(text)


@pytest.mark.parametrize("text", ["live", "after", "never", "delayed 60"])
def test_press_is_written_as_it_is_read(text: str) -> None:
    policy = WEB_PRESS.read(text)
    assert isinstance(policy, PressPolicy)
    assert WEB_PRESS.write(policy) == text


@pytest.mark.parametrize("value", ["", "soon", "delayed", "delayed -1", 7])
def test_other_words_for_press_are_refused(value: object) -> None:
    with pytest.raises(ValueRefused):
        WEB_PRESS.read(value)


@pytest.mark.parametrize("text", ["a;script-src *", "'self'", "a,b", "a\nb\x00", "é"])
def test_an_origin_cannot_end_the_policy(text: str) -> None:
    with pytest.raises(ValueRefused):
        ORIGINS.read(text)
