"""Settings of the server itself: addresses, folders, board, journal, log, page.

Quick to import: reading settings needs no web server.
"""

from typing import Final

from attrs import frozen

from daide_server.host_port import HostPort, address_text
from daide_server.language.vocabulary import DIALECTS, NORMAN
from daide_server.records.secrecy import PressPolicy
from daide_server.settings import kinds
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import Kind, ValueRefused

GAMES: Final = kinds.either(kinds.whole(0), 0, None)
START_OR_NONE: Final = kinds.either(
    kinds.text("FILE:PHASE", "a phase such as game.json:F1905M"), "", None
)
SEED: Final = kinds.either(kinds.whole(metavar="NUMBER"), "random", None)
FILE_OR_NONE: Final = kinds.either(kinds.text("FILE", "a file"), "", None)
NO_DURABILITY: Final = "none"
AUTOMATIC: Final = "auto"


@frozen(kw_only=True)
class ServiceSettings:
    """Where the server listens, what it reads and writes, and when it ends."""

    host: str = setting(
        kinds.text("ADDRESS", "an address"),
        "127.0.0.1",
        "Address to listen on; 0.0.0.0 is every interface.",
        option="--host",
    )
    port: int = setting(
        kinds.PORT, 16713, "Port to listen on; 0 takes any free one.", option="--port"
    )
    game_ports: tuple[int, ...] = setting(
        kinds.PORT_RANGE,
        (),
        "Additional ports, each for one game.",
        option="--game-ports",
    )
    seat_ports: tuple[int, ...] = setting(
        kinds.SEAT_PORTS,
        (),
        "Additional ports, one for each seat of a game, in the order of the powers: a "
        "client that connects there gets that seat. Each game at the same time needs a "
        "set; 0 takes free ones.",
        option="--seat-ports",
    )
    games: int | None = setting(
        GAMES,
        None,
        "Stop after this number of games; 0: never.",
        option="--games",
    )
    drain: bool = setting(
        kinds.SWITCH,
        default=False,
        help="SIGTERM opens no new games and waits for the running ones; a second "
        "SIGTERM stops the server.",
        option="--drain",
    )
    records: str = setting(
        kinds.FOLDER,
        "records",
        "Folder for the records of finished games.",
        option="--records",
    )
    trace: str | None = setting(
        kinds.FOLDER_OR_NONE,
        None,
        "Folder for the conversation with each client, without passcodes; the command "
        "`trace` shows it.",
        option="--trace",
    )
    trace_bytes: int = setting(
        kinds.whole(0, unit="bytes"),
        16_777_216,
        "Maximum bytes of one conversation in that folder; the name of a longer one "
        "ends with -cut.",
    )
    save: str | None = setting(
        kinds.FOLDER_OR_NONE,
        None,
        "Folder in which running games are saved when the server stops, and on "
        "SIGUSR1.",
        option="--save",
    )
    load: str | None = setting(
        kinds.FOLDER_OR_NONE,
        None,
        "Folder of saved games to resume, each with the options it was saved with.",
        option="--load",
    )


@frozen(kw_only=True)
class BoardSettings:
    """The board of the games, and where they begin."""

    variant: str = setting(
        kinds.text("BOARD", "a board"),
        "standard",
        "The board: a name that `daide-server maps list` shows, or a map file.",
        option="--variant",
    )
    start: str | None = setting(
        START_OR_NONE,
        None,
        "Begin at a phase of a record or of a file of positions, such as "
        "game.json:F1905M; empty: at the start of the board.",
        option="--start",
    )


@frozen(kw_only=True)
class ChanceSettings:
    """How seats are drawn; passcodes are always secret."""

    seed: int | None = setting(
        SEED,
        None,
        "A number makes the seats repeatable; passcodes never are.",
        option="--seed",
    )


