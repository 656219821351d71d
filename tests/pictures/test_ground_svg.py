"""The picture of a board for the page: small, and styled by classes only."""

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from daide_server.board.map import Terrain
from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.board_layout import board_layout
from daide_server.pictures.ground_svg import ground_svg
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant, variant_names

SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(name: str) -> str:
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    return ground_svg(variant, board_layout(load_picture(variant), labels), labels)


def test_the_standard_board_is_small() -> None:
    assert len(drawn("standard")) <= 100_000


@pytest.mark.parametrize("name", variant_names())
def test_every_land_centre_and_name_is_there(name: str) -> None:
    board = load_variant(name).map
    labels = names_of(board).provinces
    root = ET.fromstring(drawn(name))  # noqa: S314 (our own picture)
    lands = {
        labels[place]
        for place in board.provinces
        if board.terrain[place] is not Terrain.SEA
    }
    texts = [each.text for each in root.iter(f"{SVG}text")]

    assert {each.get("data-province") for each in root.iter()} - {None} == lands
    centres = {each.get("data-centre") for each in root.iter()} - {None}
    assert centres == {labels[place] for place in board.centres}
    assert set(labels.values()) <= set(texts)


def test_a_policy_without_inline_styles_lets_it_pass() -> None:
    """Colours are the page's: no style, no script, no colour in the picture."""
    text = drawn("standard")

    assert not re.search(
        r"style=|<style|<script|fill=|stroke=|on\w+=|#[0-9a-f]{6}", text
    )


def test_whole_units_where_they_are_fine_enough() -> None:
    numbers = re.findall(r' d="([^"]*)"', drawn("standard"))
    lands = [line for line in numbers if line.count("l") and len(line) > 300]

    assert lands
    assert not any("." in line for line in lands)
