"""The journal of one game on disk: its format, and what damage does to it."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power, Province
from daide_server.game import events as game_events
from daide_server.game import journal
from daide_server.library import journal_file
from daide_server.records.entries import TurnTallied
from daide_server.records.record import PlayerTally

FRANCE = Power("FRA")
HEADER = journal_file.GameHeader(
    number=7,
    record="run-0007",
    opened=1.5e9,
    metadata={"server": "x"},
    board="standard",
    board_digest="0123",
    options={"hlo": {"level": 10}},
    seats=(FRANCE,),
    passcodes={FRANCE: 6334},
)
TALLY = TurnTallied(
    Turn(Season.SPRING, 1901), {FRANCE: PlayerTally(refused=2, late=1)}, 2.5
)
seconds = st.floats(0, 1e6)
clients = st.integers(0, 1000).map(game_events.ClientId)
names = st.text("abc", min_size=1)
entries: st.SearchStrategy[journal.JournalEntry] = st.one_of(
    st.builds(journal.MessageEntry, clients, st.text()),
    st.builds(game_events.SeatPortChosen, clients, st.sampled_from([FRANCE])),
    st.builds(game_events.ClientLeft, clients),
    st.builds(game_events.SilenceNoted, clients, st.booleans()),
    st.builds(game_events.ClockTicked),
    st.builds(game_events.GameSaved, names),
    st.builds(game_events.GameLoaded, names),
    st.builds(game_events.GameRecovered, seconds, seconds),
    st.builds(game_events.GameBrokenOff),
    st.builds(
        journal.TurnDigest,
        st.just("SPR 1901"),
        names,
        st.just({FRANCE: 3}),
        st.just({Province("PAR"): FRANCE}),
        names,
        st.sampled_from(["", "solo"]),
    ),
    st.just(journal.TallyEntry(TALLY)),
)


def small_file() -> list[bytes]:
    """Return the lines of a journal with something of each kind."""
    digest = journal.TurnDigest(
        "SPR 1901", "ab", {FRANCE: 3}, {Province("PAR"): FRANCE}, "0"
    )
    events: tuple[journal.JournalEntry, ...] = (
        journal.MessageEntry(game_events.ClientId(1), "NME ( 'x' ) ( '1' )"),
        digest,
        game_events.ClockTicked(),
        journal.TallyEntry(TALLY),
    )
    lines = [
        journal_file.encode_line(number, float(number), each)
        for number, each in enumerate(events, journal_file.FIRST_LINE)
    ]
    return [journal_file.encode_header(HEADER), *lines]


SMALL = small_file()
WHOLE = b"".join(SMALL)


def read(path: Path, content: bytes) -> journal_file.GameContent | None:
    """Return what a file with *content* says."""
    file = path / "x.jsonl"
    file.write_bytes(content)
    return journal_file.read_game(file)


def lines_before(content: bytes) -> int:
    """Return how many lines of the whole file *content* has at its beginning."""
    size = 0
    for number, line in enumerate(SMALL):
        size += len(line)
        if content[:size] != WHOLE[:size]:
            return number
    return len(SMALL)


@given(entries, seconds, st.none() | seconds)
def test_a_line_is_read_as_it_was_written(
    what: journal.JournalEntry, when: float, at: float | None
) -> None:
    line = journal_file.encode_line(3, when, what, at)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert journal_file.decode_line(line, 3) == journal.JournalLine(when, what)


def test_lines_are_json_with_their_checksum_at_the_end() -> None:
    """For tail, jq, and whoever writes a reader."""
    line = journal_file.encode_line(
        7, 12.5, journal.MessageEntry(game_events.ClientId(3), "GOF")
    )
    assert line == (
        b'{"n":7,"t":12.5,"kind":"message","client":3,"text":"GOF","crc":"e73e755f"}\n'
    )
    header = msgspec.json.decode(SMALL[0])
    assert next(iter(header.items())) == ("format", "daide-server game 1")
    assert list(header)[-1] == "crc"
    tick = journal_file.encode_line(8, 13.0, game_events.ClockTicked(), 1.5e9)
    assert tick.startswith(b'{"n":8,"t":13.0,"at":1500000000.0,"kind":"tick",')


def test_what_was_appended_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    file = journal_file.JournalFile(path)
    file.append(b"".join(SMALL[:3]))
    file.close()
    content = journal_file.read_game(path)
    assert content is not None
    assert (content.header, content.raw) == (HEADER, SMALL[1:3])
    file = journal_file.JournalFile(path, content.size)
    file.append(b"".join(SMALL[3:]))
    assert file.read() == WHOLE
    file.close()
    content = journal_file.read_game(path)
    assert content is not None
    assert content.lines[-1] == journal.JournalLine(4.0, journal.TallyEntry(TALLY))


def test_a_file_that_is_taken_over_is_written_anew_once(tmp_path: Path) -> None:
    """A sync of the process before may have failed, and the kernel dropped pages."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(SMALL[:3]))
    before = path.stat().st_ino
    file = journal_file.JournalFile(path, path.stat().st_size)
    file.append(b"".join(SMALL[3:]))
    file.sync()
    after = path.stat().st_ino
    file.sync()
    file.close()
    assert after != before
    assert path.stat().st_ino == after
    assert path.read_bytes() == WHOLE


