"""A connection from either end: sections 1.4 to 1.6 of the protocol facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.tokens import Token
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    INITIAL_MESSAGE,
    MAX_MESSAGE_BYTES,
    ClientConnection,
    Connection,
    ConnectionState,
    ErrorCode,
    encode_tokens,
    error_message,
    representation_message,
)

IM = INITIAL_MESSAGE
RM = representation_message(())
FM = FINAL_MESSAGE
EM = error_message(ErrorCode.WRONG_LENGTH)
OBS = (Token(0x480F),)
MAP = (Token(0x4809),)
DM = encode_tokens(OBS)
octets = bytes.fromhex
ENTRIES = ((Token(0x4100), "RED"), (Token(0x5500), "HUB"))


def server() -> Connection:
    return Connection(())


def joined() -> Connection:
    connection = server()
    connection.receive(IM)
    connection.take_output()
    return connection


def client() -> ClientConnection:
    connection = ClientConnection()
    connection.take_output()
    return connection


def answered() -> ClientConnection:
    connection = client()
    connection.receive(RM)
    return connection


# What goes well


def test_a_client_that_says_im_is_answered_with_rm() -> None:
    connection = server()

    assert connection.receive(IM) == []
    assert connection.take_output() == RM
    assert connection.take_output() == b""
    assert connection.state is ConnectionState.OPEN


def test_another_map_sends_its_names() -> None:
    connection, peer = Connection(ENTRIES), ClientConnection()

    connection.receive(peer.take_output())
    peer.receive(connection.take_output())

    assert peer.representation == ENTRIES
    assert peer.state is ConnectionState.OPEN


def test_messages_come_out_in_order() -> None:
    assert joined().receive(DM + encode_tokens(MAP) + DM) == [OBS, MAP, OBS]
    assert answered().receive(DM + encode_tokens(MAP)) == [OBS, MAP]


def test_a_client_may_speak_before_it_has_seen_the_rm() -> None:
    """Real clients do: their messages wait behind the RM."""
    connection = server()

    assert connection.receive(IM + DM) == [OBS]
    assert connection.take_output() == RM


def test_the_padding_of_a_header_is_ignored() -> None:
    """Real clients send garbage there."""
    connection = server()

    assert connection.receive(IM[:1] + b"\xcd" + IM[2:]) == []
    assert connection.receive(DM[:1] + b"\xcd" + DM[2:]) == [OBS]


def test_a_message_has_a_largest_length() -> None:
    body = OBS * (MAX_MESSAGE_BYTES // 2)

    connection = joined()
    assert connection.receive(encode_tokens(body)) == [body]
    assert connection.receive(encode_tokens(body + OBS)) == []
    assert connection.fault is ErrorCode.WRONG_LENGTH


@pytest.mark.parametrize(
    "farewell", [FM, EM, EM[:4], octets("03000002"), EM[:3] + b"\7"]
)
def test_a_farewell_closes_and_is_never_answered(farewell: bytes) -> None:
    for connection in (joined(), server(), answered(), client()):
        connection.receive(farewell)

        assert connection.state is ConnectionState.CLOSED
        assert connection.fault is None
        assert connection.take_output() == b""


# What goes wrong


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (DM, ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (RM, ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (b"GET / HTTP/1.1\r\n", ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (octets("0000 0400 0100 10DA"), ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0400"), ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0001 10DA"), ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0100 10DA"), ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0001 DA11"), ErrorCode.WRONG_MAGIC_NUMBER),
        (octets("0000 0004 0002 DA11"), ErrorCode.WRONG_MAGIC_NUMBER),
        (octets("0000 0004 0002 DA10"), ErrorCode.WRONG_VERSION),
        (octets("0000 0002"), ErrorCode.WRONG_LENGTH),
        (octets("0000 0006"), ErrorCode.WRONG_LENGTH),
        (IM + IM, ErrorCode.SECOND_INITIAL_MESSAGE),
        (IM + RM, ErrorCode.REPRESENTATION_BY_CLIENT),
        (IM + octets("0500 0000"), ErrorCode.UNKNOWN_MESSAGE_TYPE),
        (IM + octets("0200 0000"), ErrorCode.WRONG_LENGTH),
        (IM + octets("0200 0003"), ErrorCode.WRONG_LENGTH),
        (IM + octets("0200 7FF8"), ErrorCode.WRONG_LENGTH),
        (IM + encode_tokens((Token(0x5800),)), ErrorCode.INVALID_TOKEN),
    ],
)
def test_a_fault_of_the_client_is_told_by_its_code(
    data: bytes, code: ErrorCode
) -> None:
    connection = server()
    connection.receive(data)

    assert connection.fault is code
    assert connection.state is ConnectionState.CLOSED
    assert connection.take_output().endswith(error_message(code))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (IM, ErrorCode.INITIAL_MESSAGE_BY_SERVER),
        (RM + IM, ErrorCode.INITIAL_MESSAGE_BY_SERVER),
        (DM, ErrorCode.DIPLOMACY_BEFORE_REPRESENTATION),
        (octets("0900 0000"), ErrorCode.REPRESENTATION_NOT_FIRST),
        (RM + RM, ErrorCode.SECOND_REPRESENTATION),
        (RM + octets("0900 0000"), ErrorCode.UNKNOWN_MESSAGE_TYPE),
        (octets("0100 0005"), ErrorCode.WRONG_LENGTH),
        (RM + octets("0200 0001"), ErrorCode.WRONG_LENGTH),
        (RM + encode_tokens((Token(0x5FFF),)), ErrorCode.INVALID_TOKEN),
    ],
)
def test_a_fault_of_the_server_is_told_by_its_code(
    data: bytes, code: ErrorCode
) -> None:
    connection = client()
    connection.receive(data)

    assert connection.fault is code
    assert connection.state is ConnectionState.CLOSED
    assert connection.take_output() == error_message(code)


def test_a_client_that_says_nothing_is_timed_out() -> None:
    connection = server()
    connection.time_out()

    assert connection.fault is ErrorCode.INITIAL_MESSAGE_TIMER
    assert connection.take_output() == octets("04000002 0001")


def test_a_client_that_has_said_im_has_no_timer() -> None:
    connection = joined()
    connection.time_out()

    assert connection.state is ConnectionState.OPEN
    assert connection.take_output() == b""


def test_messages_before_a_fault_are_heard() -> None:
    connection = joined()

    assert connection.receive(DM + encode_tokens(MAP) + RM + DM) == [OBS, MAP]
    assert connection.fault is ErrorCode.REPRESENTATION_BY_CLIENT


def test_after_the_end_nothing_is_heard_or_answered() -> None:
    connection = joined()
    connection.receive(RM)
    connection.take_output()

    assert connection.receive(DM + IM + RM) == []
    connection.time_out()
    assert connection.take_output() == b""
    assert connection.fault is ErrorCode.REPRESENTATION_BY_CLIENT


# Whatever arrives

PRIVATE_DM = encode_tokens((Token(0x5800),))
PIECES = st.sampled_from([IM, RM, DM, FM, EM, PRIVATE_DM]) | st.binary(max_size=12)


@given(st.lists(PIECES).map(b"".join), st.data())
def test_where_the_stream_is_cut_makes_no_difference(
    stream: bytes, data: st.DataObject
) -> None:
    whole, cut = server(), server()
    messages = whole.receive(stream)
    heard = []

    while stream:
        size = data.draw(st.integers(1, len(stream)))
        heard += cut.receive(stream[:size])
        stream = stream[size:]

    assert heard == messages
    assert (cut.state, cut.fault) == (whole.state, whole.fault)
    assert cut.take_output() == whole.take_output()
