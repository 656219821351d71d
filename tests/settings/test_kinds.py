"""Kinds of values: what is accepted, and how files and options write it."""

from math import inf

import pytest

from daide_server.settings.kinds import (
    FOLDER_OR_NONE,
    PORT,
    PORT_RANGE,
    SEAT_PORTS,
    SECONDS,
    SECONDS_OR_NONE,
    SWITCH,
    Kind,
    TomlValue,
    ValueRefused,
    either,
    number,
    one_of,
    text,
    whole,
)

LEVEL = one_of((0, 10, 20))
LIMIT = either(whole(0, 8191, unit="seconds"), 0, None)
SEED = either(whole(), "random", None)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (whole(1), 7, 7),
        (SWITCH, True, True),
        (text("ADDRESS"), "localhost", "localhost"),
        (SECONDS, 2.5, 2.5),
        (LEVEL, 20, 20),
        (LIMIT, 0, None),
        (LIMIT, 60, 60),
        (SEED, "random", None),
        (SEED, -3, -3),
        (FOLDER_OR_NONE, "", None),
        (FOLDER_OR_NONE, "saves", "saves"),
        (SECONDS_OR_NONE, 0.0, None),
        (either(SECONDS, 0.0, inf), 0.0, inf),
        (PORT_RANGE, "17000-17002", (17000, 17001, 17002)),
        (PORT_RANGE, "", ()),
    ],
)
def test_what_is_read_is_written_again(
    kind: Kind[object], written: TomlValue, value: object
) -> None:
    """Whatever stands for what."""
    assert kind.read(written) == value
    assert kind.write(value) == written
    assert type(kind.write(value)) is type(written)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (whole(1), 0, "a whole number of 1 or more"),
        (whole(1), True, "a whole number of 1 or more"),
        (whole(1), 1.5, "a whole number of 1 or more"),
        (LIMIT, 8192, "whole seconds from 0 to 8191"),
        (LIMIT, False, "whole seconds from 0 to 8191"),
        (SEED, "chance", "a whole number, or 'random'"),
        (SECONDS, float("nan"), "seconds of 0 or more"),
        (SECONDS, inf, "seconds of 0 or more"),
        (SECONDS, 10**400, "seconds of 0 or more"),
        (number(1000, unit="bytes"), 999, "bytes of 1000 or more"),
        (LEVEL, 15, "one of 0, 10, 20"),
        (LEVEL, False, "one of 0, 10, 20"),
        (text("ADDRESS"), "", "a text"),
        (SWITCH, 1, "true or false"),
        (PORT, 70000, "a port from 0 to 65535"),
        (PORT_RANGE, "9-1", "a range of ports such as 17000-17009, or an empty text"),
        (PORT_RANGE, "0-1", "a range of ports such as 17000-17009, or an empty text"),
        (PORT_RANGE, 17000, "a range of ports such as 17000-17009, or an empty text"),
        (
            SEAT_PORTS,
            "a-b",
            "a range of ports such as 17000-17009, or 0, or an empty text",
        ),
        (FOLDER_OR_NONE, 3, "a folder, or an empty text"),
    ],
)
def test_what_is_refused_and_what_is_expected(
    kind: Kind[object], value: object, expected: str
) -> None:
    """A truth value is no number, and a number no truth value."""
    with pytest.raises(ValueRefused):
        kind.read(value)
    assert kind.expected == expected


def test_a_word_on_the_command_line_is_a_number_where_one_is_expected() -> None:
    """And a text where a text is expected, even if it looks like a number."""
    assert LIMIT.read_text("60") == 60
    assert SECONDS.read_text("0.5") == 0.5
    assert text("FOLDER").read_text("2024") == "2024"
    assert SEED.read_text("random") is None
    with pytest.raises(ValueRefused):
        LIMIT.read_text("soon")
