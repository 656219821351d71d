"""Answers: bodies compressed as the browser takes them, with what caches need."""

import gzip
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from .assets import Asset, hash_of, takes

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
