"""What the documents claim of the code is so."""

import re
from pathlib import Path

from daide_server.game.stages import diagram

TOP = Path(__file__).parents[1]


def test_the_diagram_of_the_stages_is_made_from_the_table() -> None:
    """`make diagrams` writes what docs/architecture.md shows."""
    text = (TOP / "docs" / "architecture.md").read_text()
    assert diagram() in text


def test_the_layers_are_those_of_the_contract() -> None:
    """The drawing of the layers names every layer that import-linter guards."""
    drawing = (TOP / "docs" / "architecture.md").read_text().split("```")[1]
    config = (TOP / "pyproject.toml").read_text()
    layers = re.search(r"layers = \[(.*?)\]", config, re.DOTALL)
    assert layers is not None
    for name in re.findall(r"\b[a-z_]+\b", re.sub(r"\(\w+\)", "", layers[1])):
        assert name in drawing, name
