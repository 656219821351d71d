"""Write docs/lines.schema.json, and the table of messages of docs/lines.md.

make protocol
"""

from pathlib import Path
from typing import Any

import msgspec

from daide_server.bots.lines.line_types import PROTOCOL, FromBot, ToBot

TOP = Path(__file__).parents[1]
SCHEMA = TOP / "docs" / "lines.schema.json"
DOCUMENT = TOP / "docs" / "lines.md"
BEGIN = "<!-- written by make protocol: {} -->\n"
END = "<!-- until here -->\n"
DIRECTIONS = {"to the bot": "ToBot", "from the bot": "FromBot"}


DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEMPLATE = "#/$defs/{name}"


def main() -> None:
    """Write both files."""
    SCHEMA.write_text(schema_text(), "utf-8")
    DOCUMENT.write_text(document(DOCUMENT.read_text("utf-8")), "utf-8")


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


def document(text: str) -> str:
    """Return the text of the document with new tables."""
    for title, union in DIRECTIONS.items():
        begin = BEGIN.format(title)
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(END)
        text = f"{before}{begin}\n{table(union)}\n{END}{after}"
    return text


def table(union: str) -> str:
    """Return the lines of one direction: type, fields, meaning."""
    parts = lines_schema()["$defs"]
    names = [each["$ref"].rpartition("/")[2] for each in parts[union]["anyOf"]]
    rows = [row(parts[name]) for name in names]
    return "\n".join(["| type | fields | meaning |", "|---|---|---|", *rows]) + "\n"


def row(line: dict[str, Any]) -> str:
    """Return a line of the table."""
    required = line["required"]
    fields = [
        name if name in required else f"{name}?"
        for name in line["properties"]
        if name not in {"type", "id"}
    ]
    (tag,) = line["properties"]["type"]["enum"]
    meaning = " ".join(line["description"].split())
    return f"| `{tag}` | {', '.join(fields)} | {meaning} |"


if __name__ == "__main__":
    main()
