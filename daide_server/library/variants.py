"""Variants, read from the shipped map files in `maps/` or from a map file anywhere.

The format of map files: docs/maps.md.
"""

from functools import cache, partial
from pathlib import Path
from typing import Any

from daide_server.atlas.toml_writer import line_of
from daide_server.board.map import MAPS_KEPT, Position, Variant, VariantError
from daide_server.board.map_reading import errors_in, from_mapping, on_map_of
from daide_server.errors import meant

from .texts import parsed_toml, read_toml, toml_text


def maps_folder() -> Path:
    """Return the path of the folder of the included boards.

    A wheel has it inside the package; in a checkout it is beside the package.
    """
    package = Path(__file__).parents[1]
    installed = package / "data" / "maps"
    return installed if installed.is_dir() else package.parent / "maps"


VARIANT_SUFFIX = ".toml"

_variants_read: dict[tuple[str, str], Variant] = {}
"""Variants that were read, by the text of the file and that of its map's file."""


def load_variant(name: str) -> Variant:
    """Return the variant in `maps/NAME.toml`, the same object each time.

    Raises `VariantError` if there is no such file, or its content is wrong.
    """
    return _load(name.lower())


@cache
def variant_names() -> tuple[str, ...]:
    """Return the names of all shipped variants, in alphabetical order."""
    # Cached: every game and every position asks, and the folder does not change.
    return tuple(sorted(path.stem for path in maps_folder().glob(f"*{VARIANT_SUFFIX}")))


def shipped_file(name: str) -> Path | None:
    """Return the map file of the shipped variant *name*, or `None`."""
    if name.lower() not in variant_names():
        return None
    return maps_folder() / f"{name.lower()}{VARIANT_SUFFIX}"


def find_variant(name: str) -> Variant:
    """Return the shipped variant *name*, or the variant in the map file *name*.

    Raises `VariantError`.
    """
    if name.lower().endswith(VARIANT_SUFFIX):
        return read_variant(Path(name))
    if name.lower() not in variant_names() and Path(name).is_file():
        message = (
            f"{name}: expected a map file whose name ends with {VARIANT_SUFFIX}; "
            "`daide-server maps convert` makes one of other boards"
        )
        raise VariantError(message)
    return load_variant(name)


def read_variant(path: Path) -> Variant:
    """Return the variant in a map file, the same object while the text is the same.

    If the file names another variant for its map, that is a file in the same folder,
    or else a shipped one. Raises `VariantError` with the line that is wrong.
    """
    text = toml_text(path, VariantError)
    data = parsed_toml(text, path, VariantError)
    try:
        base = _base(data, path)
        texts = text, "" if base is None else toml_text(base, VariantError)
        return _variants_read.get(texts) or _read(texts, _with_map(data, base))
    except VariantError as error:
        place = f"{path}:{line_of(text, error.keys) or 1}"
        message = f"{place}: {error}"
        raise VariantError(message, error.keys) from error


def errors_of(path: Path) -> tuple[str, ...]:
    """Return all errors of a map file, each with its line."""
    try:
        text = toml_text(path, VariantError)
        data = parsed_toml(text, path, VariantError)
        data = _with_map(data, _base(data, path))
    except VariantError as error:
        return (str(error),)
    return tuple(
        f"{path}:{line_of(text, error.keys) or 1}: {error}" for error in errors_in(data)
    )


@cache
def _load(name: str) -> Variant:
    if name not in variant_names():
        known = ", ".join(variant_names())
        hint = meant(name, variant_names()) or f"; there are: {known}"
        raise VariantError(f"no variant is called {name!r}{hint}")
    return read_variant(maps_folder() / f"{name}{VARIANT_SUFFIX}")


def _read(texts: tuple[str, str], data: dict[str, Any]) -> Variant:
    """Return the variant that *data* describes, and keep it by the texts it is from.

    Each game and each view of a page reads the file of its board again, and much is
    kept for each map object.
    """
    variant = from_mapping(data)
    if len(_variants_read) >= MAPS_KEPT:
        _variants_read.clear()
    _variants_read[texts] = variant
    return variant


def _base(data: dict[str, Any], path: Path) -> Path | None:
    """Return the map file that the file at *path* names for its map, if it does."""
    other = data.get("map")
    if other is None:
        return None
    places = (
        folder / f"{other}{VARIANT_SUFFIX}" for folder in (path.parent, maps_folder())
    )
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        known = ", ".join(variant_names())
        message = f"map: found {other!r}, expected one of {known}"
        raise VariantError(message, ("map",))
    return found


def _with_map(data: dict[str, Any], base: Path | None) -> dict[str, Any]:
    """Return the content of a map file, with the provinces of the map file *base*."""
    return data if base is None else on_map_of(data, read_toml(base, VariantError))


# Variants on the map of a shipped one, under any name


def start_question(variant: Variant) -> bytes:
    """Return the start as a line that `daide-server adjudicate` reads.

    The line names the shipped variant with the same map, if there is one.
    """
    # It imports the judge, which most callers do not need.
    from daide_server.text.queries import query_line  # noqa: PLC0415

    shipped = start_board(variant)
    if shipped is None:
        return query_line(variant, variant.start)
    return query_line(shipped, _translated(variant, shipped))


def start_board(variant: Variant) -> Variant | None:
    """Return the first shipped variant with the map of *variant*, if there is any."""
    all_shipped = map(load_variant, ("standard", *variant_names()))
    return next(filter(partial(same_map, variant), all_shipped), None)


def same_map(variant: Variant, shipped: Variant) -> bool:
    """Return whether both have the same map, and *shipped* has all powers of *variant*.

    Powers are compared by their full names: abbreviations may differ.
    """
    titles = {variant.titles[power].casefold() for power in variant.map.powers}
    return (
        variant.map.neighbours.keys() == shipped.map.neighbours.keys()
        and all(
            set(places) == set(shipped.map.neighbours[node])
            for node, places in variant.map.neighbours.items()
        )
        and variant.map.centres == shipped.map.centres
        and titles <= {shipped.titles[power].casefold() for power in shipped.map.powers}
    )


def _translated(variant: Variant, shipped: Variant) -> Position:
    """Return the start of *variant* with the powers of *shipped* of the same names."""
    by_title = {shipped.titles[power].casefold(): power for power in shipped.map.powers}
    powers = {
        power: by_title[variant.titles[power].casefold()]
        for power in variant.map.powers
    }
    units = (
        shipped.map.unit(powers[unit.power], unit.type, unit.location)
        for unit in variant.start.units
    )
    owners = {at: powers[power] for at, power in variant.start.owners.items()}
    return Position(
        turn=variant.start.turn,
        units=tuple(sorted(units, key=shipped.map.sort_key)),
        owners={at: owners[at] for at in shipped.map.provinces if at in owners},
    )
