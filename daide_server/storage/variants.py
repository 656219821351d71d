"""Variants, read from the files under `maps/`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from daide_server.board.variant import Variant, VariantError, from_mapping, on_map_of
from daide_server.settings import shipped


def load_variant(name: str) -> Variant:
    """Return the variant that `maps/NAME.toml` describes.

    Raises `VariantError` if there is no such file, or its content is wrong.
    """
    return _load(name.lower())


def variant_names() -> tuple[str, ...]:
    """Return the names of all variants, in alphabetical order."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


@cache
def _load(name: str) -> Variant:
    data = _content(name)
    if "map" in data:
        data = on_map_of(data, _content(str(data["map"])))
    try:
        return from_mapping(data)
    except VariantError as error:
        message = f"maps/{name}.toml: {error}"
        raise VariantError(message, error.keys) from error


def _content(name: str) -> dict[str, Any]:
    if name not in variant_names():
        known = ", ".join(variant_names())
        message = f"no variant is called {name!r}; there are: {known}"
        raise VariantError(message)
    text = (_folder() / f"{name}.toml").read_text(encoding="utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"maps/{name}.toml: {error}"
        raise VariantError(message) from error


def _folder() -> Path:
    return shipped("maps")
