"""Frames of a journal: what is read back, whole, cut short and damaged."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.storage.journal_frames import (
    EntryKind,
    JournalEntry,
    JournalFrame,
    TornTail,
    encode_frame,
    scan,
)
from daide_server.storage.journal_recovery import Recovered, recover

GAMES = (1, 2, 3)


@st.composite
def passes(draw: st.DrawFn) -> list[list[JournalEntry]]:
    """Draw what a server commits: passes with entries of up to three games."""
    numbers = dict.fromkeys(GAMES, 0)
    drawn = []
    for games in draw(
        st.lists(st.lists(st.sampled_from(GAMES), min_size=1, max_size=5), max_size=8)
    ):
        entries = []
        for game in games:
            payload = draw(st.binary(max_size=12))
            kind = EntryKind.EVENT if numbers[game] else EntryKind.OPENED
            entries.append(JournalEntry(game, numbers[game], kind, payload))
            numbers[game] += 1
        drawn.append(entries)
    return drawn


def written(drawn: list[list[JournalEntry]]) -> bytes:
    return b"".join(encode_frame(n, entries) for n, entries in enumerate(drawn))


def by_game(drawn: list[list[JournalEntry]]) -> dict[int, tuple[JournalEntry, ...]]:
    entries = [entry for each in drawn for entry in each]
    games = dict.fromkeys(entry.game for entry in entries)
    return {game: tuple(e for e in entries if e.game == game) for game in games}


def recovered(data: bytes) -> Recovered:
    return recover(scan(data))


@given(passes())
def test_what_is_written_is_read(drawn: list[list[JournalEntry]]) -> None:
    found = recovered(written(drawn))

    assert found == Recovered(by_game(drawn), {}, len(drawn), None)


@given(passes(), st.data())
def test_a_cut_costs_the_last_frame_only(
    drawn: list[list[JournalEntry]], data: st.DataObject
) -> None:
    """A process that is killed in a write leaves the beginning of what it wrote."""
    whole = written(drawn)
    end = data.draw(st.integers(0, len(whole)))
    kept, size = [], 0
    for entries in drawn:
        size += len(encode_frame(0, entries))
        if size > end:
            break
        kept.append(entries)

    found = recovered(whole[:end])

    assert found.games == by_game(kept)
    assert not found.damaged
    assert (found.torn_at is None) == (len(written(kept)) == end)


@given(passes().filter(bool), st.data())
def test_a_changed_byte_never_changes_a_game_unnoticed(
    drawn: list[list[JournalEntry]], data: st.DataObject
) -> None:
    """Every game comes back as it was, or is named as damaged."""
    whole = bytearray(written(drawn))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))

    found = recovered(bytes(whole))

    expected = by_game(drawn)
    assert found.games.keys() | found.damaged.keys() == expected.keys()
    for game, entries in found.games.items():
        assert entries == expected[game]


@given(passes().filter(bool), st.data())
def test_a_changed_byte_costs_the_games_of_one_frame_at_most(
    drawn: list[list[JournalEntry]], data: st.DataObject
) -> None:
    whole = bytearray(written(drawn))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))

    found = recovered(bytes(whole))

    frame, size = 0, len(encode_frame(0, drawn[0]))
    while size <= place:
        frame += 1
        size += len(encode_frame(0, drawn[frame]))
    assert found.damaged.keys() <= {entry.game for entry in drawn[frame]}


@given(passes(), st.binary(max_size=60), st.data())
def test_any_bytes_are_survived(
    drawn: list[list[JournalEntry]], noise: bytes, data: st.DataObject
) -> None:
    whole = written(drawn)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))

    found = recovered(whole[:start] + noise + whole[end:])

    for game, entries in found.games.items():
        assert entries == by_game(drawn)[game][: len(entries)]


def test_games_that_are_over_are_not_recovered() -> None:
    opened = JournalEntry(1, 0, EntryKind.OPENED, b"setup")
    over = JournalEntry(1, 1, EntryKind.FORGOTTEN, b"")

    assert not recovered(written([[opened], [over]])).games


def test_an_unfinished_frame_is_told_from_damage() -> None:
    frame = encode_frame(0, [JournalEntry(1, 0, EntryKind.OPENED, b"setup")])

    assert list(scan(frame[:-1])) == [TornTail(0)]
    (found,) = scan(frame[:40] + b"\x00" + frame[41:])
    assert isinstance(found, JournalFrame)
    assert found.damaged == {1}
