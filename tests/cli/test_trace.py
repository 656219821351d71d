"""Messages that are shown: kept conversations by turns; hex and captures as text."""

import struct
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.board.map import Map
from daide_server.board.names import UnitType
from daide_server.daide import frames
from daide_server.daide.messages import MapDefinition
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.library.archive import TraceFile
from daide_server.library.variants import find_variant
from tests.support.commands import printed, refusal, run

STANDARD = Vocabulary.standard()
CONVERSATION = (
    ">NME ('a') ('1')",
    "NOW (SPR 1901) (FRA AMY PAR)",
    ">SUB ((FRA AMY PAR) HLD) ((FRA FLT BRE) HLD)",
    "THX ((FRA AMY PAR) HLD) (MBV)",
    "THX ((FRA FLT BRE) HLD) (NSU)",
    "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)",
    "ORD (SPR 1901) ((ENG FLT LON) HLD) (SUC)",
    "NOW (FAL 1901) (FRA AMY PAR)",
    ">SND (ENG) (PRP (PCE (FRA ENG)))",
)


def keep(
    path: Path, *said: str, names: Vocabulary = STANDARD, head: bytes = b""
) -> Path:
    """Return a trace of *said*, after *head*; `>` is what the client says."""
    file = TraceFile(path, 100_000, lambda: 1500)
    file.add(head, by_client=head == frames.INITIAL_MESSAGE)
    for text in said:
        data = frames.encode_tokens(from_text(text.lstrip(">"), names))
        file.add(data, by_client=text.startswith(">"))
    return path


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return keep(tmp_path / "a.trace", *CONVERSATION, head=frames.INITIAL_MESSAGE)


def shown(path: Path, *options: str) -> list[str]:
    result = run("trace", path, *options)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_messages_stand_below_their_turn_and_rows_are_folded(trace: Path) -> None:
    lines = shown(trace)

    assert [line for line in lines if not line.startswith(" ")] == [
        "before the first turn",
        "SPR 1901",
        "FAL 1901",
    ]
    assert lines[1] == "      1.500 -> IM"
    assert any("<- ORD" in line and line.endswith("2 ORD") for line in lines)
    assert sum("ORD" in line for line in shown(trace, "--unfold")) == 2


def test_it_begins_where_it_is_asked_to(trace: Path) -> None:
    assert shown(trace, "--from", "F1901M")[0] == "FAL 1901"


def test_it_shows_messages_of_a_kind_and_of_a_power(trace: Path) -> None:
    assert shown(trace, "--message", "sub", "--message", "SND")[0] == "SPR 1901"
    (_, order, _, press) = shown(trace, "--power", "eng")
    assert shown(trace, "--power", "England") == shown(trace, "--power", "eng")
    assert "LON" in order
    assert "SND ( ENG )" in press


def test_it_shows_only_what_was_refused(trace: Path) -> None:
    (turn, refusal) = shown(trace, "--refused")
    assert turn == "SPR 1901"
    assert refusal.endswith("<- THX ( ( FRA FLT BRE ) HLD ) ( NSU )")


def kept(path: Path, *said: str) -> Path:
    """Return a trace of France, after HLO."""
    begin = "HLO (FRA) (1) ((LVL 0) (MTL 5))", "SCO (FRA PAR BRE MAR)"
    return keep(path, *begin, *said)


SPRING = "NOW (SPR 1901) (FRA AMY PAR) (FRA FLT BRE) (ENG FLT LON)"
RESULTS = ("ORD (SPR 1901) ((ENG FLT LON) HLD) (SUC)",) * 2
HOLDS = "THX ((FRA FLT BRE) HLD) (MBV)"
BOTH = (HOLDS, "THX ((FRA AMY PAR) MTO BUR) (MBV)")


def test_what_was_not_ordered_in_time_is_shown_with_power_and_turn(
    tmp_path: Path,
) -> None:
    """Taking an order back counts; a refused one is none."""
    refused = "THX ((FRA AMY PAR) MTO MOS) (FAR)"
    back = "YES (NOT (SUB ((FRA FLT BRE) HLD)))"
    path = kept(tmp_path / "a", SPRING, HOLDS, refused, back, *RESULTS)

    lines = shown(path, "--refused")

    assert lines[0] == "SPR 1901 FRA"
    assert lines[1].endswith("THX ( ( FRA AMY PAR ) MTO MOS ) ( FAR )")
    late = "late: not ordered when the turn ended: MIS ( FRA AMY PAR ) ( FRA FLT BRE )"
    assert lines[2].endswith(late)
    assert len(lines) == 3


