"""`daide-server talk`: a conversation with a scripted server."""

import socket
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.cli.talk import ManualClient, send_all
from daide_server.language.vocabulary import Vocabulary, from_text, to_text
from daide_server.storage.variants import load_variant
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    decode_tokens,
    encode_tokens,
    representation_message,
)

pytestmark = pytest.mark.end_to_end

VOCABULARY = Vocabulary.of(load_variant("standard").map)
IM_BYTES = 8
FINAL = b"\x03\x00"
SECONDS = 20

OPENING = representation_message(VOCABULARY.representation)
RESET = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which a close is a reset."""

Script = Callable[[socket.socket], None]


class Server:
    """A server for one client that plays a script."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(SECONDS)
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"

    def serve(self, script: Script) -> None:
        client, _ = self._listening.accept()
        with client, self._listening:
            client.settimeout(SECONDS)
            assert len(exactly(client, IM_BYTES)) == IM_BYTES
            script(client)

    def answer_all(self, client: socket.socket) -> None:
        """Send RM, then `YES (...)` to every message, until FM."""
        client.sendall(representation_message(VOCABULARY.representation))
        while (header := exactly(client, 4)) and header[:2] != FINAL:
            body = exactly(client, int.from_bytes(header[2:], "big"))
            text = to_text(decode_tokens(body), VOCABULARY)
            self.heard.append(text)
            client.sendall(message(f"YES ({text})"))


def message(text: str) -> bytes:
    return encode_tokens(from_text(text, VOCABULARY))


def exactly(client: socket.socket, size: int) -> bytes:
    """Return *size* bytes, fewer if the client has gone."""
    data = b""
    while len(data) < size and (more := client.recv(size - len(data))):
        data += more
    return data


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server._listening.close()


def talk(server: Server, script: Script, text: str | bytes, *options: str) -> Result:
    """Return the result of a talk with *text* on standard input."""
    words = ["talk", server.address, "--wait", "0.2", *options]
    with ThreadPoolExecutor(1) as pool:
        serving = pool.submit(server.serve, script)
        result = CliRunner().invoke(main, words, input=text)
        serving.result()
    return result


def test_each_line_is_a_message(server: Server) -> None:
    result = talk(server, server.answer_all, "# a comment\nOBS\n\nNME ('a') ('1')\n")

    assert server.heard == ["OBS", "NME ( 'a' ) ( '1' )"]
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "< YES ( OBS )",
        "< YES ( NME ( 'a' ) ( '1' ) )",
        "the connection is closed",
    ]


def test_a_line_that_is_no_message_is_not_sent(server: Server) -> None:
    result = talk(server, server.answer_all, b"FOO\n\xff\nOBS\n")

    assert server.heard == ["OBS"]
    assert result.exit_code == 1
    assert "not sent: no word is called 'FOO'" in result.stderr


def test_texts_from_the_server_are_made_printable(server: Server) -> None:
    def script(client: socket.socket) -> None:
        client.sendall(representation_message(VOCABULARY.representation))
        client.sendall(message(r"MAP ('\x1b[2J')"))
        exactly(client, 4)

    result = talk(server, script, "")

    assert r"< MAP ( '\x1B[2J' )" in result.stdout.splitlines()
    assert "\x1b" not in result.output


def test_who_watches_need_not_answer_map(server: Server) -> None:
    def script(client: socket.socket) -> None:
        client.sendall(representation_message(VOCABULARY.representation))
        assert exactly(client, 6) == message("OBS")
        client.sendall(message("YES (OBS)") + message("MAP ('standard')"))
        answer = message("YES (MAP ('standard'))")
        assert exactly(client, len(answer)) == answer
        exactly(client, 4)

    result = talk(server, script, "", "--watch")

    assert "> YES ( MAP ( 'standard' ) )" in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "it closed the connection"),
        (b"HTTP/1.1 400", "the server broke the protocol: representation_not_first"),
        (b"\x04\x00\x00\x02\x00\x05", "the server says EM 0x05 wrong_version"),
    ],
)
def test_a_server_without_rm_is_one_line(
    server: Server, sent: bytes, told: str
) -> None:
    """Whatever it sends instead: the line says what came."""
    result = talk(server, lambda client: client.sendall(sent), "OBS\n")

    assert result.exit_code == 1
    assert result.stderr == f"daide-server: no RM from the server: {told}\n"


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"\x04\x00\x00\x02\x00\x01", "the server says EM 0x01 initial_message_timer"),
        (
            b"\x02\x00\x00\x03\x48\x13\x00",
            "the server broke the protocol: wrong_length",
        ),
    ],
)
def test_a_conversation_that_one_end_breaks_off_has_failed(
    server: Server, sent: bytes, told: str
) -> None:
    def script(client: socket.socket) -> None:
        client.sendall(OPENING + message("OFF") + sent)
        exactly(client, 4)

    result = talk(server, script, "")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["< OFF", "the connection is closed"]
    assert result.stderr == f"daide-server: {told}\n"


def test_a_connection_that_is_lost_is_told(server: Server) -> None:
    def script(client: socket.socket) -> None:
        client.sendall(OPENING)
        exactly(client, 6)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    result = talk(server, script, "OBS\n", "--wait", "5")

    assert result.exit_code == 1
    assert "daide-server: the connection is lost: Connection reset" in result.stderr


def test_what_is_not_sent_is_told(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server has said FM: lines that follow reach nobody; comments need not."""

    def script(client: socket.socket) -> None:
        client.sendall(OPENING + message("OFF") + FINAL_MESSAGE)
        exactly(client, 4)

    host, _, port = server.address.partition(":")
    with ThreadPoolExecutor(1) as pool:
        serving = pool.submit(server.serve, script)
        with socket.create_connection((host, int(port)), SECONDS) as link:
            client = ManualClient(link, "norman")
            assert client.receive(lambda _: None) == ""
            assert send_all(client, ["# a comment", ""])
            assert not send_all(client, ["OBS", "NOW"])
            client.close()
        serving.result()
    assert capsys.readouterr().err == "not sent: the connection is closed\n"


@pytest.mark.parametrize(
    "address", ["nowhere", "host:", "host:0", "host:65536", "host:" + "9" * 5000]
)
def test_an_address_that_is_none_is_a_wrong_usage(address: str) -> None:
    result = CliRunner().invoke(main, ["talk", address])

    assert result.exit_code == 2
    assert "expected HOST:PORT" in result.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "a" * 70, "..", ""])
def test_no_server_is_one_line(host: str) -> None:
    result = CliRunner().invoke(main, ["talk", f"{host}:1"])

    assert result.exit_code == 1
    assert result.stderr.startswith(f"daide-server: cannot connect to {host or '127'}")
    assert result.stderr.count("\n") == 1
