"""`daide-server decode`: what was said, from hex or from captured bytes."""

import re
import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

import click

from daide_server.language.text import TextError, from_text, to_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.variants import find_variant
from daide_server.wire.captures import (
    CaptureError,
    are_frames,
    frames_of,
    strip_log_records,
)
from daide_server.wire.errors import ErrorCode
from daide_server.wire.frames import (
    FrameType,
    decode_entries,
    decode_initial,
    decode_tokens,
    encode_tokens,
)

from .options import gather, given_options, setting_options

HEX: Final = re.compile(rb"(?:(?:0[xX])?[0-9a-fA-F]{2}|[\s,:])*")


@click.command()
@click.argument("source", type=click.File("rb"), default="-", metavar="[FILE]")
@setting_options("variant", "dialect")
@click.option("--encode", is_flag=True, help="The other way: text in, hex out.")
def command(source: BinaryIO, *, encode: bool, **given: object) -> None:
    """Turn messages of the wire into text: one line each.

    Reads FILE, or standard input: hex digits, or the bytes themselves as they were
    captured, one direction or both. Whole frames are told from tokens alone by how
    they begin; the names of an RM among them count from there on.

    \b
    Examples:
      echo '480c 4000 4b61 4001 4000 4b31 4001' | daide-server decode
      daide-server decode capture.bin
      echo "SND (ENG) (PRP (PCE (FRA ENG)))" | daide-server decode --encode
    """
    chosen = gather(given_options(given))
    board_map = find_variant(chosen.board.variant).map
    vocabulary = Vocabulary.of(board_map).in_dialect(chosen.log.dialect)
    data = source.read()
    try:
        for line in _hex(data, vocabulary) if encode else _texts(data, vocabulary):
            click.echo(line)
    except (CaptureError, TextError) as error:
        raise click.ClickException(str(error)) from error


def _hex(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    for line in data.decode(errors="replace").splitlines():
        if line.strip():
            yield encode_tokens(from_text(line, vocabulary)).hex(" ", 2)


def _texts(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    if not HEX.fullmatch(data):
        yield from _decoded(strip_log_records(data), vocabulary)
    elif are_frames(_bytes(data)):
        # A frame may go over several lines.
        yield from _decoded(_bytes(data), vocabulary)
    else:
        for line in data.splitlines():
            yield from _decoded(_bytes(line), vocabulary)


def _bytes(spelt: bytes) -> bytes:
    """Return the bytes that hex digits spell, whatever stands between them."""
    digits = re.sub(r"0[xX]|[\s,:]", "", spelt.decode("ascii"))
    return bytes.fromhex(digits)


def _decoded(data: bytes, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield a line for each frame of *data*, or one for its tokens."""
    if not are_frames(data):
        if data:
            yield _message(data, vocabulary)
        return
    for kind, body in frames_of(data):
        if kind is FrameType.REPRESENTATION and body:
            named = Vocabulary.from_representation(decode_entries(body))
            vocabulary = Vocabulary(named.powers, named.provinces, vocabulary.words)
        yield _line(kind, body, vocabulary)


def _line(kind: FrameType, body: bytes, vocabulary: Vocabulary) -> str:
    try:
        return _named(kind, body, vocabulary)
    except struct.error:
        return f"{kind.name} of {len(body)} bytes: {body.hex(' ', 2)}"


def _named(kind: FrameType, body: bytes, vocabulary: Vocabulary) -> str:
    match kind:
        case FrameType.DIPLOMACY:
            return _message(body, vocabulary)
        case FrameType.INITIAL:
            said = decode_initial(body)
            return f"IM version {said.version} magic 0x{said.magic:04X}"
        case FrameType.REPRESENTATION:
            names = (f"0x{token:04X}:{name}" for token, name in decode_entries(body))
            return " ".join(("RM", *names))
        case FrameType.FINAL:
            return "FM"
        case FrameType.ERROR:
            return f"EM {_fault(int.from_bytes(body, 'big'))}"


def _message(body: bytes, vocabulary: Vocabulary) -> str:
    if len(body) % 2:
        message = f"found {len(body)} bytes, expected tokens of two bytes each"
        raise CaptureError(message)
    return to_text(decode_tokens(body), vocabulary)


def _fault(code: int) -> str:
    known = code in list(ErrorCode)
    return f"0x{code:02X} {ErrorCode(code).name.lower()}" if known else f"0x{code:02X}"
