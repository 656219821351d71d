"""Scripts, styles and boards, compressed once, and answers with headers for caches.

Addresses of scripts and styles contain a hash of all files, so browsers can cache them
forever, and modules can import each other by relative names.
"""

import gzip
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import msgspec
from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

from daide_server.board.map import Variant, VariantError
from daide_server.library.pictures import load_picture
from daide_server.library.variants import find_variant
from daide_server.pictures.board_layout import BoardLayout, board_layout
from daide_server.pictures.map_layer import ground_svg
from daide_server.pictures.palette import palette_css
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.text.game_views import BoardView, board_view

STATIC_FOLDER = Path(__file__).with_name("static")
JSON = "application/json"
HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"
CSS = "text/css; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
ASSET_TYPES: Mapping[str, str] = {
    ".css": CSS,
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
}
HASH_LETTERS = 12
"""Hexadecimal digits of a hash in an address or ETag."""
COMPRESSED_FROM = 1000
"""The size in bytes from which files are compressed."""
PAGE_COMPRESSION = 6
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


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


IMPORT = re.compile(
    r'^import (?:\* as (\w+)|\{([^}]*)\}) from "\./(\w+)\.js";\n', re.MULTILINE
)
"""An import of a script: of the whole module under a name, or of some names."""


@cache
def scripts(name: str) -> Mapping[str, str]:
    """Return the texts of a script and of all that it imports, which come first."""
    text = (STATIC_FOLDER / f"{name}.js").read_text("utf-8")
    found: dict[str, str] = {}
    for *_, imported in IMPORT.findall(text):
        found |= scripts(imported)
    return found | {name: text}


def hash_of(*parts: bytes) -> str:
    """Return a short hash for addresses and ETags."""
    return sha256(b"".join(parts)).hexdigest()[:HASH_LETTERS]


@frozen
class Assets:
    """All files of the page, by name."""

    files: Mapping[str, Asset]
    hash: str

    @classmethod
    def read(cls) -> "Assets":
        """Return the files in `static/`."""
        files = {
            path.name: Asset.of(path.read_bytes(), ASSET_TYPES[path.suffix])
            for path in sorted(STATIC_FOLDER.iterdir())
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
    ascii_name = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    disposition = (
        f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, '')}"
    )
    headers = {"content-disposition": disposition, "cache-control": ASK_AGAIN}
    return Response(body, headers=headers, media_type=content_type)


BESIDE_PANELS = 832.0
"""The largest width of a board with panels beside it, in CSS pixels."""

ALONE = '--areas:"heading" "controls" "stage" "side"/minmax(0,1fr);--beside:contents'
"""The style of a wider board, which is placed above its panels."""

BOARD_FILES = {"places": "", "outline": ".svg", "style": ".css"}
"""The files of a board that a page loads, by the ends of their addresses."""


@frozen
class BoardFiles:
    """The data of a board for the page."""

    name: str
    majority: int
    """The number of centres that wins."""
    files: Mapping[str, Asset]
    """The files, by the ends of their addresses."""

    def links(self, home: str) -> dict[str, str]:
        """Return the addresses of its files, with their hashes, below *home*."""
        return {
            what: f"{home}api/boards/{quote(self.name + end, safe='')}"
            f"?v={self.files[end].hash}"
            for what, end in BOARD_FILES.items()
        }


def board_files(name: str, board: str) -> BoardFiles:
    """Return the files of *board*, called *name* on pages. Raises `LookupError`."""
    try:
        variant = find_variant(board)
    except VariantError as error:
        # The message may reveal more about this machine than visitors should know.
        raise LookupError(f"no board {name!r}") from error
    files = {
        "": Asset.of(msgspec.json.encode(board_places(variant)), JSON),
        ".svg": Asset.of(board_picture(variant).encode(), SVG),
        ".css": Asset.of(board_style(variant).encode(), CSS),
    }
    return BoardFiles(name, variant.map.majority, files)


def board_places(variant: Variant) -> BoardView:
    """Return the places of a board, for `static/board.js`."""
    return board_view(variant, _layout(variant))


def board_picture(variant: Variant) -> str:
    """Return the picture of the board without units, which `style.css` colours."""
    return ground_svg(variant, _layout(variant), names_of(variant.map).provinces)


def board_style(variant: Variant) -> str:
    """Return the style sheet with the colours of the powers and the board's size.

    It applies below an element with `data-board-name`.
    """
    layout = _layout(variant)
    scope = f'[data-board-name="{variant.name}"]'
    size = (
        f"{scope}{{--board-width:{layout.picture.width:g};"
        f"--board-height:{layout.picture.height:g};"
        f"--readable:{layout.readable:g}px;--badge:{layout.badge:g}}}\n"
    )
    alone = f"{scope}.game{{{ALONE}}}\n" if layout.readable > BESIDE_PANELS else ""
    return size + alone + palette_css(variant, scope)


@lru_cache(maxsize=64)
def _layout(variant: Variant) -> BoardLayout:
    return board_layout(load_picture(variant), names_of(variant.map).provinces)
