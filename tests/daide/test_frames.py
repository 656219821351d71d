"""Bytes that were on a wire, cut into frames again."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.daide.captures import (
    CaptureError,
    are_frames,
    frames_of,
    is_log,
    log_records,
)
from daide_server.daide.frames import (
    FINAL_MESSAGE,
    INITIAL_MESSAGE,
    ErrorCode,
    FrameDecoder,
    FrameType,
    decode_tokens,
    encode_tokens,
    error_message,
    has_private_token,
    representation_message,
)
from daide_server.daide.tokens import Token, Tokens

TOKENS = st.lists(st.integers(0, 0xFFFF).map(Token), min_size=1).map(tuple)


@pytest.mark.parametrize(
    ("frame", "data"),
    [
        (INITIAL_MESSAGE, "00 00 0004 0001 DA10"),
        (representation_message(()), "01 00 0000"),
        (
            representation_message(((Token(0x5000), "BOH"),)),
            "01 00 0006 5000 42 4F 48 00",
        ),
        (FINAL_MESSAGE, "03 00 0000"),
        (error_message(ErrorCode.WRONG_LENGTH), "04 00 0002 0009"),
    ],
)
def test_frames_are_the_bytes_of_the_document(frame: bytes, data: str) -> None:
    assert frame == bytes.fromhex(data)


@given(TOKENS)
def test_tokens_are_decoded_as_they_were_encoded(tokens: Tokens) -> None:
    data = encode_tokens(tokens)
    assert data.hex() == f"0200{2 * len(tokens):04x}" + "".join(
        f"{token:04x}" for token in tokens
    )
    assert decode_tokens(data[4:]) == tokens


@given(TOKENS)
def test_private_tokens_are_those_of_eight_categories(tokens: Tokens) -> None:
    body = encode_tokens(tokens)[4:]

    assert has_private_token(body) is any(
        0x58 <= token >> 8 <= 0x5F for token in tokens
    )


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=9))), st.data())
def test_frames_come_out_as_they_went_in_however_they_are_cut(
    frames: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(bytes([kind, 0x7E, 0, len(body)]) + body for kind, body in frames)
    headers: list[tuple[int, int]] = []
    decoder = FrameDecoder(lambda kind, length: headers.append((kind, length)))
    found: list[tuple[int, bytes]] = []

    while stream:
        size = data.draw(st.integers(1, len(stream)))
        decoder.feed(stream[:size])
        stream = stream[size:]
        while frame := decoder.next():
            found.append(frame)

    assert found == frames
    assert headers == [(kind, len(body)) for kind, body in frames]


FRAMES = st.lists(st.tuples(st.sampled_from(FrameType), st.binary(max_size=40)))


def captured(frames: list[tuple[FrameType, bytes]]) -> bytes:
    """Return *frames* one after another, with any padding."""
    return b"".join(
        struct.pack(">BBH", kind, number % 256, len(body)) + body
        for number, (kind, body) in enumerate(frames)
    )


@given(FRAMES)
def test_a_capture_is_its_frames(frames: list[tuple[FrameType, bytes]]) -> None:
    """Whatever the padding is."""
    data = captured(frames)
    assert list(frames_of(data)) == frames
    assert are_frames(data) is bool(frames)


@given(FRAMES.filter(bool), st.data())
def test_what_is_cut_off_is_told(
    frames: list[tuple[FrameType, bytes]], data: st.DataObject
) -> None:
    """After all that is whole."""
    whole = captured(frames)
    last = len(captured(frames[-1:]))
    cut = data.draw(st.integers(1, last - 1))
    found = frames_of(whole[:-cut])
    assert [next(found) for _ in frames[:-1]] == frames[:-1]
    with pytest.raises(CaptureError, match="expected a whole frame"):
        next(found)


def test_other_types_are_no_frames() -> None:
    """Nor are tokens, which begin with a category."""
    with pytest.raises(CaptureError, match="at byte 4: found a frame of type 7"):
        list(frames_of(bytes.fromhex("03000000 07000000")))
    assert not are_frames(bytes.fromhex("480C 4000"))
    assert not are_frames(b"\x02")


def test_the_log_of_a_client_is_its_frames() -> None:
    """Clock, kind and length are left out; a received frame is two records."""
    header, body = bytes.fromhex("02000002"), bytes.fromhex("480E")
    log = b"".join(
        struct.pack("<IHI", 1234, kind, len(part)) + part
        for kind, part in ((6, header + body), (5, header), (5, body))
    )
    assert is_log(log)
    assert b"".join(each.frames for each in log_records(log)) == (header + body) * 2
    assert not is_log(header + body)
    assert not is_log(b"")


def test_a_log_that_is_cut_off_is_read_up_to_there() -> None:
    first, second = (
        struct.pack("<IHI", 1, 6, len(frame)) + frame
        for frame in (bytes.fromhex("02000002 480E"), bytes.fromhex("03000000"))
    )
    cut = first + second[:-1]
    assert is_log(cut)
    records = log_records(cut)
    assert next(records).by_client
    with pytest.raises(CaptureError, match="at byte 26: found a record of kind 6"):
        next(records)