def test_each_refused_order_is_shown_with_its_note(tmp_path: Path) -> None:
    """They are not folded, as the orders that were accepted are."""
    refused = ("THX ((FRA AMY PAR) MTO MOS) (FAR)", "THX ((ENG FLT LON) HLD) (NYU)")
    path = kept(tmp_path / "a", SPRING, *refused)

    assert [line[-7:] for line in shown(path, "--refused")[1:]] == [
        "( FAR )",
        "( NYU )",
    ]
    assert shown(path)[-1].endswith("... 2 THX")


WINTER = ("NOW (WIN 1901) (FRA AMY BUR)", "THX ((FRA AMY PAR) BLD) (MBV)")
FALL = "NOW (FAL 1901) (FRA AMY BUR) (FRA FLT BRE)"


@pytest.mark.parametrize(
    ("said", "late"),
    [
        ((SPRING, *BOTH, *RESULTS), []),
        # HST is answered with ORD and NOW of turns that are over.
        ((SPRING, *BOTH, *RESULTS, FALL, ">HST (SPR 1901)", RESULTS[0], SPRING), []),
        # Builds that were due are missed.
        ((*WINTER, "ORD (WIN 1901) ((FRA AMY PAR) BLD) (SUC)"), ["MIS ( -1 )"]),
        # Orders from before a return stand in another conversation.
        ((">IAM (FRA) (1)", SPRING, *RESULTS), []),
    ],
)
def test_what_is_late_depends_on_what_was_due(
    said: tuple[str, ...], late: list[str], tmp_path: Path
) -> None:
    lines = shown(kept(tmp_path / "a", *said), "--refused")

    assert [line.partition("ended: ")[2] for line in lines[1:]] == late


def test_results_that_were_asked_for_end_no_turn(tmp_path: Path) -> None:
    said = (SPRING, *BOTH, *RESULTS, FALL, ">HST (SPR 1901)", RESULTS[0], SPRING)

    lines = shown(kept(tmp_path / "a", *said))

    headings = [line for line in lines if not line.startswith(" ")]
    assert headings == ["before the first turn", "SPR 1901 FRA", "FAL 1901 FRA"]


def on_another_board(path: Path, definition: Map | None) -> Path:
    """Return a trace on a board of other names, with its MDF, or without one."""
    variant = find_variant("chromatic")
    names = Vocabulary.of(variant.map)
    unit = variant.start.units[0]
    kind = "AMY" if unit.type is UnitType.ARMY else "FLT"
    where = f"({unit.power} {kind} {unit.province})"
    said = (
        f"HLO ({unit.power}) (1) ((LVL 0))",
        f"NOW (SPR 1901) {where}",
        f"ORD (SPR 1901) ({where} HLD) (SUC)",
    )
    head = frames.representation_message(names.representation)
    if definition is not None:
        head += frames.encode_tokens(Writer(names).write(MapDefinition(definition)))
    return keep(path, *said, names=names, head=head)


def test_the_board_is_that_of_mdf(tmp_path: Path) -> None:
    board_map = find_variant("chromatic").map
    (_, late) = shown(on_another_board(tmp_path / "a", board_map), "--refused")
    assert "late: not ordered" in late


@pytest.mark.parametrize("has_definition", [True, False])
def test_of_a_board_that_is_not_known_only_messages_are_shown(
    tmp_path: Path, *, has_definition: bool
) -> None:
    """Without an MDF, or with one whose adjacencies lead nowhere."""
    board_map = find_variant("chromatic").map
    some = dict(list(board_map.neighbours.items())[5:])
    broken = evolve(board_map, neighbours=some) if has_definition else None
    lines = shown(on_another_board(tmp_path / "a", broken))
    assert any("<- ORD" in line for line in lines)
    assert not any("late" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        # It is no failure: nothing may have been refused.
        ("a.trace", ("--message", "OFF"), "no such message"),
        ("000003-cut.trace", (), "cut, what followed was not kept"),
    ],
)
def test_it_says_that_nothing_is_shown_or_that_something_was_cut(
    trace: Path, name: str, words: tuple[str, ...], told: str
) -> None:
    path = trace.rename(trace.with_name(name))

    result = run("trace", path, *words)

    assert (result.exit_code, result.stderr) == (0, f"{path}: {told}\n")
    assert bool(result.stdout) is not bool(words)


