"""All settings: the classes of the components, their sections and sources.

Quick to import, so that `serve --help` needs no server. How to add a setting: see
`daide_server.settings`.
"""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from daide_server.daide.vocabulary import DIALECTS, NORMAN
from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.host_port import HostPort, address_text
from daide_server.library.texts import read_toml
from daide_server.records.secrecy import PressPolicy
from daide_server.settings import kinds, table
from daide_server.settings.descriptor import Setting, component, setting, switch
from daide_server.settings.kinds import FREE_PORTS, Kind, ValueRefused

from .limits import RESERVED_FILES, ConnectionLimits, SessionLimits

GAMES = kinds.either(kinds.whole(0), 0, None)
START_OR_NONE = kinds.either(
    kinds.text("FILE:PHASE", "a phase such as game.json:F1905M"), "", None
)
SEED = kinds.either(kinds.whole(metavar="NUMBER"), "random", None)
FILE_OR_NONE = kinds.either(kinds.text("FILE", "a file"), "", None)
NO_DURABILITY = "none"
AUTOMATIC = "auto"


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
        GAMES, None, "Stop after this number of games; 0: never.", option="--games"
    )
    drain: bool = switch(
        "SIGTERM opens no new games and waits for the running ones; a second "
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
    fresh: bool = switch(
        "Record the running games of the journal as aborted, and start afresh.",
        option="--fresh",
    )
    recovery_wait: float = setting(
        kinds.SECONDS, 60.0, "Seconds that a recovered game waits for its clients."
    )
    recovery_grace: float = setting(
        kinds.SECONDS, 10.0, "Minimum seconds left of the turn of a recovered game."
    )
    keep_journals: bool = switch(
        "Keep the journals of finished games, in the subfolder done."
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


def _address(value: object) -> HostPort:
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


WEB_ADDRESS = kinds.either(
    Kind("HOST:PORT", _address, address_text, metavar="HOST:PORT"), "", None
)
WEB_PRESS = Kind("live, delayed SECONDS, after, or never", _press, str, metavar="WHEN")
ORIGINS = Kind(
    "origins with spaces between them, such as https://example.org",
    _origins,
    " ".join,
    "ORIGIN ...",
)


@frozen(kw_only=True)
class WebSettings:
    """The address of the page, what it shows, and its limits for visitors."""

    address: HostPort | None = setting(
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
    metrics: HostPort | None = setting(
        WEB_ADDRESS, None, "Address of /metrics, if it is not that of the page."
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
    logs: bool = switch("Show the logs of bots that failed in a tournament.")
    spectators: int = setting(
        kinds.COUNT, 800, "Maximum pages that follow running games at the same time."
    )
    record_bytes: int = setting(
        kinds.whole(1000, unit="bytes"),
        64_000_000,
        "Maximum bytes of a record file that is shown; larger ones are only listed.",
    )


@frozen(kw_only=True)
class ServerSettings:
    """All settings: for each component an instance of its class."""

    service: ServiceSettings = component(
        ServiceSettings, "server", "Addresses, folders, and when to stop"
    )
    board: BoardSettings = component(BoardSettings, "game", "The board", saved=True)
    chance: ChanceSettings = component(ChanceSettings, "game", "Random numbers")
    policy: ServerPolicy = component(
        ServerPolicy, "game", "What the protocol leaves to the server", saved=True
    )
    options: GameOptions = component(
        GameOptions, "hlo", "The options of HLO", saved=True
    )
    session: SessionLimits = component(
        SessionLimits, "limits", "The limits of one client"
    )
    connections: ConnectionLimits = component(
        ConnectionLimits, "limits", "Connections at the same time"
    )
    journal: JournalSettings = component(
        JournalSettings,
        "journal",
        "The journal of running games, from which a killed server resumes",
    )
    web: WebSettings = component(WebSettings, "web", "The page, see docs/page.md")
    log: LogSettings = component(LogSettings, "log", "The log, see docs/log.md")


_GONE = {
    "messages may have 32758 bytes": "limits.max_message_bytes",
    "each client and each address has an allowance, see docs/operating.md": (
        "limits.read_bytes_per_second limits.read_burst_bytes limits.admin_per_second "
        "limits.press_per_second limits.joins_per_second limits.pass_ms "
        "limits.pass_bytes"
    ),
    "RM always comes after 5 milliseconds": "limits.rm_delay",
    "it is fixed": (
        "limits.record_bytes_per_hour limits.record_bytes_per_game "
        "limits.order_bytes_per_turn limits.order_bytes_per_hour "
        "limits.guest_bytes_per_hour"
    ),
    "who leaves a megabyte unread is not heard, and gets no ADM": (
        "limits.unread_bytes limits.own_unread_bytes limits.admin_unread_bytes"
    ),
    "64 places are kept, or a sixteenth of all": "limits.reserved_connections",
    "IAM must be there after 2 seconds": "limits.reserve_seconds",
    "how wrong passcodes delay answers is fixed, see docs/operating.md": (
        "limits.guesses_per_address limits.guesses_per_seat limits.guess_seconds "
        "limits.guess_delay limits.guess_delay_per_address limits.guess_delay_per_seat "
        "limits.guess_accounts"
    ),
    "returns are bounded by connections_per_second": (
        "limits.returns_per_seat limits.return_delay"
    ),
    "each game has a journal of its own, which goes when the game is over": (
        "journal.rewrite_bytes journal.rewrite_ratio"
    ),
    "a proxy in front of the page bounds it, see docs/operating.md": (
        "web.connections web.connections_per_address web.send_seconds web.proxies "
        "web.spectators_per_address web.requests_per_second"
    ),
    "the head of a request may have 16000 bytes": "web.header_bytes",
    "a connection may be without a request for 15 seconds": "web.idle_seconds",
}
"""What became of settings that earlier versions had."""
GONE_SETTINGS = {
    setting: text for text, settings in _GONE.items() for setting in settings.split()
}

TABLE = table.SettingsTable(ServerSettings, GONE_SETTINGS)
DEFAULTS = ServerSettings()


def read_file(path: Path, warn: Callable[[str], None] = table.ignore) -> table.Layer:
    """Return the settings in a TOML file.

    Calls *warn* with a line for each setting that no longer exists. Raises
    `SettingsError` with everything that is wrong in the file.
    """
    return TABLE.read(read_toml(path, table.SettingsError), str(path), warn)


def in_force(*layers: table.Layer) -> str:
    """Return all settings as TOML, each with the source of its value."""
    settings = TABLE.compose(*layers)

    def origin(row: Setting) -> str:
        origins = [layer[row].origin for layer in layers if row in layer]
        return origins[-1] if origins else "default"

    return table.toml_document(TABLE.rows, lambda row: row.value_in(settings), origin)


def too_few_seat_ports(settings: ServerSettings, seats: int) -> str | None:
    """Return what is wrong if *seats* have too few ports, else `None`."""
    ports = settings.service.seat_ports
    if not ports or ports == FREE_PORTS or len(ports) >= seats:
        return None
    found = f"{len(ports)} ports, {ports[0]}-{ports[-1]}"
    return f"--seat-ports: found {found}, expected {seats} or more, one for each power"


def too_few_files(settings: ServerSettings, seats: int, files: int) -> str | None:
    """Return what is wrong if *files* are too few for one game, else `None`."""
    needed = RESERVED_FILES + seats
    if settings.connections.total is not None or files >= needed:
        return None
    return (
        f"found a limit of {files} open files (ulimit -n), expected {needed} or more: "
        f"{seats} connections of a game, and {RESERVED_FILES} others"
    )
