"""The OpenAPI document of the page for programs (OpenAPI Specification 3.1)."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from inspect import getdoc
from typing import Any, Final

import msgspec
from attrs import frozen
from starlette.responses import Response

from daide_server import __version__
from daide_server.reports import views

from .assets import JSON

EVENT_VIEWS: Final = (
    views.GameView,
    views.TurnView,
    views.StatusView,
    views.PressView,
    views.PromiseView,
    views.GameSummary,
)
REFERENCES: Final = "#/components/schemas/{name}"
PLACE: Final = re.compile(r"\{(\w+)\}")


@frozen
class Operation:
    """The answer of one address; the endpoint's docstring describes it."""

    path: str
    endpoint: Callable[..., Awaitable[Response]]
    answer: Any = None
    """The type of its JSON; `None` if it is not JSON."""
    media: str = JSON
    query: tuple[str, ...] = ()
    note: str = ""
    """A further remark for the description."""


@cache
def openapi_document(operations: Sequence[Operation]) -> bytes:
    """Return the document as JSON."""
    types = [each.answer for each in operations if each.answer is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, *EVENT_VIEWS], ref_template=REFERENCES
    )
    of_type = dict(zip(types, schemas, strict=False))
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "daide-server",
            "version": __version__,
            "description": "Running and finished games, read-only.",
        },
        "paths": {
            each.path: {
                "get": _operation(each, of_type.get(each.answer, {"type": "string"}))
            }
            for each in operations
        },
        "components": {"schemas": components},
    }
    return msgspec.json.encode(document)


def _operation(operation: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    words = f"{getdoc(operation.endpoint)} {operation.note}"
    return {
        "summary": " ".join(words.split()),
        "parameters": [
            *(_parameter(name, "path") for name in PLACE.findall(operation.path)),
            *(_parameter(name, "query") for name in operation.query),
        ],
        "responses": {
            "200": {
                "description": "What is asked for.",
                "content": {operation.media: {"schema": schema}},
            },
            "404": {"description": "There is no such thing."},
            "429": {"description": "Too many requests; Retry-After says when."},
            "503": {"description": "Not at the moment."},
        },
    }


def _parameter(name: str, place: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "schema": {"type": "string"},
    }
