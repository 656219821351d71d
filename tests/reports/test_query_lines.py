"""A position is asked about in the line that the judge's answers read."""

import json

import pytest

from daide_server.judge.rules import DAIDE_RULES
from daide_server.reports.queries import QueryAdjudicator, query_line
from daide_server.storage.variants import load_variant, variant_names


@pytest.mark.parametrize("name", variant_names())
def test_a_question_is_answered(name: str) -> None:
    """Everybody holds, so that units stay; before the first turn all wait to build."""
    variant = load_variant(name)

    asked = query_line(variant, variant.start)
    reply = QueryAdjudicator(load_variant, DAIDE_RULES).answer(asked, 1)

    assert reply.good
    assert json.loads(reply.text)["state"]["units"] == json.loads(asked)["units"]
    assert json.loads(asked)["map"] == name
