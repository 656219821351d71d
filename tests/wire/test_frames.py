import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.tokens import Token, Tokens
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    INITIAL_MESSAGE,
    MAGIC,
    VERSION,
    ErrorCode,
    FrameDecoder,
    WireError,
    decode_entries,
    decode_initial,
    decode_tokens,
    encode_tokens,
    error_message,
    has_private_token,
    representation_message,
)

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


def test_the_first_frames_are_decoded_as_they_were_encoded() -> None:
    entries = ((Token(0x4100), "RED"), (Token(0x5501), "A1B"))

    assert decode_entries(representation_message(entries)[4:]) == entries
    assert decode_initial(INITIAL_MESSAGE[4:]) == (VERSION, MAGIC)


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


def test_a_header_is_checked_before_its_body_is_there() -> None:
    def refuse(_: int, __: int) -> None:
        raise WireError(ErrorCode.WRONG_LENGTH)

    decoder = FrameDecoder(refuse)
    decoder.feed(bytes.fromhex("0200FFFF"))

    with pytest.raises(WireError, match="0x09"):
        decoder.next()


def test_the_codes_are_those_of_the_document() -> None:
    """The table of section 1.4 has no gaps."""
    assert [code.value for code in ErrorCode] == list(range(0x01, 0x0F))


def test_an_error_says_its_code() -> None:
    error = WireError(ErrorCode.WRONG_VERSION)

    assert error.code is ErrorCode.WRONG_VERSION
    assert "0x05" in str(error)