def test_a_file_that_is_torn_anywhere_is_cut_after_a_line(tmp_path: Path) -> None:
    """Also where zeros follow; before the end of its first line it says nothing."""
    for size in range(len(WHOLE)):
        for tail in (b"", bytes(300)):
            found = read(tmp_path, WHOLE[:size] + tail)
            whole = lines_before(WHOLE[:size])
            if not whole:
                assert found is None
                continue
            assert found is not None
            assert found.damage == ""
            assert found.raw == SMALL[1:whole]
            assert found.size == sum(map(len, SMALL[:whole]))
            assert found.is_cut == (WHOLE[: found.size] != WHOLE[:size] + tail)


@pytest.mark.parametrize("flip", [0x01, 0x20, 0x80, 0xFF])
def test_a_changed_byte_anywhere_is_found(tmp_path: Path, flip: int) -> None:
    """A good line after a bad one is damage; at the end the bad one is cut."""
    for at in range(len(WHOLE)):
        content = bytearray(WHOLE)
        content[at] ^= flip
        whole = lines_before(bytes(content))
        if not whole:
            with pytest.raises(journal_file.JournalError, match="line 1"):
                read(tmp_path, bytes(content))
            continue
        found = read(tmp_path, bytes(content))
        assert found is not None
        assert found.raw == SMALL[1:whole]
        # A line break that is no more joins two lines.
        ends = whole >= len(SMALL) - 1 or at == len(b"".join(SMALL[:-1])) - 1
        assert bool(found.damage) is not ends


@given(st.data())
def test_any_change_loses_no_good_line_before_it(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Bytes removed, doubled, or written over."""
    start = data.draw(st.integers(0, len(WHOLE)))
    end = data.draw(st.integers(start, len(WHOLE)))
    between = data.draw(st.binary(max_size=40) | st.just(WHOLE[start:end] * 2))
    content = WHOLE[:start] + between + WHOLE[end:]
    whole = lines_before(content)
    try:
        found = read(tmp_path_factory.mktemp("journal"), content)
    except journal_file.JournalError:
        assert not whole
        return
    assert found is not None or not whole
    if found is not None:
        assert found.raw[: whole - 1] == SMALL[1:whole]
        assert WHOLE.startswith(SMALL[0] + b"".join(found.raw)) or found.damage


def test_a_line_that_is_missing_or_double_is_damage(tmp_path: Path) -> None:
    for lines in (SMALL[:2] + SMALL[3:], SMALL[:3] + SMALL[2:]):
        found = read(tmp_path, b"".join(lines))
        assert found is not None
        assert "expected" in found.damage


def test_another_format_is_named(tmp_path: Path) -> None:
    header = replace(HEADER, format="daide-server game 2")
    with pytest.raises(
        journal_file.UnknownFormatError, match="found format 'daide-server game 2'"
    ):
        read(tmp_path, journal_file.encode_header(header) + b"".join(SMALL[1:]))


@pytest.mark.parametrize(
    "header",
    [
        replace(HEADER, record="../x"),
        replace(HEADER, record=".x"),
        replace(HEADER, record="x\n"),
        replace(HEADER, record=""),
        replace(HEADER, record="a" * 201),
        replace(HEADER, number=0),
        replace(HEADER, number=10**10),
        replace(HEADER, opened=-1.0),
        replace(HEADER, passcodes={FRANCE: 63340}),
        replace(HEADER, seats="FRA"),
        replace(HEADER, options=[]),
    ],
)
def test_a_header_that_is_not_ours_is_refused(
    tmp_path: Path, header: journal_file.GameHeader
) -> None:
    """It names no file elsewhere, and has no value that nobody expects."""
    with pytest.raises(journal_file.JournalError, match="line 1: ") as refused:
        read(tmp_path, journal_file.encode_header(header))
    assert len(str(refused.value)) < 1000


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(WHOLE)
    assert journal_file.read_game(tmp_path / "x.jsonl", len(WHOLE)) is not None
    with pytest.raises(journal_file.JournalError, match="found more than"):
        journal_file.read_game(tmp_path / "x.jsonl", len(WHOLE) - 1)
