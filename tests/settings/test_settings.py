"""Settings: kinds of values, the table, and what files say."""

import tomllib
from math import inf

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from daide_server.settings import table
from daide_server.settings.descriptor import component, setting
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

SCALARS: st.SearchStrategy[TomlValue] = st.one_of(
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)


@given(st.text(max_size=400))
def test_a_value_of_any_length_is_written_with_its_comment(name: str) -> None:
    """Beside it, or above it where there is no room."""
    rows = tuple(row for row in TABLE.rows if row.key == "text")

    text = table.toml_document(rows, lambda _: name, lambda row: row.help)

    assert tomllib.loads(text)["bar"] == {"text": name}
    assert "# What is on it." in text


@given(SCALARS)
def test_what_is_written_is_read_again(value: TomlValue) -> None:
    """Any value that a setting may have, and of the same type."""
    found = tomllib.loads(f"value = {table.scalar(value)}")["value"]
    assert (found, type(found)) == (value, type(value))


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


SIZES = either(whole(0), 0, None)


@frozen
class Kitchen:
    """A component whose settings are saved."""

    ovens: int | None = setting(SIZES, None, "How many.", option="--ovens")
    open: bool = setting(SWITCH, default=True, help="Whether it is.")


@frozen
class Bar:
    close: float = setting(
        SECONDS, 60.0, "When.", key="close_seconds", formerly="closing"
    )
    drink: str = setting(one_of(("tea", "rum")), "tea", "What.")


@frozen
class Sign:
    """A second component of a section."""

    text: str = setting(text("TEXT"), "Welcome", "What is on it.")


@frozen(kw_only=True)
class Inn:
    kitchen: Kitchen = component(Kitchen, "kitchen", "The kitchen", saved=True)
    bar: Bar = component(Bar, "bar", "The bar")
    sign: Sign = component(Sign, "bar", "The sign")


TABLE = table.SettingsTable(Inn)


def test_layers_go_on_top_of_a_base() -> None:
    base = Inn(bar=Bar(close=5.0, drink="rum"))
    layer = TABLE.read({"bar": {"drink": "tea"}}, "file")
    assert TABLE.compose(layer, base=base).bar == Bar(close=5.0, drink="tea")


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (
            {"kitchen": {"ovens": -1}},
            "[kitchen] ovens: found -1, expected a whole number of 0 or more",
        ),
        (
            {"bar": {"drink": "gin"}},
            "[bar] drink: found 'gin', expected one of tea, rum",
        ),
        (
            {"bar": {"ovens": 1}},
            "[bar] ovens: found in [bar], expected [kitchen] ovens",
        ),
        (
            {"closing": 1},
            "closing: found outside a section, expected [bar] close_seconds",
        ),
        ({"drink": "tea"}, "drink: found outside a section, expected [bar] drink"),
        ({"bra": {"drink": "tea"}}, "[bra]: no such section; did you mean [bar]?"),
        (
            {"bar": {"clos_seconds": 1}},
            "[bar] clos_seconds: no such setting; did you mean [bar] close_seconds?",
        ),
        (
            {"bar": {"x": 1}},
            "[bar] x: no such setting; there are close_seconds, drink, text",
        ),
        ({"colour": 1}, "colour: no such setting"),
        ({"cellar": {}}, "[cellar]: no such section; there are [kitchen], [bar]"),
        ({"bar": 5}, "bar: found 5, expected a section [bar]"),
    ],
)
def test_each_fault_is_named(found: dict[str, object], problem: str) -> None:
    """Where, what was found, what was expected."""
    with pytest.raises(table.SettingsError) as caught:
        TABLE.read(found, "inn.toml")
    assert str(caught.value) == f"inn.toml: {problem}"


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(table.SettingsError) as caught:
        TABLE.read({"closing": 1, "bar": {"drink": 1, "x": 2}, "y": {}}, "inn.toml")
    assert len(str(caught.value).splitlines()) == 4
