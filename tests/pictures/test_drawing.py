"""Whole pictures: well-formed, repeatable, of any map."""

import pytest

from daide_server.pictures.drawing import draw
from daide_server.pictures.legend import WIDTH
from daide_server.pictures.scene import Scene
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant, variant_names

from .conftest import Read


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_can_be_drawn(read: Read, name: str) -> None:
    variant = load_variant(name)
    (picture,) = read(draw(Scene(variant, load_picture(variant), variant.start)))

    texts = {each.text for each in picture.iter("text")}
    assert set(variant.map.provinces) <= texts


def test_the_same_scene_gives_the_same_picture(start: Scene) -> None:
    assert draw(start) == draw(start)


def test_the_legend_stands_beside_the_map(read: Read, start: Scene) -> None:
    (whole,), (bare,) = read(draw(start)), read(draw(start, with_legend=False))

    assert bare.get("width") == "300"
    assert bare.get("height") == "200"
    assert float(whole.get("width", 0)) == 300 + WIDTH
    assert float(whole.get("height", 0)) >= 200
