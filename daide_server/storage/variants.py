"""Variants, read from the files under `maps/`."""

import tomllib
from functools import cache
from pathlib import Path

from daide_server.board.variant import Variant, VariantError, from_mapping

from .shipped import shipped


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
    if name not in variant_names():
        known = ", ".join(variant_names())
        message = f"no variant is called {name!r}; there are: {known}"
        raise VariantError(message)
    text = (_folder() / f"{name}.toml").read_text(encoding="utf-8")
    try:
        return from_mapping(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = f"maps/{name}.toml: {error}"
        raise VariantError(message) from error


def _folder() -> Path:
    return shipped("maps")