def test_a_file_above_the_limit_is_refused(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daide_server.cli.trace.CONVERSATION_LIMIT", 100)

    assert f"{trace}: more than 100 bytes" in refusal("trace", trace)


def test_what_is_whole_of_a_damaged_file_is_shown(trace: Path) -> None:
    """As of a server that was killed while it wrote."""
    whole = shown(trace)
    trace.write_bytes(trace.read_bytes()[:-1])

    result = run("trace", trace)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == whole[:-1]
    assert f"{trace}: at byte " in result.stderr


@pytest.mark.parametrize(
    ("content", "found"),
    [("", "nothing"), ("hello", "'hello'"), ('{"name": "a game"}', '\'{"name": "\'')],
)
def test_a_file_that_is_no_conversation_costs_a_line(
    tmp_path: Path, content: str, found: str
) -> None:
    path = tmp_path / "a"
    path.write_text(content)

    said = refusal("trace", path)

    assert said.startswith(f"daide-server: {path}: at byte 0: found {found}, ")
    assert "expected a conversation" in said
    assert said.count("\n") == 1


def test_several_files_are_shown_one_after_the_other(
    trace: Path, tmp_path: Path
) -> None:
    """One that cannot be read stops none."""
    paths = [str(trace), str(tmp_path), str(tmp_path / "none"), str(trace)]

    result = run("trace", "--refused", *paths)

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"daide-server: {tmp_path}: Is a directory",
        f"daide-server: {tmp_path / 'none'}: No such file or directory",
    ]
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("==")] == [
        f"== {path}" for path in paths
    ]
    assert sum("( NSU )" in line for line in lines) == 2


NME = "480c 4000 4b61 4001 4000 4b31 4001"


def decoded(data: bytes | str, *words: str) -> list[str]:
    """Return the lines that come of *data* on standard input."""
    return printed("decode", *words, input=data).splitlines()


SAID = "NME ( 'a' ) ( '1' )"


@pytest.mark.parametrize(
    ("data", "words", "lines"),
    [
        (NME, "", [SAID]),
        (NME.upper().replace(" ", ""), "", [SAID]),
        (" ".join(f"0x{word}" for word in NME.split()), "", [SAID]),
        (", ".join(NME.split()), "", [SAID]),
        # Each line is a message,
        (f"480E\n\n{NME}\n", "", ["NOW", SAID]),
        # unless it is frames, which may go over lines, and say so by how they begin.
        (
            "00000004 0001\nDA10 0200\n0002 480E 03000000",
            "",
            ["IM version 1 magic 0xDA10", "NOW", "FM"],
        ),
        # The length of this RM is no number of entries: its names are not those.
        (
            "01000007 4100 524F4D 00 50 02000002 4100",
            "",
            ["REPRESENTATION of 7 bytes: 4100 524f 4d00 50", "AUS"],
        ),
        # The same code is another word to other programs.
        ("4A07", "--dialect norman", ["FOR"]),
        ("4A07", "--dialect parlance", ["FCT"]),
    ],
)
def test_hex_is_messages(data: str, words: str, lines: list[str]) -> None:
    """However it is spelt."""
    assert decoded(data, *words.split()) == lines


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
    assert told in refusal("decode", *words, input=data)


def test_what_is_whole_of_a_log_that_is_cut_off_is_shown(tmp_path: Path) -> None:
    frame = bytes.fromhex("02000002 480E")
    record = struct.pack("<IHI", 1, 6, len(frame)) + frame
    log = tmp_path / "log"
    log.write_bytes(record * 3 + record[:-1])
    result = run("decode", log)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == ["NOW"] * 3
    assert result.stderr.startswith(f"daide-server: {log}: at byte 58: found a record")
