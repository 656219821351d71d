"""Bytes that were on a wire, cut into frames again."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.daide import captures, frames
from daide_server.daide.tokens import Token, Tokens

TOKENS = st.lists(st.integers(0, 0xFFFF).map(Token), min_size=1).map(tuple)


@pytest.mark.parametrize(
    ("frame", "data"),
    [
        (frames.INITIAL_MESSAGE, "00 00 0004 0001 DA10"),
        (frames.representation_message(()), "01 00 0000"),
        (
            frames.representation_message(((Token(0x5000), "BOH"),)),
            "01 00 0006 5000 42 4F 48 00",
        ),
        (frames.FINAL_MESSAGE, "03 00 0000"),
        (frames.error_message(frames.ErrorCode.WRONG_LENGTH), "04 00 0002 0009"),
    ],
)
def test_frames_are_the_bytes_of_the_document(frame: bytes, data: str) -> None:
    assert frame == bytes.fromhex(data)


@given(TOKENS)
def test_tokens_are_decoded_as_they_were_encoded(tokens: Tokens) -> None:
    data = frames.encode_tokens(tokens)
    assert data.hex() == f"0200{2 * len(tokens):04x}" + "".join(
        f"{token:04x}" for token in tokens
    )
    assert frames.decode_tokens(data[4:]) == tokens


@given(TOKENS)
def test_private_tokens_are_those_of_eight_categories(tokens: Tokens) -> None:
    body = frames.encode_tokens(tokens)[4:]

    assert frames.has_private_token(body) is any(
        0x58 <= token >> 8 <= 0x5F for token in tokens
    )


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=9))), st.data())
def test_frames_come_out_as_they_went_in_however_they_are_cut(
    sent: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(bytes([kind, 0x7E, 0, len(body)]) + body for kind, body in sent)
    headers: list[tuple[int, int]] = []
    decoder = frames.FrameDecoder(lambda kind, length: headers.append((kind, length)))
    found: list[tuple[int, bytes]] = []

    while stream:
        size = data.draw(st.integers(1, len(stream)))
        decoder.feed(stream[:size])
        stream = stream[size:]
        while frame := decoder.next():
            found.append(frame)

    assert found == sent
    assert headers == [(kind, len(body)) for kind, body in sent]


FRAMES = st.lists(st.tuples(st.sampled_from(frames.FrameType), st.binary(max_size=40)))


def captured(sent: list[tuple[frames.FrameType, bytes]]) -> bytes:
    """Return *frames* one after another, with any padding."""
    return b"".join(
        struct.pack(">BBH", kind, number % 256, len(body)) + body
        for number, (kind, body) in enumerate(sent)
    )


@given(FRAMES)
def test_a_capture_is_its_frames(sent: list[tuple[frames.FrameType, bytes]]) -> None:
    """Whatever the padding is."""
    data = captured(sent)
    assert list(captures.frames_of(data)) == sent
    assert captures.are_frames(data) is bool(sent)


@given(FRAMES.filter(bool), st.data())
def test_an_incomplete_capture_is_reported(
    sent: list[tuple[frames.FrameType, bytes]], data: st.DataObject
) -> None:
    """After all that is whole."""
    whole = captured(sent)
    last = len(captured(sent[-1:]))
    cut = data.draw(st.integers(1, last - 1))
    found = captures.frames_of(whole[:-cut])
    assert [next(found) for _ in sent[:-1]] == sent[:-1]
    with pytest.raises(captures.CaptureError, match="expected a whole frame"):
        next(found)


def test_other_types_are_no_frames() -> None:
    """Nor are tokens, which begin with a category."""
    with pytest.raises(
        captures.CaptureError, match="at byte 4: found a frame of type 7"
    ):
        list(captures.frames_of(bytes.fromhex("03000000 07000000")))
    assert not captures.are_frames(bytes.fromhex("480C 4000"))
    assert not captures.are_frames(b"\x02")


def test_the_log_of_a_client_is_its_frames() -> None:
    """Clock, kind and length are left out; a received frame is two records."""
    header, body = bytes.fromhex("02000002"), bytes.fromhex("480E")
    log = b"".join(
        struct.pack("<IHI", 1234, kind, len(part)) + part
        for kind, part in ((6, header + body), (5, header), (5, body))
    )
    assert captures.is_log(log)
    assert (
        b"".join(each.frames for each in captures.log_records(log))
        == (header + body) * 2
    )
    assert not captures.is_log(header + body)
    assert not captures.is_log(b"")


def test_a_log_that_is_cut_off_is_read_up_to_there() -> None:
    first, second = (
        struct.pack("<IHI", 1, 6, len(frame)) + frame
        for frame in (bytes.fromhex("02000002 480E"), bytes.fromhex("03000000"))
    )
    cut = first + second[:-1]
    assert captures.is_log(cut)
    records = captures.log_records(cut)
    assert next(records).by_client
    with pytest.raises(
        captures.CaptureError, match="at byte 26: found a record of kind 6"
    ):
        next(records)
