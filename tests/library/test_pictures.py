"""The pictures that ship: their borders are the board's, without gaps or overlaps."""

from collections import Counter
from itertools import chain

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Province
from daide_server.library import pictures
from daide_server.library.pictures import load_picture
from daide_server.library.variants import load_variant, maps_folder, variant_names
from daide_server.pictures.picture import Picture, PictureError, Point, Ring

SHIPPED = sorted(path.stem for path in (maps_folder() / "pictures").glob("*.json"))
every_picture = pytest.mark.parametrize("name", SHIPPED)


def neighbours(variant: Variant) -> set[frozenset[Province]]:
    """Return the pairs of provinces that any unit can move between."""
    return {
        frozenset((at.province, to.province))
        for (_, at), places in variant.map.neighbours.items()
        for to in places
        if to.province != at.province
    }


def area(picture: Picture, ring: Ring) -> float:
    """Return the area in *ring*, negative if it turns the other way."""
    points = picture.outline(ring)
    return (
        sum(
            one[0] * other[1] - one[1] * other[0]
            for one, other in zip(points, (*points[1:], points[0]), strict=True)
        )
        / 2
    )


def is_inside(picture: Picture, province: Province, at: Point) -> bool:
    """Return whether a line from *at* to the right leaves the face an odd time."""
    crossings = 0
    for ring in picture.faces[province]:
        points = picture.outline(ring)
        for one, other in zip(points, (*points[1:], points[0]), strict=True):
            if (one[1] > at[1]) != (other[1] > at[1]):
                share = (at[1] - one[1]) / (other[1] - one[1])
                crossings += at[0] < one[0] + share * (other[0] - one[0])
    return crossings % 2 == 1


def test_a_picture_is_that_of_a_variant() -> None:
    assert set(SHIPPED) <= set(variant_names())


@every_picture
def test_borders_and_links_are_the_neighbours_of_the_board(name: str) -> None:
    variant = load_variant(name)
    picture = load_picture(variant)
    links = set(map(frozenset, picture.links))

    assert picture.borders | links == neighbours(variant)
    assert not picture.borders & links
    if name == "standard":
        assert not links


@every_picture
def test_a_border_belongs_to_the_faces_on_its_two_sides(name: str) -> None:
    """No arc is run through twice in one direction: faces do not overlap."""
    picture = load_picture(load_variant(name))
    rings = chain(chain.from_iterable(picture.faces.values()), picture.voids)
    uses = Counter(chain.from_iterable(rings))

    assert set(uses.values()) == {1}
    assert {number if number >= 0 else ~number for number in uses} == set(
        range(len(picture.arcs))
    )


@every_picture
def test_arcs_join(name: str) -> None:
    picture = load_picture(load_variant(name))

    for ring in chain(*picture.faces.values(), picture.voids):
        arcs = [
            picture.arcs[number] if number >= 0 else picture.arcs[~number][::-1]
            for number in ring
        ]
        for one, other in zip(arcs, (*arcs[1:], arcs[0]), strict=True):
            assert one[-1] == other[0]


@every_picture
def test_the_faces_fill_the_frame(name: str) -> None:
    """Their areas add up to that of the frame: there are no gaps."""
    picture = load_picture(load_variant(name))
    rings = chain(*picture.faces.values(), picture.voids)

    whole = abs(sum(area(picture, ring) for ring in rings))
    assert whole == pytest.approx(picture.width * picture.height, rel=1e-6)


@every_picture
def test_units_stand_in_their_provinces(name: str) -> None:
    picture = load_picture(load_variant(name))

    for at, spot in picture.units.items():
        assert is_inside(picture, at.province, spot), at


def test_a_map_without_a_picture_gets_a_schematic_one(standard: Variant) -> None:
    own = Variant("my-own", standard.map, standard.start, standard.titles)

    assert len(load_picture(own).links) == len(neighbours(standard))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "maps/pictures/mine.json: Expecting property name"),
        ("[]", r"maps/pictures/mine.json: found \[\], expected an object"),
        ('{"map": "mine"}', "picture of .*: KeyError"),
        ('{"like": "nothing"}', "picture of .*: KeyError"),
    ],
)
def test_a_wrong_file_is_named(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    standard: Variant,
    content: str,
    complaint: str,
) -> None:
    folder = tmp_path_factory.mktemp("maps")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "mine.json").write_text(content)
    monkeypatch.setattr(pictures, "maps_folder", lambda: folder)
    mine = Variant("mine", standard.map, standard.start, standard.titles)

    with pytest.raises(PictureError, match=complaint):
        load_picture(mine)
