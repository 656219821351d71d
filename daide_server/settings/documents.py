"""The table of settings as text: a TOML file with comments, a table of Markdown."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from textwrap import wrap
from typing import Final

from .descriptor import Setting
from .kinds import TomlValue

LINE_WIDTH: Final = 88
LONGEST_ENTRY: Final = 60
"""Characters of a key and its value that leave room for a comment beside them."""
GROUPED_FROM: Final = 100_000
"""Numbers from here on are written with underscores."""


def toml_document(
    rows: tuple[Setting, ...],
    value: Callable[[Setting], object],
    comment: Callable[[Setting], str],
) -> str:
    """Return all settings as TOML: a section each, a title above each component."""
    lines: list[str] = []
    for section, members in groupby(rows, lambda row: row.component.section):
        lines += ["", f"[{section}]"] if section else []
        for owner, settings in groupby(members, lambda row: row.component):
            lines += ["", f"# {owner.title}", ""]
            entries = [
                (f"{row.key} = {scalar(row.written(value(row)))}", comment(row))
                for row in settings
            ]
            beside = [len(entry) for entry, _ in entries if len(entry) <= LONGEST_ENTRY]
            column = 2 + max(beside, default=0)
            for entry, words in entries:
                lines += _commented(entry, words, column)
    return "\n".join(lines).lstrip("\n") + "\n"


def _commented(entry: str, words: str, column: int) -> Iterator[str]:
    """Yield *entry* with its comment beside it, or above it if it is too long.

    The comment has as many lines as it needs.
    """
    if len(entry) > LONGEST_ENTRY:
        yield from wrap(words, LINE_WIDTH, initial_indent="# ", subsequent_indent="# ")
        yield entry
        return
    width = LINE_WIDTH - column - 2
    for part in wrap(words, width, break_long_words=False, break_on_hyphens=False):
        yield f"{entry:{column}}# {part}"
        entry = ""


def scalar(value: TomlValue) -> str:
    """Return *value* as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(scalar, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{scalar(key)} = {scalar(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, str):
        # TOML's basic strings are JSON's, but for this one control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{value:_}" if value >= GROUPED_FROM else str(value)


def settings_tables(rows: tuple[Setting, ...]) -> str:
    """Return a table of Markdown for each component, below its title.

    A setting that is an option too has the option beside it.
    """
    tables = []
    for owner, settings in groupby(rows, lambda row: row.component):
        lines = [
            f"**{owner.title}**, in `[{owner.section}]`:",
            "",
            "| setting | default | what |",
            "|---|---|---|",
        ]
        for row in settings:
            usage = f"{row.descriptor.option} {row.kind.metavar}".strip()
            name = f"`{row.key}`" + (f", `{usage}`" if row.parameter else "")
            default = in_words(row, row.default)
            lines.append(f"| {name} | {default} | {row.descriptor.help} |")
        tables.append("\n".join(lines) + "\n")
    return "\n".join(tables)


def in_words(row: Setting, value: object) -> str:
    """Return the value of a setting as help for people shows it."""
    written = row.written(value)
    if isinstance(written, bool):
        return "on" if written else "off"
    if written == "":
        return "none"
    unit = "" if value is None else row.kind.unit
    return f"{written} {unit}".strip()
