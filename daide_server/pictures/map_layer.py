"""The map layer: faces in the colours of their owners, borders, names and centres."""

import math
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property

from attrs import evolve, frozen

from daide_server.board.map import Map, Terrain, Variant
from daide_server.board.names import Province

from . import palette
from .board_layout import BoardLayout, coast_label, name_places
from .links import far_neighbours, links, near_links
from .picture import Picture, Point, Polyline, simplified
from .scene import Scene
from .shapes import SIZE, element, group, path, text, title

OWNED_SHARE = 0.5
"""The share of the owner's colour in the colour of a supply centre's province."""
FOLLOWER_SHARE = 0.26
"""The same for a province that is coloured like a supply centre near it."""
COAST_GLOW = 9
"""The width of the pale water along a coast."""
STAR = (
    (0.0, -1.0), (0.25, -0.34), (0.95, -0.31), (0.4, 0.13), (0.59, 0.81),
    (0.0, 0.42), (-0.59, 0.81), (-0.4, 0.13), (-0.95, -0.31), (-0.25, -0.34),
)  # fmt: skip
STAR_SIZE = 6.8
PROVINCE_NAME_SIZE = 13.5
NAME_DROP = 4.5
"""The distance from the middle of a name to its base line; `COAST_DROP` is that of a
coast."""
COAST_DROP = 3.5


class Edge(Enum):
    """The kinds of areas that an arc separates, in the order of drawing."""

    SEAS = "seas"
    LANDS = "lands"
    COAST = "coast"


def map_layer(scene: Scene) -> Iterator[str]:
    """Yield the elements under units and orders, from the bottom up."""
    yield from _water(scene)
    yield group(_lands(scene), id="land", stroke="none")
    yield group(_voids(scene), id="voids", fill=palette.VOID_COLOUR, stroke="none")
    yield group(_borders(scene), id="borders", fill="none", stroke_linejoin="round")
    yield group(_islands(scene), id="islands", fill=palette.ISLAND)
    yield group(links(scene), id="links", fill="none")
    yield group(_centres(scene), id="centres", stroke_linejoin="round")


def names(scene: Scene, labels: Mapping[Province, str]) -> Iterator[str]:
    """Yield the names of provinces, from *labels* if there, and of named coasts."""
    provinces = scene.variant.map.provinces
    seas = [place for place in provinces if _is_sea(scene, place)]
    lands = [place for place in provinces if not _is_sea(scene, place)]
    leader: dict[str, str | float] = {"stroke": palette.INK, "stroke_width": 0.8}
    yield group(_leaders(scene), id="leaders", stroke_opacity="0.7", **leader)
    yield group((_name(scene, place, labels) for place in seas), **_SEA_NAMES)
    # The pale edge is a text of its own: not every SVG reader supports paint-order.
    yield group(
        (_name(scene, place, labels) for place in lands), **_LAND_NAMES, **_HALO
    )
    yield group((_name(scene, place, labels) for place in lands), **_LAND_NAMES)
    yield group(_coasts(scene), **_COASTS)


_LAND_NAMES: dict[str, str | float] = {
    "font_size": PROVINCE_NAME_SIZE,
    "font_weight": "bold",
    "fill": palette.INK,
}
_HALO: dict[str, str | float] = {
    "stroke": palette.PAPER,
    "stroke_width": 3,
    "stroke_opacity": "0.55",
    "stroke_linejoin": "round",
}
_SEA_NAMES: dict[str, str | float] = {
    "font_size": 14,
    "font_style": "italic",
    "letter_spacing": 1,
    "fill": "#3d6379",
}
_COASTS: dict[str, str | float] = {
    "font_size": 10.5,
    "font_style": "italic",
    "fill": palette.INK,
}


def _is_sea(scene: Scene, province: Province) -> bool:
    return scene.variant.map.terrain[province] is Terrain.SEA


def _water(scene: Scene) -> Iterator[str]:
    """Yield the seas, paler along the coasts."""
    picture = scene.picture
    yield element("rect", fill=palette.SEA, width=picture.width, height=picture.height)
    # The coasts are most of the bytes: their lines are written once, and used.
    coasts = path(_arcs(scene, Edge.COAST), closed=False)
    yield element("defs", element("path", id="coasts", d=coasts))
    for width, opacity in ((COAST_GLOW * 2, "0.28"), (COAST_GLOW, "0.35")):
        yield element(
            "use",
            href="#coasts",
            fill="none",
            stroke="#ffffff",
            stroke_width=width,
            stroke_opacity=opacity,
            stroke_linejoin="round",
        )


def _lands(scene: Scene) -> Iterator[str]:
    for place in scene.variant.map.provinces:
        if not _is_sea(scene, place):
            rings = map(scene.picture.outline, scene.picture.faces[place])
            yield element(
                "path",
                title(scene.title(place)),
                d=path(rings, closed=True),
                fill=_face_colour(scene, place),
                fill_rule="evenodd",
            )


