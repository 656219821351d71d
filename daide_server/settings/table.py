"""The table of all settings: read from files and options, composed, and written."""

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from itertools import groupby
from textwrap import wrap
from typing import Final, Generic, TypeVar

import msgspec
from attrs import AttrsInstance, frozen

from daide_server.errors import ReportedError, quoted

from .descriptor import Setting, rows_of
from .kinds import TomlValue, ValueRefused

SettingsT = TypeVar("SettingsT", bound=AttrsInstance)


class SettingsError(ReportedError, ValueError):
    """Settings are wrong; a line for each error: where, what was found and expected."""


def ignore(warning: str) -> None:
    """Drop *warning*."""


@frozen
class Given:
    """The value of a setting, and where it was given."""

    value: object
    origin: str


Layer = Mapping[Setting, Given]
"""The settings that one source gives."""


class SettingsTable(Generic[SettingsT]):
    """All settings of the components that *whole* consists of."""

    def __init__(
        self, whole: type[SettingsT], gone: Mapping[str, str] | None = None
    ) -> None:
        """Keep *gone*: former settings, "section.key", and what became of each."""
        self._whole: Final = whole
        self._gone: Final = gone or {}
        self.rows: Final = rows_of(whole)
        self.sections: Final = tuple(
            dict.fromkeys(row.component.section for row in self.rows)
        )
        self.options: Final = {row.parameter: row for row in self.rows if row.parameter}
        self._by_path: Final = {row.path: row for row in self.rows}
        assert len(self._by_path) == len(self.rows), "two settings have one place"

    def read(
        self,
        found: Mapping[str, object],
        source: str,
        warn: Callable[[str], None] = ignore,
    ) -> Layer:
        """Return the settings in *found*, sections as in TOML.

        Calls *warn* with a line for each setting that no longer exists. Raises
        `SettingsError` with everything that is wrong.
        """
        layer: dict[Setting, Given] = {}
        problems: list[str] = []
        for section, key, value in self._entries(found):
            path = f"{section}.{key}"
            row = self._by_path.get(path)
            if row is None and path in self._gone:
                warn(f"{source}: [{section}] {key} has no effect: {self._gone[path]}")
                continue
            if row is None:
                problems.append(self._misplaced(section, key, value))
                continue
            try:
                layer[row] = Given(row.kind.read(value), source)
            except ValueRefused:
                expected = row.kind.expected
                problems.append(
                    f"{row.place}: found {quoted(value)}, expected {expected}"
                )
        if problems:
            raise SettingsError("\n".join(f"{source}: {each}" for each in problems))
        return layer

    def compose(self, *layers: Layer, base: SettingsT | None = None) -> SettingsT:
        """Return *base*, or the defaults, overridden by *layers*; the last one wins."""
        values: dict[str, dict[str, object]] = {}
        for row in self.rows:
            value = row.default if base is None else row.value_in(base)
            for layer in layers:
                value = layer[row].value if row in layer else value
            values.setdefault(row.component.field, {})[row.field] = value
        return msgspec.convert(values, type=self._whole)

    def saved(self, settings: SettingsT) -> dict[str, dict[str, TomlValue]]:
        """Return the settings that a saved game keeps, as `read` takes them."""
        kept: dict[str, dict[str, TomlValue]] = {}
        for row in self.rows:
            if row.component.saved:
                values = kept.setdefault(row.component.section, {})
                values[row.key] = row.written(row.value_in(settings))
        return kept

    def _entries(self, toml: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
        """Yield section, key and value; no section for a key before the first one.

        An unknown section is one entry, without a key.
        """
        for name, content in toml.items():
            if not isinstance(content, Mapping):
                yield "", name, content
            elif name not in self.sections:
                yield name, "", None
            else:
                yield from ((name, key, value) for key, value in content.items())

    def _misplaced(self, section: str, key: str, value: object) -> str:
        """Return the error for a key that no setting has in this section."""
        if not section and key in self.sections:
            return f"{key}: found {quoted(value)}, expected a section [{key}]"
        if section and section not in self.sections:
            sections = [each for each in self.sections if each]
            near = get_close_matches(section, sections, 1)
            known = ", ".join(f"[{each}]" for each in sections)
            meant = f"did you mean [{near[0]}]?" if near else f"there are {known}"
            return f"[{section}]: no such section; {meant}"
        place = f"[{section}] {key}" if section else key
        right = self._right_places(section, key)
        if right:
            found = f"in [{section}]" if section else "outside a section"
            return f"{place}: found {found}, expected {right}"
        return f"{place}: no such setting{self._meant(section, key)}"

    def _right_places(self, section: str, key: str) -> str:
        """Return where a key of another section, or of none, belongs."""
        now = [row.place for row in self.rows if row.key == key]
        then = [row.place for row in self.rows if row.formerly == key]
        # Sections made some keys shorter; a key outside them is the old one.
        return " or ".join(now or then if section else then or now)

    def _meant(self, section: str, key: str) -> str:
        near = get_close_matches(key, [row.key for row in self.rows])
        rows = [row for row in self.rows if row.key in near[:1]]
        rows.sort(key=lambda row: row.component.section != section)
        if not rows:
            known = ", ".join(
                row.key for row in self.rows if row.component.section == section
            )
            return f"; there are {known}" if known else ""
        return f"; did you mean {rows[0].place}?"


LINE_WIDTH = 88
LONGEST_ENTRY = 60
"""The maximum characters of a key and its value with a comment beside them."""
GROUPED_FROM = 100_000
"""The smallest number written with underscores."""


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

    The comment may have several lines.
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


def in_words(row: Setting, value: object) -> str:
    """Return the value of a setting as `--help` shows it."""
    written = row.written(value)
    if isinstance(written, bool):
        return "on" if written else "off"
    if written == "":
        return "none"
    unit = "" if value is None else row.kind.unit
    return f"{written} {unit}".strip()
