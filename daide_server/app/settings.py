"""All settings: the classes of the components, their sections and sources.

Quick to import, so that `serve --help` needs no server. How to add a setting: see
`daide_server.settings`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import frozen

from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.server.limits import RESERVED_FILES, ConnectionLimits, SessionLimits
from daide_server.settings.descriptor import Setting, component
from daide_server.settings.kinds import FREE_PORTS
from daide_server.settings.table import (
    Layer,
    SettingsError,
    SettingsTable,
    ignore,
    toml_document,
)
from daide_server.storage.texts import TomlError, read_toml

from .service_settings import (
    BoardSettings,
    ChanceSettings,
    JournalSettings,
    LogSettings,
    ServiceSettings,
    WebSettings,
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


_GONE: Final = {
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
GONE_SETTINGS: Final = {
    setting: text for text, settings in _GONE.items() for setting in settings.split()
}

TABLE: Final = SettingsTable(ServerSettings, GONE_SETTINGS)
DEFAULTS: Final = ServerSettings()


def read_file(path: Path, warn: Callable[[str], None] = ignore) -> Layer:
    """Return the settings in a TOML file.

    Calls *warn* with a line for each setting that no longer exists. Raises
    `SettingsError` with everything that is wrong in the file.
    """
    try:
        found = read_toml(path)
    except TomlError as error:
        raise SettingsError(str(error)) from error
    return TABLE.read(found, str(path), warn)


def in_force(*layers: Layer) -> str:
    """Return all settings as TOML, each with the source of its value."""
    settings = TABLE.compose(*layers)

    def origin(row: Setting) -> str:
        origins = [layer[row].origin for layer in layers if row in layer]
        return origins[-1] if origins else "default"

    return toml_document(TABLE.rows, lambda row: row.value_in(settings), origin)


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
