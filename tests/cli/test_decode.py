"""`daide-server decode`: hex and captures as text."""

import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main

NME = "480c 4000 4b61 4001 4000 4b31 4001"


def decoded(data: bytes | str, *words: str) -> list[str]:
    """Return the lines that come of *data* on standard input."""
    result = CliRunner().invoke(main, ["decode", *words], input=data)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.mark.parametrize(
    "spelt",
    [
        NME,
        NME.upper().replace(" ", ""),
        " ".join(f"0x{word}" for word in NME.split()),
        ", ".join(NME.split()),
    ],
)
def test_hex_is_tokens(spelt: str) -> None:
    """However it is spelt."""
    assert decoded(spelt) == ["NME ( 'a' ) ( '1' )"]


def test_each_line_of_hex_is_a_message_unless_it_is_frames() -> None:
    """Frames may go over lines, and say so by how they begin."""
    assert decoded(f"480E\n\n{NME}\n") == ["NOW", "NME ( 'a' ) ( '1' )"]
    assert decoded("00000004 0001\nDA10 0200\n0002 480E 03000000") == [
        "IM version 1 magic 0xDA10",
        "NOW",
        "FM",
    ]


def test_a_capture_with_names_of_its_own(tmp_path: Path) -> None:
    """The RM tells what powers and provinces are called from there on."""
    representation = bytes.fromhex("0100000C 4100") + b"ROM\0" + b"\x50\x00ALP\0"
    capture = tmp_path / "capture"
    said = bytes.fromhex("020A0004 4100 5000 04000002 0009 04000002 0099")
    capture.write_bytes(representation + said)
    assert decoded("", str(capture)) == [
        "RM 0x4100:ROM 0x5000:ALP",
        "ROM ALP",
        "EM 0x09 wrong_length",
        "EM 0x99",
    ]


def test_names_that_are_none_are_bytes() -> None:
    """An RM whose length is no number of entries: the names are those from before."""
    assert decoded("01000007 4100 524F4D 00 50 02000002 4100") == [
        "REPRESENTATION of 7 bytes: 4100 524f 4d00 50",
        "AUS",
    ]


def test_words_of_a_dialect() -> None:
    """The same code is another word to other programs."""
    assert decoded("4A07", "--dialect", "norman") == ["FOR"]
    assert decoded("4A07", "--dialect", "parlance") == ["FCT"]


def test_text_becomes_hex_and_back() -> None:
    """With the header of its frame."""
    hexed = decoded("SUB ((ENG FLT LON) HLD)\n\nNOW\n", "--encode")
    assert hexed[1] == "0200 0002 480e"
    assert decoded("\n".join(hexed)) == ["SUB ( ( ENG FLT LON ) HLD )", "NOW"]


@pytest.mark.parametrize(
    ("data", "words", "told"),
    [
        (b"\x02\x00\x00\x04\x48", (), "at byte 0: found 1 of 4 bytes"),
        (b"\x48\x0e\x48", (), "found 3 bytes, expected tokens of two bytes"),
        (b"NOW\nFOO", ("--encode",), "standard input: line 2: no word is called 'FOO'"),
        (b"480E\n48", (), "standard input: line 2: found 1 bytes"),
        (b"\x48\x0e\x93\x7a", (), "at byte 2: found 937A, expected a frame or a token"),
        (b"480", (), "found a hexadecimal digit that stands alone"),
        (b"NOW (SPR 1901)\n", (), "found text, expected bytes or hexadecimal"),
    ],
)
def test_what_is_no_message_is_told(
    data: bytes, words: tuple[str, ...], told: str
) -> None:
    """With the place, and exit code 1."""
    result = CliRunner().invoke(main, ["decode", *words], input=data)
    assert result.exit_code == 1
    assert told in result.output


def test_what_is_whole_of_a_log_that_is_cut_off_is_shown(tmp_path: Path) -> None:
    frame = bytes.fromhex("02000002 480E")
    record = struct.pack("<IHI", 1, 6, len(frame)) + frame
    log = tmp_path / "log"
    log.write_bytes(record * 3 + record[:-1])
    result = CliRunner().invoke(main, ["decode", str(log)])
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["NOW"] * 3
    assert result.stderr.startswith(f"daide-server: {log}: at byte 58: found a record")
