"""Settings as text: scalars of TOML."""

import tomllib

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from daide_server.settings.descriptor import component, setting
from daide_server.settings.kinds import TomlValue, text
from daide_server.settings.table import SettingsTable, scalar, toml_document

TEXT = text("TEXT")


@frozen(kw_only=True)
class _Part:
    """One component."""

    name: str = setting(TEXT, "", "What it is called.")


@frozen(kw_only=True)
class _Section:
    """One section."""

    part: _Part = component(_Part, "part", "A part")


SCALARS: st.SearchStrategy[TomlValue] = st.one_of(
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)


@given(st.text(max_size=400))
def test_a_value_of_any_length_is_written_with_its_comment(name: str) -> None:
    """Beside it, or above it where there is no room."""
    rows = SettingsTable(_Section).rows

    text = toml_document(rows, lambda _: name, lambda row: row.descriptor.help)

    assert tomllib.loads(text)["part"] == {"name": name}
    assert "# What it is called." in text


@given(SCALARS)
def test_what_is_written_is_read_again(value: TomlValue) -> None:
    """Any value that a setting may have, and of the same type."""
    found = tomllib.loads(f"value = {scalar(value)}")["value"]
    assert (found, type(found)) == (value, type(value))
