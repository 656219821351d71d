"""What the documents claim of the code is so."""

import re
from pathlib import Path

import pytest

from tests.support.snippets import TOP, every_page
from tools.write_diagrams import diagram


def test_the_diagram_of_the_stages_is_made_from_the_table() -> None:
    """`make diagrams` writes what docs/architecture.md shows."""
    text = (TOP / "docs" / "architecture.md").read_text()
    assert diagram() in text


@pytest.mark.parametrize("page", every_page(), ids=lambda page: page.name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    named = re.findall(
        r"`((?:daide_server|docs|tests|maps|config)/[a-z\d_/.-]*)`", text
    )
    named += re.findall(r"`([a-z\d_/]+/[a-z\d_]+\.py)`", text)
    places = TOP, TOP / "daide_server"
    missing = [name for name in named if not any((at / name).exists() for at in places)]
    assert not missing


@pytest.mark.parametrize("page", every_page(), ids=lambda page: page.name)
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
    titles = re.findall(r"(?m)^#+ (.+)$", page.read_text())
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
