"""`daide-server talk`: a conversation with a scripted server; lines that are typed."""

import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from io import StringIO
from typing import Any

import pytest

from daide_server.cli.talk import ManualClient, send_all, typed_lines
from daide_server.daide.frames import FINAL_MESSAGE, decode_tokens
from daide_server.daide.vocabulary import Vocabulary, to_text
from tests.cli.conftest import RM, SECONDS, asked, exactly, message, serving
from tests.support.needed import need_package

pytestmark = pytest.mark.end_to_end

RESET = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which a close is a reset."""
talk = partial(asked, "talk")
WAIT = ("--wait", "0.2")


class Answering:
    """A server that says RM, and then `YES (...)` to every message, until FM."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, client: socket.socket) -> None:
        client.sendall(RM)
        while (header := exactly(client, 4)) and header[:2] != FINAL_MESSAGE[:2]:
            body = exactly(client, int.from_bytes(header[2:], "big"))
            text = to_text(decode_tokens(body), Vocabulary.standard())
            self.heard.append(text)
            client.sendall(message(f"YES ({text})"))


def test_each_line_is_a_message() -> None:
    server = Answering()
    lines = "# a comment\nOBS\n\nNME ('a') ('1')\n"
    result = talk(server, *WAIT, input=lines)

    assert server.heard == ["OBS", "NME ( 'a' ) ( '1' )"]
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "< YES ( OBS )",
        "< YES ( NME ( 'a' ) ( '1' ) )",
        "the connection is closed",
    ]


def test_a_line_that_is_no_message_is_not_sent() -> None:
    server = Answering()
    result = talk(server, *WAIT, input=b"FOO\n\xff\nOBS\n")

    assert server.heard == ["OBS"]
    assert result.exit_code == 1
    assert "not sent: no word is called 'FOO'" in result.stderr


def test_texts_from_the_server_are_made_printable() -> None:
    def script(client: socket.socket) -> None:
        client.sendall(RM)
        client.sendall(message(r"MAP ('\x1b[2J')"))
        exactly(client, 4)

    result = talk(script, *WAIT)

    assert r"< MAP ( '\x1B[2J' )" in result.stdout.splitlines()
    assert "\x1b" not in result.output


def test_who_watches_need_not_answer_map() -> None:
    def script(client: socket.socket) -> None:
        client.sendall(RM)
        assert exactly(client, 6) == message("OBS")
        client.sendall(message("YES (OBS)") + message("MAP ('standard')"))
        answer = message("YES (MAP ('standard'))")
        assert exactly(client, len(answer)) == answer
        exactly(client, 4)

    result = talk(script, *WAIT, "--watch")

    assert "> YES ( MAP ( 'standard' ) )" in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", "it closed the connection"),
        (b"HTTP/1.1 400", "the server broke the protocol: representation_not_first"),
        (b"\x04\x00\x00\x02\x00\x05", "the server says EM 0x05 wrong_version"),
    ],
)
def test_a_server_without_rm_is_one_line(sent: bytes, told: str) -> None:
    """Whatever it sends instead: the line says what came."""
    result = talk(lambda client: client.sendall(sent), *WAIT, input="OBS\n")

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
    sent: bytes, told: str
) -> None:
    def script(client: socket.socket) -> None:
        client.sendall(RM + message("OFF") + sent)
        exactly(client, 4)

    result = talk(script, *WAIT)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["< OFF", "the connection is closed"]
    assert result.stderr == f"daide-server: {told}\n"


def test_a_connection_that_is_lost_is_told() -> None:
    def script(client: socket.socket) -> None:
        client.sendall(RM)
        exactly(client, 6)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    result = talk(script, "--wait", "5", input="OBS\n")

    assert result.exit_code == 1
    assert "daide-server: the connection is lost: Connection reset" in result.stderr


def test_what_is_not_sent_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The server has said FM: lines that follow reach nobody; comments need not."""

    def script(client: socket.socket) -> None:
        client.sendall(RM + message("OFF") + FINAL_MESSAGE)
        exactly(client, 4)

    with serving(script) as address, socket.create_connection(address, SECONDS) as link:
        client = ManualClient(link, "norman")
        assert client.receive(lambda _: None) == ""
        assert send_all(client, ["# a comment", ""])
        assert not send_all(client, ["OBS", "NOW"])
        client.close()
    assert capsys.readouterr().err == "not sent: the connection is closed\n"


# Typed lines, with prompt_toolkit and without it


WORDS = ("NOW", "OBS", "ORD")


@pytest.fixture
def without_prompt_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the import of prompt_toolkit fail."""
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)


@pytest.mark.usefixtures("without_prompt_toolkit")
def test_without_the_extra_lines_are_read_by_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("OBS\n\nNOW\n"))

    assert list(typed_lines(WORDS)) == ["OBS", "", "NOW"]
    assert capsys.readouterr().out.startswith("> > > ")


@pytest.mark.usefixtures("without_prompt_toolkit")
def test_without_the_extra_tab_completes_words(monkeypatch: pytest.MonkeyPatch) -> None:
    readline = need_package("readline")
    monkeypatch.setattr(sys, "stdin", StringIO(""))

    assert list(typed_lines(WORDS)) == []

    complete = readline.get_completer()
    assert [complete("o", number) for number in range(3)] == ["OBS", "ORD", None]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [("OBS\r\rNOW\r\x04", ["OBS", "", "NOW"]), ("OBX\x7fS\r\x04", ["OBS"])],
    ids=["typed", "corrected"],
)
def test_with_the_extra_lines_are_edited(keys: str, expected: list[str]) -> None:
    need_package("prompt_toolkit")
    sessions: Any = import_module("prompt_toolkit.application")
    inputs: Any = import_module("prompt_toolkit.input")
    outputs: Any = import_module("prompt_toolkit.output")

    def type_lines() -> list[str]:
        with (
            inputs.create_pipe_input() as typed,
            sessions.create_app_session(input=typed, output=outputs.DummyOutput()),
        ):
            typed.send_text(keys)
            return list(typed_lines(WORDS))

    # Tests with a browser leave an event loop in the main thread.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(type_lines).result() == expected
