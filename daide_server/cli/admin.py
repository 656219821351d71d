"""`daide-server admin`: looks at a running server, and controls it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from daide_server.library import control_socket
from daide_server.library.journal_folder import LOCK, address_folder
from daide_server.server.control_messages import GameStatus, PowerStatus, ServerStatus
from daide_server.server.settings import DEFAULTS

from .common.failures import CommandError
from .common.options import environment_variable, served_address, to_address
from .common.printing import print_content, print_line, print_text
from .common.styled_output import table_text

ANSWER_SECONDS = 10.0
"""Time limit for each part of the server's answer, in seconds."""
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "status": (),
    "metrics": (),
    "drain": (),
    "end": ("game",),
    "kick": ("game", "power"),
}
"""The requests, and the arguments that each needs."""
USAGE = "|".join(
    " ".join([name, *map(str.upper, needed)]) for name, needed in REQUESTS.items()
)

COLUMNS = ("game", "record", "turn", "stage", "left", "missing", "owes orders")


@click.command()
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    envvar=environment_variable("journal"),
    default=DEFAULTS.journal.folder,
    help="Journal folder of `serve`, or the subfolder of one address.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.argument("words", nargs=-1, required=True, metavar=f"[HOST:PORT] {USAGE}")
def command(journal: Path, words: tuple[str, ...], *, as_json: bool) -> None:
    """Look at a server that runs on this machine, and control it.

    \b
    status           the server and its games: who owes orders, who is missing
    metrics          its metrics, for Prometheus
    drain            open no new games, and exit when the running ones are over
    end GAME         abort a running game, and record it
    kick GAME POWER  close the connection of the client that plays a power

    GAME is the number of a game or the id of its record. The command uses a socket in
    the server's journal folder, which only its user can open; without a journal
    (--durability none) there is none.

    The default of HOST:PORT is that of `serve`, including the environment variables
    DAIDE_HOST and DAIDE_PORT. HOST is that of `serve --host`.

    \b
    Examples:
      daide-server admin status
      daide-server admin --journal /journal 0.0.0.0:16713 kick 3 FRA
    """
    address, request = _request(words)
    folder = _folder(journal, address)
    answer = _asked(folder, msgspec.json.encode(request) + b"\n")
    found = msgspec.json.decode(answer, type=dict[str, object])
    if not found.get("ok"):
        raise CommandError(f"{folder}: {found['error']}")
    if as_json:
        print_text(answer.decode())
    elif request["do"] == "status":
        _print_status(msgspec.convert(found, ServerStatus))
    elif request["do"] == "metrics":
        print_text(str(found["metrics"]))
    else:
        print_line(f"{folder}: {' '.join(request.values())}: done")


def _request(words: Sequence[str]) -> tuple[tuple[str, str], dict[str, str]]:
    """Return the address of the server, and the request."""
    address = served_address()
    if words[0] not in REQUESTS and words[0].rpartition(":")[2].isdecimal():
        host, port = to_address(words[0])
        address, words = (host, str(port)), words[1:]
    name, *values = words or [""]
    if name not in REQUESTS or len(values) != len(REQUESTS[name]):
        raise click.UsageError(f"found {' '.join(words)!r}, expected one of: {USAGE}")
    return address, {"do": name, **dict(zip(REQUESTS[name], values, strict=True))}


# The server


def _folder(journal: Path, address: tuple[str, str]) -> Path:
    """Return the journal folder of the server; raises `CommandError`."""
    folder = journal if (journal / LOCK).exists() else address_folder(journal, *address)
    if control_socket.is_in(folder):
        return folder
    others = [
        str(each)
        for each in sorted(journal.glob("*"))
        if each.is_dir() and control_socket.is_in(each)
    ]
    expected = ", ".join(others) or "none"
    raise CommandError(f"{folder}: found no server, expected one of: {expected}")


def _asked(folder: Path, request: bytes) -> bytes:
    """Return the answer of the server of *folder*; raises `CommandError`."""
    try:
        return control_socket.ask(folder, request, ANSWER_SECONDS)
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"{folder}: no answer of a server: {reason}") from error


# Output


def _print_status(status: ServerStatus) -> None:
    print_line(
        f"daide-server {status.version}, process {status.pid}, "
        f"at {' and '.join(status.addresses)}"
    )
    ready = f"not ready: {status.unready}" if status.unready else "ready"
    if status.draining:
        ready += ", draining"
    print_line(f"{status.connections} of {status.places} connections, {ready}")
    if status.games:
        print_content(table_text([COLUMNS, *map(_row, status.games)], {"game", "left"}))


def _row(game: GameStatus) -> tuple[str, ...]:
    left = "" if game.seconds_left is None else f"{game.seconds_left:.0f} s"
    missing = [each.power for each in game.powers if not each.connected]
    owing = [_named(each) for each in game.powers if each.owes]
    return (
        str(game.number),
        game.game,
        game.turn,
        game.stage,
        left,
        " ".join(missing),
        ", ".join(owing),
    )


def _named(power: PowerStatus) -> str:
    """Return a power, and the client that plays it."""
    return " ".join(filter(None, [power.power, power.name, power.version]))
