"""The view of a board: what the page needs to place units on its picture."""

from msgspec import Struct

from daide_server.board.map import Terrain, Variant
from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.board_layout import BoardLayout
from daide_server.pictures.links import far_neighbours

from .game_views import board_title, power_views
from .views import PowerView


class BoardView(Struct, frozen=True, omit_defaults=True):
    """A board as the page draws it; lengths are in the units of its picture."""

    name: str
    title: str
    width: float
    height: float
    badge: float
    """The diameter of a unit."""
    readable: float
    """The width in CSS pixels from which every name is at least nine pixels high."""
    spots: dict[str, tuple[float, float]]
    """Where a unit stands at each location, such as `STP/SC`."""
    origins: dict[str, tuple[float, float]]
    """The start of the line to a unit that stands outside its small province."""
    provinces: dict[str, str]
    """The full name of each province."""
    seas: tuple[str, ...]
    follows: dict[str, str]
    """The centre whose colour each province without a centre has."""
    powers: tuple[PowerView, ...]
    far: tuple[tuple[str, str], ...]
    """Neighbours at opposite sides of the picture, as on a map of the world."""
    majority: int
    """The number of centres that wins."""


def board_view(variant: Variant, layout: BoardLayout) -> BoardView:
    """Return the view of the board of *variant*, drawn with *layout*."""
    names, picture = names_of(variant.map), layout.picture
    return BoardView(
        name=variant.name,
        title=board_title(variant),
        width=picture.width,
        height=picture.height,
        badge=layout.badge,
        readable=layout.readable,
        spots={names.location_text(at): spot for at, spot in layout.units.items()},
        origins={names.location_text(at): spot for at, spot in layout.origins.items()},
        provinces={
            text: variant.titles.get(place, place)
            for place, text in names.provinces.items()
        },
        seas=tuple(
            text
            for place, text in names.provinces.items()
            if variant.map.terrain[place] is Terrain.SEA
        ),
        follows={
            names.provinces[place]: names.provinces[centre]
            for place, centre in picture.follows.items()
        },
        powers=power_views(variant),
        far=tuple(
            (names.provinces[one], names.provinces[other])
            for one, others in far_neighbours(picture).items()
            for other in others
        ),
        majority=variant.map.majority,
    )
