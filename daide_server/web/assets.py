"""Scripts and styles, compressed once, and answers with headers for caches.

Addresses contain a hash of all files, so browsers can cache them forever, and modules
can import each other by relative names.
"""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

STATIC_FOLDER: Final = Path(__file__).with_name("static")
JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
SVG: Final = "image/svg+xml"
CSS: Final = "text/css; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
ASSET_TYPES: Final[Mapping[str, str]] = {
    ".css": CSS,
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
}
HASH_LETTERS: Final = 12
COMPRESSED_FROM: Final = 1000
"""The size in bytes from which files are compressed."""
PAGE_COMPRESSION: Final = 6
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@frozen
class Asset:
    """A constant file, also compressed with gzip."""

    body: bytes
    content_type: str
    hash: str
    packed: bytes

    @classmethod
    def of(cls, body: bytes, content_type: str) -> "Asset":
        """Return *body* with its compressed form."""
        return cls(body, content_type, hash_of(body), gzip.compress(body, 9, mtime=0))

    def answer(self, request: Request, cache: str = FOR_GOOD) -> Response:
        """Answer a request with the file."""
        return answer(request, self.body, self.content_type, cache, self.packed)


def hash_of(*parts: bytes) -> str:
    """Return a short hash for addresses and ETags."""
    return sha256(b"".join(parts)).hexdigest()[:HASH_LETTERS]


@frozen
class Assets:
    """All files of the page, by name."""

    files: Mapping[str, Asset]
    hash: str

    @classmethod
    def read(cls, folder: Path = STATIC_FOLDER) -> "Assets":
        """Return the files in *folder*."""
        files = {
            path.name: Asset.of(path.read_bytes(), ASSET_TYPES[path.suffix])
            for path in sorted(folder.iterdir())
            if path.suffix in ASSET_TYPES
        }
        names = (name.encode() + asset.body for name, asset in files.items())
        return cls(files, hash_of(*names))

    def address(self, name: str) -> str:
        """Return the address of a file, relative to the first page."""
        return f"static/{self.hash}/{name}"


def answer(
    request: Request,
    body: bytes,
    content_type: str,
    cache: str = ASK_AGAIN,
    packed: bytes = b"",
) -> Response:
    """Return *body*, compressed if accepted, or nothing if the browser has it.

    *packed* is the compressed body, if it exists already.
    """
    etag = f'"{hash_of(body)}"'
    headers = {"cache-control": cache, "vary": "Accept-Encoding", "etag": etag}
    if content_type == SVG:
        # Opened directly, a picture is a page.
        headers["content-security-policy"] = SVG_POLICY
    if has_it(request, etag):
        return Response(None, 304, headers)
    if takes_gzip(request) and len(body) >= COMPRESSED_FROM:
        headers["content-encoding"] = "gzip"
        body = packed or gzip.compress(body, PAGE_COMPRESSION, mtime=0)
    return Response(body, headers=headers, media_type=content_type)


def takes_gzip(request: Request) -> bool:
    """Return whether Accept-Encoding contains gzip (RFC 9110, 12.5.3)."""
    for part in request.headers.get("accept-encoding", "").split(","):
        coding, _, weight = part.strip().lower().partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00"}
    return False


def has_it(request: Request, etag: str) -> bool:
    """Return whether the browser has the version *etag* (RFC 9110, 13.1.2)."""
    known = request.headers.get("if-none-match", "")
    return etag in {each.strip().removeprefix("W/") for each in known.split(",")}


def download(body: bytes, content_type: str, name: str) -> Response:
    """Return a file to download as *name*."""
    ascii_name = "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_"
        for letter in name
    )
    disposition = (
        f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, '')}"
    )
    headers = {"content-disposition": disposition, "cache-control": ASK_AGAIN}
    return Response(body, headers=headers, media_type=content_type)
