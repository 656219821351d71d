"""Scripts and styles, read and compressed once, and answers with what caches need.

The address has a hash of all files, so browsers keep them for good, and modules can
import each other by relative names. Brotli is used if its package is installed.
"""

import gzip
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import quote

from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

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


COMPRESSED_FROM: Final = 1000
"""Bytes."""
PAGE_COMPRESSION: Final = 6
JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
SVG: Final = "image/svg+xml"
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def answer(
    request: Request, body: bytes, content_type: str, cache: str = ASK_AGAIN
) -> Response:
    """Return *body*, by gzip if that is taken, or nothing if the browser has it."""
    headers = _headers(content_type, cache)
    headers["etag"] = f'"{hash_of(body)}"'
    if has_it(request, headers["etag"]):
        return Response(None, 304, headers)
    accepted = takes(request.headers.get("accept-encoding", ""), "gzip")
    if accepted and len(body) >= COMPRESSED_FROM:
        headers["content-encoding"] = "gzip"
        body = gzip.compress(body, PAGE_COMPRESSION, mtime=0)
    return Response(body, headers=headers, media_type=content_type)


def packed_answer(request: Request, packed: bytes, content_type: str) -> Response:
    """Return a body that is compressed by gzip already."""
    headers = _headers(content_type, ASK_AGAIN)
    headers["etag"] = f'"{hash_of(packed)}"'
    if has_it(request, headers["etag"]):
        return Response(None, 304, headers)
    if takes(request.headers.get("accept-encoding", ""), "gzip"):
        headers["content-encoding"] = "gzip"
        return Response(packed, headers=headers, media_type=content_type)
    return Response(gzip.decompress(packed), headers=headers, media_type=content_type)


def asset_answer(request: Request, asset: Asset, cache: str = FOR_GOOD) -> Response:
    """Return a file that does not change."""
    headers = _headers(asset.content_type, cache)
    headers["etag"] = f'"{asset.hash}"'
    if has_it(request, headers["etag"]):
        return Response(None, 304, headers)
    encoding, body = asset.accepted(request.headers.get("accept-encoding", ""))
    if encoding:
        headers["content-encoding"] = encoding
    return Response(body, headers=headers, media_type=asset.content_type)


def download(body: bytes, content_type: str, name: str) -> Response:
    """Return a file to be kept under *name*."""
    ascii_name = "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_"
        for letter in name
    )
    disposition = (
        f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, '')}"
    )
    headers = {"content-disposition": disposition, "cache-control": ASK_AGAIN}
    return Response(body, headers=headers, media_type=content_type)


def has_it(request: Request, etag: str) -> bool:
    """Return whether the browser has what *etag* names (RFC 9110, 13.1.2)."""
    known = request.headers.get("if-none-match", "")
    return etag in {each.strip().removeprefix("W/") for each in known.split(",")}


def _headers(content_type: str, cache: str) -> dict[str, str]:
    headers = {"cache-control": cache, "vary": "Accept-Encoding"}
    if content_type == SVG:
        # Opened by itself, a picture is a page of its own.
        headers["content-security-policy"] = SVG_POLICY
    return headers
