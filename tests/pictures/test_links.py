"""Links: near neighbours by a line, far ones by where it would leave the world."""

import pytest
from attrs import evolve

from daide_server.board.names import Province
from daide_server.pictures.links import links
from daide_server.pictures.scene import Scene

from .conftest import Read


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [("WST", "EST", []), ("SEA", "EST", ["EST", "SEA"])],
)
def test_neighbours_without_a_border_are_linked(
    start: Scene, read: Read, one: str, other: str, texts: list[str]
) -> None:
    """Far ones by the ends of the line only, each with the other's name."""
    picture = evolve(start.picture, links=((Province(one), Province(other)),))
    found = read(links(Scene(start.variant, picture, start.position)))

    assert len(found.findall("path")) == max(1, len(texts))
    assert sorted(str(each.text) for each in found.iter("text")) == texts


def test_a_picture_with_all_borders_has_no_links(start: Scene) -> None:
    assert not list(links(start))
