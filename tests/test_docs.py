"""What the documents claim of the code is so."""

import re
from pathlib import Path

from daide_server.game.stages import TRANSITIONS, Stage

TOP = Path(__file__).parents[1]


def test_the_drawn_states_are_the_table() -> None:
    """docs/architecture.md draws `TRANSITIONS`, no more and no less."""
    text = (TOP / "docs" / "architecture.md").read_text()
    drawn = set(re.findall(r"^ +([A-Z]+) --> ([A-Z]+):", text, re.MULTILINE))
    table = {(a.name, b.name) for a, then in TRANSITIONS.items() for b in then}
    assert drawn == table
    assert f"{Stage.CLOSED.name} --> [*]" in text


def test_the_floors_are_those_of_the_contract() -> None:
    """The picture of the house names every layer that import-linter guards."""
    drawing = (TOP / "docs" / "architecture.md").read_text().split("```")[1]
    config = (TOP / "pyproject.toml").read_text()
    layers = re.search(r"layers = \[(.*?)\]", config, re.DOTALL)
    assert layers is not None
    for name in re.findall(r"\b[a-z_]+\b", re.sub(r"\(\w+\)", "", layers[1])):
        assert name in drawing, name