def _face_colour(scene: Scene, province: Province) -> str:
    power = scene.owner_shown(province)
    if power is None:
        return palette.LAND
    share = FOLLOWER_SHARE if province in scene.picture.follows else OWNED_SHARE
    return palette.mixed(scene.colours[power], palette.LAND, share)


def _voids(scene: Scene) -> Iterator[str]:
    for ring in scene.picture.voids:
        yield element("path", d=path([scene.picture.outline(ring)], closed=True))


_EDGES: dict[Edge, dict[str, str | float]] = {
    Edge.SEAS: {
        "stroke": palette.SEA_EDGE,
        "stroke_width": 1.3,
        "stroke_dasharray": "6 3.5",
    },
    Edge.LANDS: {"stroke": palette.BORDER, "stroke_width": 1.3},
    Edge.COAST: {"stroke": palette.COAST, "stroke_width": 1.1},
}


def _borders(scene: Scene) -> Iterator[str]:
    for edge in (Edge.SEAS, Edge.LANDS):
        lines = path(_arcs(scene, edge), closed=False)
        if lines:
            yield element("path", d=lines, **_EDGES[edge])
    yield element("use", href="#coasts", **_EDGES[Edge.COAST])


def _arcs(scene: Scene, wanted: Edge) -> Iterator[Polyline]:
    return arcs_of(scene.variant.map, scene.picture, wanted)


def arcs_of(board_map: Map, picture: Picture, wanted: Edge) -> Iterator[Polyline]:
    """Yield the arcs of *picture* that are edges of the *wanted* kind."""
    for arc, sides in zip(picture.arcs, picture.sides, strict=True):
        if _edge(board_map, sides) is wanted:
            yield arc


def _edge(board_map: Map, sides: tuple[Province, ...]) -> Edge | None:
    """Return the kind of the arc between the provinces *sides*."""
    seas = [board_map.terrain[place] is Terrain.SEA for place in sides]
    if len(seas) == 1:
        return Edge.COAST if seas[0] else Edge.LANDS
    if not seas:
        return None
    if all(seas):
        return Edge.SEAS
    return Edge.COAST if any(seas) else Edge.LANDS


def _islands(scene: Scene) -> Iterator[str]:
    picture = scene.picture
    edge: dict[str, str | float] = {"stroke": palette.COAST, "stroke_width": 0.9}
    if picture.islands:
        yield element("path", d=path(picture.islands, closed=True), **edge)
    if picture.lakes:
        water = path(picture.lakes, closed=True)
        yield element("path", d=water, fill=palette.SEA, **edge)


def _centres(scene: Scene) -> Iterator[str]:
    for place in scene.variant.map.provinces:
        if place in scene.picture.centres:
            power = scene.position.owners.get(place)
            fill = palette.PAPER if power is None else scene.colours[power]
            line = path([star(scene.picture.centres[place], STAR_SIZE)], closed=True)
            edge: dict[str, str | float] = {"stroke": "#ffffff", "stroke_width": 3.6}
            yield element("path", d=line, fill="none", stroke_opacity="0.8", **edge)
            yield element(
                "path", d=line, fill=fill, stroke=palette.INK, stroke_width=0.9
            )


def star(at: Point, size: float) -> Polyline:
    """Return the corners of a star with the radius *size* around *at*."""
    return tuple((at[0] + x * size, at[1] + y * size) for x, y in STAR)


def _leaders(scene: Scene) -> Iterator[str]:
    """Yield a line from each name that stands outside its province."""
    picture = scene.picture
    for place, at in _places(scene).items():
        home = picture.names[place]
        if math.dist(at, home) > PROVINCE_NAME_SIZE and not picture.covers(place, at):
            yield element("path", d=path([(home, at)], closed=False))


def _places(scene: Scene) -> Mapping[Province, Point]:
    return name_places(scene.picture, PROVINCE_NAME_SIZE, 2 * SIZE)


def _name(scene: Scene, province: Province, labels: Mapping[Province, str]) -> str:
    x, y = _places(scene)[province]
    shown = labels.get(province, province)
    return text(shown, (x, y + NAME_DROP), text_anchor="middle")


def _coasts(scene: Scene) -> Iterator[str]:
    for at, (x, y) in scene.picture.units.items():
        if at.coast is not None:
            yield text(coast_label(at), (x, y + COAST_DROP), text_anchor="middle")


LINE_TOLERANCE = 0.6
"""The maximum distance of a simplified line from the drawn one, in rounded units."""
WHOLE_UNITS_FROM = 1000.0
"""The width of a picture from which whole units are fine enough."""
BASE_LINE = 0.35
"""The distance from the middle of capitals to their base line, in ems."""


