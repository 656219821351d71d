"""A connection from either end: sections 1.4 to 1.6 of the protocol facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.daide import frames
from daide_server.daide.tokens import Token

IM = frames.INITIAL_MESSAGE
RM = frames.representation_message(())
FM = frames.FINAL_MESSAGE
EM = frames.error_message(frames.ErrorCode.WRONG_LENGTH)
OBS = (Token(0x480F),)
MAP = (Token(0x4809),)
DM = frames.encode_tokens(OBS)
octets = bytes.fromhex
ENTRIES = ((Token(0x4100), "RED"), (Token(0x5500), "HUB"))


def server() -> frames.Connection:
    return frames.Connection(())


def joined() -> frames.Connection:
    connection = server()
    connection.receive(IM)
    connection.take_output()
    return connection


def client() -> frames.ClientConnection:
    connection = frames.ClientConnection()
    connection.take_output()
    return connection


def answered() -> frames.ClientConnection:
    connection = client()
    connection.receive(RM)
    return connection


# What goes well


def test_a_client_that_says_im_is_answered_with_rm() -> None:
    connection = server()

    assert connection.receive(IM) == []
    assert connection.take_output() == RM
    assert connection.take_output() == b""
    assert connection.state is frames.ConnectionState.OPEN


def test_another_map_sends_its_names() -> None:
    connection, peer = frames.Connection(ENTRIES), frames.ClientConnection()

    connection.receive(peer.take_output())
    peer.receive(connection.take_output())

    assert peer.representation == ENTRIES
    assert peer.state is frames.ConnectionState.OPEN


def test_messages_come_out_in_order() -> None:
    assert joined().receive(DM + frames.encode_tokens(MAP) + DM) == [OBS, MAP, OBS]
    assert answered().receive(DM + frames.encode_tokens(MAP)) == [OBS, MAP]


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
    body = OBS * (frames.MAX_MESSAGE_BYTES // 2)

    connection = joined()
    assert connection.receive(frames.encode_tokens(body)) == [body]
    assert connection.receive(frames.encode_tokens(body + OBS)) == []
    assert connection.fault is frames.ErrorCode.WRONG_LENGTH


@pytest.mark.parametrize(
    "farewell", [FM, EM, EM[:4], octets("03000002"), EM[:3] + b"\7"]
)
def test_fm_and_em_close_and_are_never_answered(farewell: bytes) -> None:
    for connection in (joined(), server(), answered(), client()):
        connection.receive(farewell)

        assert connection.state is frames.ConnectionState.CLOSED
        assert connection.fault is None
        assert connection.take_output() == b""


# What goes wrong


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (DM, frames.ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (RM, frames.ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (b"GET / HTTP/1.1\r\n", frames.ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        (octets("0000 0400 0100 10DA"), frames.ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0400"), frames.ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0001 10DA"), frames.ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0100 10DA"), frames.ErrorCode.WRONG_BYTE_ORDER),
        (octets("0000 0004 0001 DA11"), frames.ErrorCode.WRONG_MAGIC_NUMBER),
        (octets("0000 0004 0002 DA11"), frames.ErrorCode.WRONG_MAGIC_NUMBER),
        (octets("0000 0004 0002 DA10"), frames.ErrorCode.WRONG_VERSION),
        (octets("0000 0002"), frames.ErrorCode.WRONG_LENGTH),
        (octets("0000 0006"), frames.ErrorCode.WRONG_LENGTH),
        (IM + IM, frames.ErrorCode.SECOND_INITIAL_MESSAGE),
        (IM + RM, frames.ErrorCode.REPRESENTATION_BY_CLIENT),
        (IM + octets("0500 0000"), frames.ErrorCode.UNKNOWN_MESSAGE_TYPE),
        (IM + octets("0200 0000"), frames.ErrorCode.WRONG_LENGTH),
        (IM + octets("0200 0003"), frames.ErrorCode.WRONG_LENGTH),
        (IM + octets("0200 7FF8"), frames.ErrorCode.WRONG_LENGTH),
        (IM + frames.encode_tokens((Token(0x5800),)), frames.ErrorCode.INVALID_TOKEN),
    ],
)
def test_a_fault_of_the_client_is_told_by_its_code(
    data: bytes, code: frames.ErrorCode
) -> None:
    connection = server()
    connection.receive(data)

    assert connection.fault is code
    assert connection.state is frames.ConnectionState.CLOSED
    assert connection.take_output().endswith(frames.error_message(code))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (IM, frames.ErrorCode.INITIAL_MESSAGE_BY_SERVER),
        (RM + IM, frames.ErrorCode.INITIAL_MESSAGE_BY_SERVER),
        (DM, frames.ErrorCode.DIPLOMACY_BEFORE_REPRESENTATION),
        (octets("0900 0000"), frames.ErrorCode.REPRESENTATION_NOT_FIRST),
        (RM + RM, frames.ErrorCode.SECOND_REPRESENTATION),
        (RM + octets("0900 0000"), frames.ErrorCode.UNKNOWN_MESSAGE_TYPE),
        (octets("0100 0005"), frames.ErrorCode.WRONG_LENGTH),
        (RM + octets("0200 0001"), frames.ErrorCode.WRONG_LENGTH),
        (RM + frames.encode_tokens((Token(0x5FFF),)), frames.ErrorCode.INVALID_TOKEN),
    ],
)
def test_a_fault_of_the_server_is_told_by_its_code(
    data: bytes, code: frames.ErrorCode
) -> None:
    connection = client()
    connection.receive(data)

    assert connection.fault is code
    assert connection.state is frames.ConnectionState.CLOSED
    assert connection.take_output() == frames.error_message(code)


def test_a_client_that_says_nothing_is_timed_out() -> None:
    connection = server()
    connection.time_out()

    assert connection.fault is frames.ErrorCode.INITIAL_MESSAGE_TIMER
    assert connection.take_output() == octets("04000002 0001")


def test_a_client_that_has_said_im_has_no_timer() -> None:
    connection = joined()
    connection.time_out()

    assert connection.state is frames.ConnectionState.OPEN
    assert connection.take_output() == b""


def test_messages_before_a_fault_are_heard() -> None:
    connection = joined()

    assert connection.receive(DM + frames.encode_tokens(MAP) + RM + DM) == [OBS, MAP]
    assert connection.fault is frames.ErrorCode.REPRESENTATION_BY_CLIENT


def test_after_the_end_nothing_is_heard_or_answered() -> None:
    connection = joined()
    connection.receive(RM)
    connection.take_output()

    assert connection.receive(DM + IM + RM) == []
    connection.time_out()
    assert connection.take_output() == b""
    assert connection.fault is frames.ErrorCode.REPRESENTATION_BY_CLIENT


# Whatever arrives

PRIVATE_DM = frames.encode_tokens((Token(0x5800),))
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
