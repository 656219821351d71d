"""Scripts and styles, read and compressed once; their addresses change with them.

The address has a hash of all files, so browsers keep them for good, and modules can
import each other by relative names. Brotli is used if its package is installed.
"""

import gzip
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final

from attrs import frozen

STATIC_FOLDER: Final = Path(__file__).with_name("static")
ASSET_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
HASH_LETTERS: Final = 12
LOSSY: Final = frozenset({"image/png", "image/x-icon"})
"""Types that are compressed already."""


@frozen
class Asset:
    """A file that does not change, with what it is when compressed."""

    body: bytes
    content_type: str
    hash: str
    encodings: Mapping[str, bytes]
    """The compressed bodies by their names in Accept-Encoding, the best first."""

    def accepted(self, accept_encoding: str) -> tuple[str, bytes]:
        """Return the first encoding that a browser takes, and the body in it."""
        for name, body in self.encodings.items():
            if takes(accept_encoding, name):
                return name, body
        return "", self.body


def takes(accept_encoding: str, name: str) -> bool:
    """Return whether Accept-Encoding has *name* (RFC 9110, 12.5.3)."""
    for part in accept_encoding.split(","):
        coding, _, weight = part.strip().lower().partition(";")
        if coding.strip() == name:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00"}
    return False


def new_asset(body: bytes, content_type: str) -> Asset:
    """Return *body* with its compressed forms."""
    found: dict[str, bytes] = {}
    if content_type not in LOSSY:
        brotli = brotli_compress()
        if brotli is not None:
            found["br"] = brotli(body)
        found["gzip"] = gzip.compress(body, 9, mtime=0)
    smaller = {name: data for name, data in found.items() if len(data) < len(body)}
    return Asset(body, content_type, hash_of(body), smaller)


def brotli_compress() -> Callable[[bytes], bytes] | None:
    """Return the function that compresses at level 11, if there is one."""
    try:
        compress: Callable[[bytes], bytes] = import_module("brotli").compress
    except ImportError:
        return None
    return compress


def hash_of(*parts: bytes) -> str:
    """Return a short hash for addresses and ETags."""
    found = sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()[:HASH_LETTERS]


@frozen
class Assets:
    """All files of the page, by name."""

    files: Mapping[str, Asset]
    hash: str

    @classmethod
    def read(cls, folder: Path = STATIC_FOLDER) -> "Assets":
        """Return the files in *folder*."""
        files = {
            path.name: new_asset(path.read_bytes(), ASSET_TYPES[path.suffix])
            for path in sorted(folder.iterdir())
            if path.suffix in ASSET_TYPES
        }
        names = (name.encode() + asset.body for name, asset in files.items())
        return cls(files, hash_of(*names))

    def address(self, name: str) -> str:
        """Return the address of a file, relative to the first page."""
        return f"static/{self.hash}/{name}"