def ground_svg(
    variant: Variant, layout: BoardLayout, labels: Mapping[Province, str]
) -> str:
    """Return the board of *variant* as SVG, with *labels* as names of provinces."""
    return _Board(variant, layout, labels).svg()


@frozen(eq=False, slots=False)
class _Board:
    """Writes the layers of one board."""

    variant: Variant
    layout: BoardLayout
    labels: Mapping[Province, str]

    @cached_property
    def parts(self) -> int:
        """The parts of a unit that points are rounded to."""
        return 1 if self.layout.picture.width >= WHOLE_UNITS_FROM else 10

    @cached_property
    def picture(self) -> Picture:
        """The picture with simplified lines."""
        drawn = self.layout.picture
        return evolve(
            drawn,
            arcs=self._simplified(drawn.arcs),
            islands=self._simplified(drawn.islands),
            lakes=self._simplified(drawn.lakes),
        )

    def svg(self) -> str:
        coasts = f"coasts-{self.variant.name}"
        line = self._path(self._border(Edge.COAST), closed=False)
        frame = {"width": self.picture.width, "height": self.picture.height}
        return element(
            "svg",
            element("defs", element("path", id=coasts, d=line)),
            element("rect", class_="water", **frame),
            element("use", class_="glow", href=f"#{coasts}"),
            group(self._lands(), class_="lands"),
            group(self._voids(), class_="voids"),
            element("path", class_="seams", d=self._path(self._border(Edge.SEAS))),
            element("path", class_="borders", d=self._path(self._border(Edge.LANDS))),
            group(self._islands(), class_="islands"),
            element("use", class_="coast", href=f"#{coasts}"),
            element("path", class_="links", d=self._path(self._links())),
            element("path", class_="leaders", d=self._path(self._leaders())),
            group(self._stars(), class_="centres"),
            group(self._names(), class_="names", font_size=self.layout.font),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {frame['width']:g} {frame['height']:g}",
            class_="outline",
        )

    # Layers

    def _lands(self) -> Iterator[str]:
        terrain = self.variant.map.terrain
        for place, rings in self.picture.faces.items():
            if terrain[place] is not Terrain.SEA:
                lines = map(self.picture.outline, rings)
                yield element(
                    "path",
                    title(self._title(place)),
                    data_province=self.labels[place],
                    d=self._path(lines, closed=True),
                )

    def _voids(self) -> Iterator[str]:
        if self.picture.voids:
            lines = map(self.picture.outline, self.picture.voids)
            yield element("path", d=self._path(lines, closed=True))

    def _border(self, edge: Edge) -> Iterator[Polyline]:
        return arcs_of(self.variant.map, self.picture, edge)

    def _islands(self) -> Iterator[str]:
        for name, lines in (
            ("island", self.picture.islands),
            ("lake", self.picture.lakes),
        ):
            if lines:
                yield element("path", class_=name, d=self._path(lines, closed=True))

    def _links(self) -> Iterator[Polyline]:
        spots = self.picture.names
        for one, other in near_links(self.picture):
            yield spots[one], spots[other]
        for place, at in self.layout.beyond.items():
            yield spots[place], at

    def _leaders(self) -> Iterator[Polyline]:
        for at, origin in self.layout.origins.items():
            yield origin, self.layout.units[at]

    def _stars(self) -> Iterator[str]:
        for place, at in self.layout.centres.items():
            line = path([star(at, self.layout.star / 2)], closed=True)
            yield element("path", data_centre=self.labels[place], d=line)

    def _names(self) -> Iterator[str]:
        terrain = self.variant.map.terrain
        for place, at in self.layout.names.items():
            kind = "sea" if terrain[place] is Terrain.SEA else "land"
            name = self._text(self.labels[place], at, kind, title(self._title(place)))
            if place in self.layout.leaders:
                (x, y), _ = self.layout.leaders[place]
                name = name.replace(" class", f' data-from="{x:g} {y:g}" class', 1)
            yield name
        for location, at in self.layout.units.items():
            if location.coast is not None:
                yield self._text(coast_label(location), at, "coast")
        for place, others in far_neighbours(self.picture).items():
            if place in self.layout.beyond:
                words = " ".join(self.labels[other] for other in others)
                yield self._text(words, self.layout.beyond[place], "beyond")

    # Their parts

    def _title(self, place: Province) -> str:
        return self.variant.titles.get(place, place)

    def _text(self, words: str, at: Point, kind: str, tip: str = "") -> str:
        base = at[0], at[1] + BASE_LINE * self.layout.font
        shown = text(words, base, class_=kind)
        return shown.replace("</text>", f"{tip}</text>") if tip else shown

    def _simplified(self, lines: Iterable[Polyline]) -> tuple[Polyline, ...]:
        return tuple(simplified(line, LINE_TOLERANCE / self.parts) for line in lines)

    def _path(self, lines: Iterable[Polyline], *, closed: bool = False) -> str:
        return path(lines, closed=closed, parts=self.parts)
