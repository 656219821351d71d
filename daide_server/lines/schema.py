"""The JSON Schema of all lines, made from the structs."""

from typing import Any, Final

import msgspec

from .from_bot import PROTOCOL, FromBot
from .to_bot import ToBot

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
TEMPLATE: Final = "#/$defs/{name}"


def lines_schema() -> dict[str, Any]:
    """Return the schema: any line; `$defs` has both directions, and each line."""
    (to_bot, from_bot), parts = msgspec.json.schema_components(
        (ToBot, FromBot), ref_template=TEMPLATE
    )
    return {
        "$schema": DIALECT,
        "title": f"Lines between a bot and daide-server bridge, protocol {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/ToBot"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": {"ToBot": to_bot, "FromBot": from_bot, **parts},
    }


def schema_text() -> str:
    """Return the schema as docs/lines.schema.json holds it."""
    text = msgspec.json.format(msgspec.json.encode(lines_schema()), indent=2)
    return text.decode() + "\n"
