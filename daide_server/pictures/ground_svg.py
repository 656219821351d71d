"""The picture of a board without units, for the page: static, small, styled by class.

Colours are the page's style sheet's, so that one file serves every turn, light and
dark: an element has the class of what it is, a face the province in `data-province`.
Lines are simplified and their points rounded to whole units where a unit is at most a
pixel or so. Every border is written once as a line, except that a face has its outline.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from attrs import define, evolve

from daide_server.board.map import Terrain
from daide_server.board.names import Province
from daide_server.board.variant import Variant

from .board_layout import BoardLayout, coast_label
from .geometry import simplified
from .links import far_neighbours, near_links
from .map_layer import Edge, arcs_of, star
from .picture import Picture, Point, Polyline
from .units import element, group, path, text, title

LINE_TOLERANCE: Final = 0.6
"""How far a simplified line may be from the drawn one, in rounded units."""
WHOLE_UNITS_FROM: Final = 1000.0
"""The width of a picture from which whole units are fine enough."""
BASE_LINE: Final = 0.35
"""From the middle of capitals to their base line, in ems."""


def ground_svg(
    variant: Variant, layout: BoardLayout, labels: Mapping[Province, str]
) -> str:
    """Return the board of *variant* as SVG, with *labels* as names of provinces."""
    return _Board(variant, layout, labels).svg()


@define(eq=False, slots=False)
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
