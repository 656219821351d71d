"""Settings of the server itself: addresses, folders, the board, chance."""

from typing import Final

from daide_server.classes import frozen
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import (
    FOLDER,
    FOLDER_OR_NONE,
    PORT,
    PORT_RANGE,
    SEAT_PORTS,
    SWITCH,
    either,
    text,
    whole,
)

GAMES: Final = either(whole(0), 0, None)
START_OR_NONE: Final = either(
    text("FILE:PHASE", "a phase such as game.json:F1905M"), "", None
)
SEED: Final = either(whole(metavar="NUMBER"), "random", None)


@frozen(kw_only=True)
class ServiceSettings:
    """Where the server listens, what it reads and writes, and when it ends."""

    host: str = setting(
        text("ADDRESS", "an address"),
        "127.0.0.1",
        "Address to listen on; 0.0.0.0 is every interface.",
        option="--host",
    )
    port: int = setting(
        PORT, 16713, "Port to listen on; 0 takes any free one.", option="--port"
    )
    game_ports: tuple[int, ...] = setting(
        PORT_RANGE,
        (),
        "Ports for single games, one each, as well.",
        option="--game-ports",
    )
    seat_ports: tuple[int, ...] = setting(
        SEAT_PORTS,
        (),
        "A port for each seat of a game, in the order of the powers: who connects "
        "there gets that seat. Games at the same time need a set each; 0 takes free "
        "ones.",
        option="--seat-ports",
    )
    games: int | None = setting(
        GAMES,
        None,
        "Stop after so many games; 0 goes on for ever.",
        option="--games",
    )
    drain: bool = setting(
        SWITCH,
        default=False,
        help="SIGTERM takes no new games and waits for the running ones; a second one "
        "stops.",
        option="--drain",
    )
    records: str = setting(
        FOLDER,
        "records",
        "Folder for the records of finished games.",
        option="--records",
    )
    trace: str | None = setting(
        FOLDER_OR_NONE,
        None,
        "Folder in which the conversation with each client is kept, without passcodes; "
        "the command `trace` shows it.",
        option="--trace",
    )
    trace_bytes: int = setting(
        whole(0, unit="bytes"),
        16_777_216,
        "Bytes of one conversation in that folder; more is not kept, and the name of "
        "the file ends with -cut.",
    )
    save: str | None = setting(
        FOLDER_OR_NONE,
        None,
        "Folder in which running games are saved when the server is stopped, and at "
        "SIGUSR1.",
        option="--save",
    )
    load: str | None = setting(
        FOLDER_OR_NONE,
        None,
        "Folder of saved games to continue with, each with the options it was saved "
        "with.",
        option="--load",
    )


@frozen(kw_only=True)
class BoardSettings:
    """The board of the games, and where they begin."""

    variant: str = setting(
        text("BOARD", "a board"),
        "standard",
        "The board: a name that `daide-server maps list` shows, or a map file.",
        option="--variant",
    )
    start: str | None = setting(
        START_OR_NONE,
        None,
        "Begin at a phase of a record or of a file of positions, such as "
        "game.json:F1905M; empty: as the board says.",
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
