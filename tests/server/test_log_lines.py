"""A line in logfmt is what structlog's own renderer makes of the escaped values."""

from hypothesis import given
from hypothesis import strategies as st
from structlog.processors import LogfmtRenderer

from daide_server.server.log_lines import (
    CONTROL_CHARACTER,
    FIRST_FIELDS,
    LogStyle,
    logger,
)

RENDERER = LogfmtRenderer(key_order=FIRST_FIELDS, drop_missing=True, bool_as_flag=False)

texts = st.text(st.sampled_from('aZ0 ="\\\n\r\t\x00\x1b\x7f\x85\xa0é\u2028\u2029😀'))
values = st.one_of(
    texts, st.text(), st.integers(), st.floats(), st.booleans(), st.none()
)


@given(st.dictionaries(st.sampled_from(["game", "turn", "reason", "note"]), values))
def test_a_line_is_that_of_structlog(fields: dict[str, object]) -> None:
    lines: list[str] = []

    logger(lines.append, LogStyle("info", "logfmt")).info("game.ended", **fields)

    stamp = lines[0].partition(" ")[0].removeprefix("timestamp=")
    event = {"timestamp": stamp, "level": "info", "event": "game.ended"}
    expected = event | {key: escaped(value) for key, value in fields.items()}
    assert lines == [RENDERER(None, "info", expected)]


def escaped(value: object) -> object:
    """Return *value* without what could forge or garble a line."""
    if isinstance(value, int | float):
        return value
    return CONTROL_CHARACTER.sub(
        lambda found: found[0].encode("unicode_escape").decode(), str(value)
    )
