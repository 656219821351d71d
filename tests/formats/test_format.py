"""The keys by which a JSON format is recognised."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.formats.errors import FormatError
from daide_server.formats.format import json_with, top_keys


def test_a_json_format_begins_with_a_brace() -> None:
    signature = json_with("phases")
    assert (signature.beginning, signature.key) == (b"{", "phases")


def test_only_the_keys_at_the_top_count() -> None:
    assert top_keys(b'{"a": {"b": 1}, "c": [{"d": 2}]}') == {"a", "c"}


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"1", b"{", b'{"a": \xff}', b"[" * 100_000]
)
def test_what_is_no_object_is_refused(content: bytes) -> None:
    with pytest.raises(FormatError, match="expected a record of a game"):
        top_keys(content)


@given(st.binary(max_size=40))
def test_any_bytes_have_keys_or_are_refused(content: bytes) -> None:
    with suppress(FormatError):
        top_keys(content)
