"""`daide-server health`: what a check asks, and how it fails."""

import re
import socket
from functools import partial

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.wire.frames import FINAL_MESSAGE
from tests.cli.conftest import RM, Script, asked, message, says

pytestmark = pytest.mark.end_to_end

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


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (says(), "no RM from the server: timed out"),
        (lambda _: None, "the server closed the connection before its RM"),
        (says(b"HTTP/1.1 400 Bad Request\r\n"), "the server broke the protocol"),
    ],
)
def test_a_server_that_does_not_answer_im_is_not(script: Script, reason: str) -> None:
    result = health(script, "--timeout", "0.3")

    assert result.exit_code == 1
    assert result.stderr.startswith(f"daide-server: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "no MAP from the server: timed out"),
        (message("REJ (MAP)"), "not ready: there is no game (REJ (MAP))"),
        (message("OFF"), "not ready: the server is ending (OFF)"),
        (FM, "the server closed the connection before its MAP"),
    ],
)
def test_a_server_that_does_not_answer_map_is_not_ready(
    answer: bytes, reason: str
) -> None:
    """One that cannot write its journal reads nothing, so the answer does not come."""
    result = health(says(RM, answer), "--ready", "--timeout", "0.3")

    assert result.exit_code == 1
    assert result.stderr == f"daide-server: {reason}\n"


def test_a_server_that_sends_for_ever_has_the_timeout_too() -> None:
    """It is for all answers together."""

    def script(client: socket.socket) -> None:
        client.sendall(RM)
        try:
            while True:
                client.sendall(message("HUH (ERR)"))
        except OSError:
            pass

    result = health(script, "--ready", "--timeout", "0.3")

    assert result.exit_code == 1
    assert result.stderr == "daide-server: no MAP from the server: timed out\n"


def test_no_server_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    result = CliRunner().invoke(main, ["health", f"127.0.0.1:{port}"])

    assert result.exit_code == 1
    assert result.stderr == (
        f"daide-server: cannot connect to 127.0.0.1:{port}: Connection refused\n"
    )


@pytest.mark.parametrize(
    ("host", "reached"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.1", "127.0.0.1")],  # noqa: S104
)
def test_the_address_follows_the_environment(host: str, reached: str) -> None:
    """`serve` reads the same variables."""
    variables = {"DAIDE_HOST": host, "DAIDE_PORT": "1"}
    result = CliRunner().invoke(main, ["health"], env=variables)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"daide-server: cannot connect to {reached}:1: ")
