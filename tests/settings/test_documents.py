"""Settings as text: scalars of TOML."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from daide_server.settings.documents import scalar
from daide_server.settings.kinds import TomlValue

SCALARS: st.SearchStrategy[TomlValue] = st.one_of(
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)


@given(SCALARS)
def test_what_is_written_is_read_again(value: TomlValue) -> None:
    """Any value that a setting may have, and of the same type."""
    found = tomllib.loads(f"value = {scalar(value)}")["value"]
    assert (found, type(found)) == (value, type(value))
