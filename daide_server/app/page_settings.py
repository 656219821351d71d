"""The settings of the page. Light to import: no web server is needed to read them.

Each field is a setting: see `daide_server.settings`.
"""

from typing import Final

from attrs import frozen

from daide_server.host_port import HostPort, address_text
from daide_server.records.secrecy import PressPolicy
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import (
    COUNT,
    MAX_PORT,
    SWITCH,
    Kind,
    ValueRefused,
    either,
    whole,
)

WebAddress = HostPort
"""Port 0 takes a free one."""


def _address(value: object) -> WebAddress:
    host, colon, port = value.rpartition(":") if isinstance(value, str) else ("",) * 3
    if not colon or not port.isdecimal() or int(port) > MAX_PORT:
        raise ValueRefused(value)
    host = host.removeprefix("[").removesuffix("]")
    return host or "127.0.0.1", int(port)


def _press(value: object) -> PressPolicy:
    if not isinstance(value, str):
        raise ValueRefused(value)
    try:
        return PressPolicy.read(value)
    except ValueError:
        raise ValueRefused(value) from None


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise ValueRefused(value)
    return tuple(value.split())


def _origins(value: object) -> tuple[str, ...]:
    words = _words(value)
    # What would end the directive, or the header.
    if any(letter in word for word in words for letter in ";,\"'") or any(
        not word.isprintable() or not word.isascii() for word in words
    ):
        raise ValueRefused(value)
    return words


WEB_ADDRESS: Final = either(
    Kind("HOST:PORT", _address, address_text, metavar="HOST:PORT"), "", None
)
WEB_PRESS: Final = Kind(
    "live, delayed SECONDS, after, or never", _press, str, metavar="WHEN"
)
HOST_NAMES: Final = Kind("names with spaces between them", _words, " ".join, "NAME ...")
ORIGINS: Final = Kind(
    "origins with spaces between them, such as https://example.org",
    _origins,
    " ".join,
    "ORIGIN ...",
)
WEB_BYTES: Final = whole(1000, unit="bytes")


@frozen(kw_only=True)
class WebSettings:
    """Where the page is served, and what it shows."""

    address: WebAddress | None = setting(
        WEB_ADDRESS,
        None,
        "Address of the web page, read-only; port 0 takes a free one.",
        option="--web",
    )
    press: PressPolicy = setting(
        WEB_PRESS,
        PressPolicy(),
        "When the page shows press: live, delayed SECONDS, after (the game), or never.",
    )
    metrics: WebAddress | None = setting(
        WEB_ADDRESS,
        None,
        "Address of /metrics, if it is to be another one than that of the page.",
    )
    hosts: tuple[str, ...] = setting(
        HOST_NAMES,
        (),
        "Names by which visitors may ask for the page, besides that of its address, "
        "localhost and IP addresses; * is any.",
    )
    frame_ancestors: tuple[str, ...] = setting(
        ORIGINS, (), "Other sites that may show the page in a frame."
    )
    logs: bool = setting(
        SWITCH,
        default=False,
        help="Show the logs of bots that failed in a tournament.",
    )


@frozen(kw_only=True)
class WebLimits:
    """What visitors of the page may cost."""

    spectators: int = setting(
        COUNT, 800, "Pages that follow a running game at the same time."
    )
    record_bytes: int = setting(
        WEB_BYTES,
        64_000_000,
        "Bytes of the largest record file that is shown; larger ones are only listed.",
    )
