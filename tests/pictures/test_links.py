"""Links: near neighbours have a line, far ones a stub at each end."""

import pytest
from attrs import evolve

from daide_server.board.names import Province
from daide_server.board.variant import Variant
from daide_server.pictures.links import links
from daide_server.pictures.scene import Scene
from daide_server.pictures.schematic import schematic

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


def test_without_borders_every_link_is_a_line(standard: Variant, read: Read) -> None:
    """However far apart: in discs and lines nothing else shows what is near."""
    picture = schematic(standard.map)
    found = read(links(Scene(standard, picture, standard.start)))

    assert len(found.findall("path")) == len(picture.links)
    assert not list(found.iter("text"))
