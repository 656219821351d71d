"""What the page needs of a board has a place for everything that views mention."""

import pytest

from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.board_layout import board_layout
from daide_server.reports.board_views import BoardView, board_view
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant


def viewed(name: str) -> BoardView:
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    return board_view(variant, board_layout(load_picture(variant), labels))


@pytest.mark.parametrize("name", ["standard", "colonial", "pure"])
def test_every_location_has_a_spot_inside_the_picture(name: str) -> None:
    view, board = viewed(name), load_variant(name).map
    names = names_of(board)

    assert set(view.spots) == {
        names.location_text(at) for at in board.locations.values()
    }
    assert all(
        0 <= x <= view.width and 0 <= y <= view.height for x, y in view.spots.values()
    )
    assert set(view.provinces) == set(names.provinces.values())


def test_provinces_are_called_as_in_orders() -> None:
    view = viewed("standard")

    assert view.provinces["ENG"] == "English Channel"
    assert "ENG" in view.seas
    assert "STP/SC" in view.spots


def test_neighbours_around_the_world_are_listed_both_ways() -> None:
    view = viewed("world")

    assert ("BRS", "NWP") in view.far
    assert ("NWP", "BRS") in view.far
    assert viewed("standard").far == ()
