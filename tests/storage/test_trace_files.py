"""Kept conversations: whole frames, bounded, without passcodes, never in the way."""

from pathlib import Path

from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.trace_files import TraceFile, is_cut
from daide_server.wire.captures import frames_of, log_records
from daide_server.wire.frames import decode_tokens, encode_tokens

STANDARD = Vocabulary.standard()


def frame(text: str) -> bytes:
    return encode_tokens(from_text(text, STANDARD))


def texts(data: bytes) -> list[str]:
    found = frames_of(b"".join(each.frames for each in log_records(data)))
    return [to_text(decode_tokens(body), STANDARD) for _, body in found]


def test_frames_are_kept_whole_in_the_order_in_which_they_were_complete(
    tmp_path: Path,
) -> None:
    path, ours, theirs = tmp_path / "a", frame("GOF"), frame("YES (GOF)")
    file = TraceFile(path, 1000, lambda: 7)

    file.add(ours[:3], by_client=True)
    file.add(theirs, by_client=False)
    file.add(ours[3:], by_client=True)

    assert path.stat().st_mode & 0o027 == 0
    records = list(log_records(path.read_bytes()))
    assert [each.by_client for each in records] == [False, True]
    assert {each.milliseconds for each in records} == {7}
    assert texts(path.read_bytes()) == ["YES ( GOF )", "GOF"]


def test_no_passcode_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    file = TraceFile(path, 10_000, lambda: 0)

    file.add(frame("HLO (FRA) (4711) ((LVL 0))"), by_client=False)
    file.add(frame("IAM (FRA) (4711)") + frame("GOF"), by_client=True)
    file.add(frame("REJ (IAM (FRA) (4711))"), by_client=False)

    assert texts(path.read_bytes()) == [
        "HLO ( FRA ) ( 0 ) ( ( LVL 0 ) )",
        "IAM ( FRA ) ( 0 )",
        "GOF",
        "REJ ( IAM ( FRA ) ( 0 ) )",
    ]


def test_a_file_does_not_grow_beyond_its_limit(tmp_path: Path) -> None:
    """Its name says that it was cut."""
    path = tmp_path / "a.trace"
    file = TraceFile(path, 100, lambda: 0)

    for _ in range(100):
        file.add(frame("GOF"), by_client=True)

    [cut] = tmp_path.iterdir()
    assert cut.name == "a-cut.trace"
    assert 50 < cut.stat().st_size <= 100
    assert is_cut(cut)
    assert not is_cut(path)


def test_what_cannot_be_written_is_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.mkdir()
    file = TraceFile(path, 1000, lambda: 0)

    file.add(frame("GOF"), by_client=True)
    file.add(frame("GOF"), by_client=True)

    assert [each.name for each in tmp_path.iterdir()] == ["a-cut.trace"]


def test_a_folder_that_is_gone_costs_the_trace_only(tmp_path: Path) -> None:
    file = TraceFile(tmp_path / "gone" / "a", 1000, lambda: 0)

    file.add(frame("GOF"), by_client=True)

    assert not (tmp_path / "gone").exists()