@frozen(kw_only=True)
class JournalSettings:
    """The journals of running games, from which a killed server recovers."""

    folder: str = setting(
        kinds.FOLDER,
        "journal",
        "Folder for the journals of running games, with a subfolder for each address.",
        option="--journal",
    )
    durability: str = setting(
        kinds.one_of(("process", "disk", NO_DURABILITY), metavar="HOW"),
        "process",
        "What an answer survives: process (a crash or kill of the server), disk (a "
        "crash of the machine too), none.",
        option="--durability",
    )
    recover: str | None = setting(
        kinds.FOLDER_OR_NONE,
        None,
        "Folder of journals to resume, instead of that of the address.",
        option="--recover",
    )
    fresh: bool = setting(
        kinds.SWITCH,
        default=False,
        help="Record the running games of the journal as aborted, and start afresh.",
        option="--fresh",
    )
    recovery_wait: float = setting(
        kinds.SECONDS, 60.0, "Seconds that a recovered game waits for its clients."
    )
    recovery_grace: float = setting(
        kinds.SECONDS,
        10.0,
        "Minimum seconds left of the turn of a recovered game.",
    )
    keep_journals: bool = setting(
        kinds.SWITCH,
        default=False,
        help="Keep the journals of finished games, in the subfolder done.",
    )

    @property
    def is_kept(self) -> bool:
        """Return whether there is a journal."""
        return self.durability != NO_DURABILITY


@frozen(kw_only=True)
class LogSettings:
    """What the log shows, in which form, where, and how much."""

    level: str = setting(
        kinds.one_of(("debug", "info", "warning", "error"), metavar="LEVEL"),
        "info",
        "The lowest level logged: debug (includes all messages), info, warning, error.",
        option="--log-level",
        formerly="log_level",
    )
    format: str = setting(
        kinds.one_of((AUTOMATIC, "logfmt", "json", "console"), metavar="FORMAT"),
        AUTOMATIC,
        "The form of lines: logfmt, json, console (for people), or auto: console on a "
        "terminal, logfmt elsewhere.",
        option="--log-format",
    )
    file: str | None = setting(
        FILE_OR_NONE,
        None,
        "The file to which the log is appended, instead of standard error; SIGHUP "
        "reopens it.",
        option="--log-file",
    )
    flush_seconds: float = setting(
        kinds.SECONDS, 1.0, "Seconds that the server waits for the log when it ends."
    )
    dialect: str = setting(
        kinds.one_of(DIALECTS, metavar="NAME"),
        NORMAN,
        "Names for press tokens whose codes differ between implementations: norman, "
        "parlance or diplomacy.",
        option="--dialect",
    )
    lines: int = setting(
        kinds.COUNT,
        10_000,
        "Maximum lines that wait to be written; further ones are dropped and counted.",
        key="queue_lines",
    )
    bytes_per_second: float = setting(
        kinds.number(1000, unit="bytes"),
        64_000.0,
        "Maximum bytes per second on average; lines above are dropped and counted.",
    )
    burst_bytes: float = setting(
        kinds.number(100, unit="bytes"),
        1_000_000.0,
        "Bytes that may be logged in one burst above that average.",
    )


WebAddress = HostPort
"""An address as HOST:PORT; port 0 takes a free port."""


def _address(value: object) -> WebAddress:
    host, colon, port = value.rpartition(":") if isinstance(value, str) else ("",) * 3
    if not colon or not port.isdecimal() or int(port) > kinds.MAX_PORT:
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


WEB_ADDRESS: Final = kinds.either(
    Kind("HOST:PORT", _address, address_text, metavar="HOST:PORT"), "", None
)
WEB_PRESS: Final = Kind(
    "live, delayed SECONDS, after, or never", _press, str, metavar="WHEN"
)
ORIGINS: Final = Kind(
    "origins with spaces between them, such as https://example.org",
    _origins,
    " ".join,
    "ORIGIN ...",
)


@frozen(kw_only=True)
class WebSettings:
    """The address of the page, what it shows, and its limits for visitors."""

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
        "Address of /metrics, if it is not that of the page.",
    )
    hosts: tuple[str, ...] = setting(
        Kind("names with spaces between them", _words, " ".join, "NAME ..."),
        (),
        "Host names of the page, besides that of its address, localhost and IP "
        "addresses; * allows any.",
    )
    frame_ancestors: tuple[str, ...] = setting(
        ORIGINS, (), "Other sites that may show the page in a frame."
    )
    logs: bool = setting(
        kinds.SWITCH,
        default=False,
        help="Show the logs of bots that failed in a tournament.",
    )
    spectators: int = setting(
        kinds.COUNT, 800, "Maximum pages that follow running games at the same time."
    )
    record_bytes: int = setting(
        kinds.whole(1000, unit="bytes"),
        64_000_000,
        "Maximum bytes of a record file that is shown; larger ones are only listed.",
    )
