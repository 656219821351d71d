"""`daide-server decode`: DAIDE messages from bytes to text, and back."""

import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

import click

from daide_server.daide import captures, frames
from daide_server.daide.frames import FrameType
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.library.variants import find_variant

from .common.failures import failures_of, name_of
from .common.options import gather, given_options, setting_options
from .common.printing import print_line

CAPTURE_LIMIT = 64 << 20
"""Maximum bytes of the input."""
LAST_CATEGORY = 0x5F
"""The last category of tokens, for private use by programs."""
PRINTED = re.compile(rb"[\t\n\r\x20-\x7e]*")
"""Bytes of text; every DAIDE message has a byte that is none of these."""
PARTS_OF_HEX = re.compile(rb"(?:0[xX]|[0-9a-fA-F]|[\s,:])*")
HEX = re.compile(rb"(?:(?:0[xX])?[0-9a-fA-F]{2}|[\s,:])*")


@click.command()
@click.argument("source", type=click.File("rb"), default="-", metavar="[FILE]")
@setting_options("variant", "dialect")
@click.option("--encode", is_flag=True, help="Convert text to hexadecimal instead.")
def command(source: BinaryIO, *, encode: bool, **given: object) -> None:
    """Convert DAIDE messages to text, one line each.

    Reads FILE, or standard input. The input is hexadecimal digits, or captured bytes
    of one direction or of both. It may be frames or only tokens; the first bytes
    decide which. After an RM frame, its names of powers and provinces are used.

    \b
    Examples:
      echo '480c 4000 4b61 4001 4000 4b31 4001' | daide-server decode
      daide-server decode capture.bin
      echo "SND (ENG) (PRP (PCE (FRA ENG)))" | daide-server decode --encode
    """
    chosen = gather(given_options(given))
    board_map = find_variant(chosen.board.variant).map
    vocabulary = Vocabulary.of(board_map).in_dialect(chosen.log.dialect)
    data = source.read(CAPTURE_LIMIT + 1)
    lines = _encoded(data, vocabulary) if encode else _decoded(data, vocabulary)
    with failures_of(name_of(source)):
        if len(data) > CAPTURE_LIMIT:
            message = f"found more than {CAPTURE_LIMIT >> 20} MiB, expected less"
            raise captures.CaptureError(message)
        for line in lines:
            print_line(line)


def _encoded(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the frame of each message in a text, in hexadecimal."""
    lines = data.decode(errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip():
            with failures_of(f"line {number}"):
                tokens = from_text(line, vocabulary)
            yield frames.encode_tokens(tokens).hex(" ", 2)


def _decoded(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the text of each message in *data*, be it hexadecimal or a capture."""
    if not HEX.fullmatch(data):
        if PARTS_OF_HEX.fullmatch(data):
            message = "found a hexadecimal digit that stands alone, expected two for "
            raise captures.CaptureError(f"{message}each byte")
        if PRINTED.fullmatch(data):
            message = "found text, expected bytes or hexadecimal digits; to convert "
            raise captures.CaptureError(f"{message}text to bytes: --encode")
        yield from _captured(data, vocabulary)
    elif captures.are_frames(_from_hex(data)):
        # A frame may extend over several lines.
        yield from _messages(_from_hex(data), vocabulary)
    else:
        for number, line in enumerate(data.splitlines(), 1):
            with failures_of(f"line {number}"):
                yield from _messages(_from_hex(line), vocabulary)


def _captured(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the messages of captured bytes; of an incomplete log, the complete ones."""
    if not captures.is_log(data):
        if not captures.are_frames(data):
            _check_categories(data)
        yield from _messages(data, vocabulary)
        return
    captured, fault = bytearray(), None
    try:
        for record in captures.log_records(data):
            captured += record.frames
    except captures.CaptureError as error:
        fault = error
    yield from _messages(bytes(captured), vocabulary)
    if fault is not None:
        raise fault


def _check_categories(data: bytes) -> None:
    """Raise `CaptureError` if *data* has a byte that cannot begin a token."""
    for offset in range(0, len(data), frames.TOKEN_SIZE):
        if data[offset] > LAST_CATEGORY:
            found = data[offset : offset + frames.TOKEN_SIZE].hex().upper()
            message = f"at byte {offset}: found {found}, expected a frame or a token, "
            first = f"whose first byte is {LAST_CATEGORY:02X} or less"
            raise captures.CaptureError(message + first)


def _from_hex(text: bytes) -> bytes:
    """Return the bytes of hexadecimal digits, however they are separated."""
    digits = re.sub(r"0[xX]|[\s,:]", "", text.decode("ascii"))
    return bytes.fromhex(digits)


def _messages(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield a line for each frame of *data*, or one for its tokens."""
    if not captures.are_frames(data):
        if data:
            yield _tokens(data, vocabulary)
        return
    for kind, body in captures.frames_of(data):
        if kind is FrameType.REPRESENTATION and body:
            # An invalid one names nothing, and is shown as bytes.
            with suppress(struct.error):
                vocabulary = vocabulary.renamed(frames.decode_entries(body))
        try:
            yield _frame(kind, body, vocabulary)
        except struct.error:
            yield f"{kind.name} of {len(body)} bytes: {body.hex(' ', -2)}"


def _frame(kind: FrameType, body: bytes, vocabulary: Vocabulary) -> str:
    match kind:
        case FrameType.DIPLOMACY:
            return _tokens(body, vocabulary)
        case FrameType.INITIAL:
            version, magic = frames.decode_initial(body)
            return f"IM version {version} magic 0x{magic:04X}"
        case FrameType.REPRESENTATION:
            entries = frames.decode_entries(body)
            return " ".join(("RM", *(f"0x{at:04X}:{name}" for at, name in entries)))
        case FrameType.FINAL:
            return "FM"
        case FrameType.ERROR:
            return frames.error_text(int.from_bytes(body, "big"))


def _tokens(body: bytes, vocabulary: Vocabulary) -> str:
    if len(body) % 2:
        message = f"found {len(body)} bytes, expected tokens of two bytes each"
        raise captures.CaptureError(message)
    return to_text(frames.decode_tokens(body), vocabulary)
