"""What `admin` and `health` print of servers, and how they fail."""

import json
import os
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from click.testing import Result

from daide_server import __version__
from daide_server.board.map import Variant
from daide_server.daide.frames import FINAL_MESSAGE
from daide_server.library import control_socket
from daide_server.server.events import ClientDropped, RecordStored
from tests.cli.conftest import RM, Script, asked, message, says
from tests.support import commands
from tests.support.commands import refusal
from tests.support.peers import holds
from tests.support.web_pages import controlled

pytestmark = pytest.mark.end_to_end


run = partial(commands.run, "admin")


async def admin(folder: Path, *words: object) -> Result:
    """Return the result of a command, beside which the server goes on."""
    return await trio.to_thread.run_sync(run, "--journal", folder, *words)


async def test_the_status_is_a_table_of_the_games(
    tmp_path: Path, standard: Variant
) -> None:
    async with controlled(tmp_path, mtl=600) as server:
        await server.ask("status")
        seats = await server.players()
        for power, peer in seats.items():
            if power not in {"ENG", "FRA"}:
                await peer.say(holds(standard.start, power))
                await peer.hear_until("THX")
        await seats["ENG"].close()
        await seats["FRA"].hear_until("CCD ( ENG )")
        shown = await admin(server.folder, "status")
        assert shown.exit_code == 0, shown.output
        first, second, columns, game, forming = shown.output.splitlines()
        at = f"process {os.getpid()}, at {server.address}"
        assert first == f"daide-server {__version__}, {at}"
        assert second.startswith("6 of ")
        assert second.endswith(" connections, ready")
        assert columns.split()[:4] == ["game", "record", "turn", "stage"]
        number, record, *rest = game.split()
        assert (number, record[-5:]) == ("1", "-0001")
        assert rest[:2] == ["S1901M", "playing"]
        assert rest[3:6] == ["s", "ENG", "ENG"]
        assert game.endswith(" 1, FRA peer" + game[-3:])
        assert forming.split()[3:5] == ["forming", "AUS"]
        raw = await admin(server.folder, "--json", "status")
        assert json.loads(raw.output)["games"][0]["game"] == record
        metrics = await admin(server.folder, "metrics")
        assert "daide_games_running 1.0\n" in metrics.output


async def test_games_are_ended_clients_closed_and_the_server_drained(
    tmp_path: Path,
) -> None:
    async with controlled(tmp_path) as server:
        await server.ask("status")
        await server.players()
        kicked = await admin(server.folder, "kick", 1, "FRA")
        assert kicked.output == f"{server.folder}: kick 1 FRA: done\n"
        ended = await admin(server.folder, "end", 1)
        assert ended.output == f"{server.folder}: end 1: done\n"
        refused = await admin(server.folder, "end", 7)
        assert refused.exit_code == 1
        assert "found game '7', expected one of: 2" in refused.output
        drained = await admin(server.folder, "drain")
        assert drained.output == f"{server.folder}: drain: done\n"
        await server.until_stopped()
    assert len(server.events.of(ClientDropped)) == 1
    assert len(server.events.of(RecordStored)) == 1


def test_the_server_of_the_command_line_is_found_by_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `serve` has it: in the folder journal, or that of the environment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAIDE_PORT", port)
    serve = [sys.executable, "-m", "daide_server", "serve", "--log-level", "error"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            assert f"process {process.pid}, " in run("status").stdout
            monkeypatch.setenv("DAIDE_PORT", "1")
            other = run(f"127.0.0.1:{port}", "metrics")
            assert "daide_clients_connected 0.0" in other.stdout
            wrong = run("status")
            assert wrong.exit_code == 1
            assert wrong.stderr.endswith(
                "journal/127.0.0.1_1: found no server, expected one of: "
                f"journal/127.0.0.1_{port}\n"
            )
        finally:
            process.kill()
    assert refusal("admin", f"127.0.0.1:{port}", "status").endswith(
        "no answer of a server: Connection refused\n"
    )


def test_where_no_server_ever_ran_the_command_says_so(tmp_path: Path) -> None:
    said = refusal("admin", "--journal", tmp_path / "no", "127.0.0.1:5", "status")
    where = tmp_path / "no" / "127.0.0.1_5"
    assert f"{where}: found no server, expected one of: none" in said


def test_a_server_that_hangs_up_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()

    def hang_up(server: socket.socket) -> None:
        client, _ = server.accept()
        client.recv(1)
        client.close()

    with control_socket.listen(tmp_path) as server, ThreadPoolExecutor(1) as pool:
        server.settimeout(20)
        serving = pool.submit(hang_up, server)
        result = run("--journal", tmp_path, "status")
        serving.result()
    control_socket.remove(tmp_path)
    assert result.exit_code == 1
    assert f"{tmp_path}: no answer of a server: " in result.output


FM = FINAL_MESSAGE
health = partial(asked, "health")


def test_a_server_that_answers_im_is_healthy() -> None:
    heard = bytearray()

    def script(client: socket.socket) -> None:
        client.sendall(RM)
        while data := client.recv(1000):
            heard.extend(data)

    result = health(script)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(": healthy\n")
    assert heard == FM


def test_an_ipv6_address_has_brackets() -> None:
    try:
        result = health(says(RM), host="::1")
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")
    assert re.fullmatch(r"\[::1\]:\d+: healthy\n", result.stdout)


def test_a_server_that_answers_map_is_ready() -> None:
    result = health(says(RM, message("MAP ('standard')")), "--ready")

    assert result.exit_code == 0
    assert result.stdout.endswith(": ready\n")


def sends_for_ever(client: socket.socket) -> None:
    """Send what is no answer; the timeout is for all answers together."""
    client.sendall(RM)
    with suppress(OSError):
        while True:
            client.sendall(message("HUH (ERR)"))


READY = ("--ready",)


@pytest.mark.parametrize(
    ("script", "words", "reason"),
    [
        (says(), (), "no RM from the server: timed out"),
        (lambda _: None, (), "the server closed the connection before its RM"),
        (says(b"HTTP/1.1 400 Bad Request\r\n"), (), "the server broke the protocol"),
        # One that cannot write its journal reads nothing, so no answer comes.
        (says(RM), READY, "no MAP from the server: timed out\n"),
        (sends_for_ever, READY, "no MAP from the server: timed out\n"),
        (
            says(RM, message("REJ (MAP)")),
            READY,
            "not ready: there is no game (REJ (MAP))\n",
        ),
        (says(RM, message("OFF")), READY, "not ready: the server is ending (OFF)\n"),
        (says(RM, FM), READY, "the server closed the connection before its MAP\n"),
    ],
)
def test_a_server_that_does_not_answer_is_not_healthy_or_ready(
    script: Script, words: tuple[str, ...], reason: str
) -> None:
    result = health(script, *words, "--timeout", "0.3")

    assert result.exit_code == 1
    assert result.stderr.startswith(f"daide-server: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("host", "reached"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.1", "127.0.0.1")],  # noqa: S104
)
def test_the_address_follows_the_environment(host: str, reached: str) -> None:
    """`serve` reads the same variables."""
    variables = {"DAIDE_HOST": host, "DAIDE_PORT": "1"}
    assert refusal("health", env=variables).startswith(
        f"daide-server: cannot connect to {reached}:1: "
    )
