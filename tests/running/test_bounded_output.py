"""The first and the last part of what a bot prints."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.running.bot_usage import BoundedOutput


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_beginning_and_end_are_kept(pieces: list[bytes]) -> None:
    """However the stream is cut, and no more than twice the limit."""
    output, whole = BoundedOutput(16), b"".join(pieces)
    for piece in pieces:
        output.add(piece)

    if len(whole) <= 32:
        assert output.content == whole
    else:
        gap = b"\n[... %d bytes were not kept ...]\n" % (len(whole) - 32)
        assert output.content == whole[:16] + gap + whole[-16:]


def test_last_lines_are_text() -> None:
    """Bytes that are no UTF-8 are replaced."""
    output = BoundedOutput()
    output.add(b"one\ntwo\n\xff three\n")

    assert output.last_lines(2) == "two\n\ufffd three"
    assert output.last_lines(characters=5) == "three"
