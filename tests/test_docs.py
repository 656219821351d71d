"""What the documents claim of the code is so."""

import re
from pathlib import Path

import pytest

from tools.write_diagrams import diagram

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


PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted(TOP.glob("docs/*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    """Paths of this repository, and links between the pages."""
    text = page.read_text("utf-8")
    named = re.findall(
        r"`((?:daide_server|docs|tests|maps|config)/[a-z\d_/.-]*)`", text
    )
    named += re.findall(r"`([a-z\d_/]+/[a-z\d_]+\.py)`", text)
    linked = re.findall(r"\]\((?!http)([\w/.-]+)", text)

    places = TOP, TOP / "daide_server"
    missing = [name for name in named if not any((at / name).exists() for at in places)]
    missing += [link for link in linked if not (page.parent / link).exists()]
    assert not missing


def test_the_example_of_the_library_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (TOP / "docs" / "api.md").read_text("utf-8")
    (example,) = re.findall(r"## The judge\n\n```python\n(.*?)```", text, re.DOTALL)

    exec(example, {})  # noqa: S102 (our own page)

    assert "A PAR - BUR Bounced" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and to a heading of a page."""
    text = re.sub(r"(?s)```.*?```", "", page.read_text())
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of *page*."""
    titles = re.findall(r"(?m)^#+ (.+)$", page.read_text())
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
