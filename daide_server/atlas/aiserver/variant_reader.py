"""AiServer's files of one variant, read to a `Variant`; faults have file and line.

The .mdf and the messages NOW and SCO follow DAIDE's Message Syntax. A missing .now
means no units and spring 1901; a missing .sco means that powers own their homes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from daide_server.atlas.checking import AtlasError, MapFault
from daide_server.board.toml_table import TomlData
from daide_server.board.variant import Variant, VariantError, from_mapping
from daide_server.language.tokens import Token
from daide_server.language.vocabulary import Vocabulary

from .definition import (
    ARMY,
    FLEET,
    UNOWNED,
    Bracketed,
    Definition,
    Titles,
    Word,
    read_message,
    read_titles,
)

UNIT_LETTERS: Final[Mapping[str, str]] = {ARMY: "A", FLEET: "F"}
EMPTY_WORD: Final = Word("", 0)
TOKEN: Final = re.compile(r"[0-9A-F]{1,4}")


@frozen
class RepairedVariant:
    """A variant, and the faults of its files that were repaired."""

    variant: Variant
    repairs: tuple[MapFault, ...]
    lines: Mapping[str, int]
    """The line of each province's borders in the `.mdf`."""


def read(
    name: str, texts: Mapping[str, str], files: Mapping[str, str] | None = None
) -> RepairedVariant:
    """Return the variant *name* from the texts of its files, by their extensions.

    Faults name the files as in *files*, by default `NAME.mdf` and so on. Raises
    `AtlasError` if the files make no variant even with all repairs.
    """
    reader = _Reader(name, texts, files or {})
    data = reader.data()
    try:
        variant = reader.with_tokens(data)
    except VariantError as error:
        raise AtlasError(
            *reader.faults, MapFault(str(error), reader.file("mdf"))
        ) from error
    return RepairedVariant(variant, tuple(reader.faults), reader.definition.lines)


class _Reader:
    """Combines the files of a variant to the content of a map file."""

    def __init__(
        self, name: str, texts: Mapping[str, str], files: Mapping[str, str]
    ) -> None:
        self.name = name
        self.texts = texts
        self.files = files
        self.definition = Definition(self.file("mdf"))
        self.faults = self.definition.faults

    def file(self, extension: str) -> str:
        """Return the name of the file with that *extension* for faults."""
        return self.files.get(extension, f"{self.name}.{extension}")

    def data(self) -> TomlData:
        """Return the content of a map file; raises `AtlasError`."""
        self.definition.read(self._message("mdf", "MDF"))
        titles = read_titles(self.texts.get("nam", ""))
        powers = {
            power: {
                "name": titles.powers.get(power, power.title()),
                "homes": homes,
                "units": [],
            }
            for power, homes in self.definition.homes.items()
        }
        self._read_ownership(powers)
        turn = self._read_position(powers)
        _add_adjectives(powers, titles)
        provinces = {
            each: {"name": titles.provinces.get(each, each.title()), **entry}
            for each, entry in sorted(self.definition.provinces.items())
        }
        return {
            "name": self.name,
            "first_turn": turn,
            "powers": powers,
            "provinces": provinces,
        }

    def _message(self, extension: str, head: str) -> Bracketed:
        return read_message(self.texts[extension], self.file(extension), head)

    def _report(self, extension: str, problem: str, line: int) -> None:
        self.faults.append(MapFault(problem, self.file(extension), line))

    # SCO

    def _read_ownership(self, powers: TomlData) -> None:
        """Set `owns` of the *powers* that own other centres than their homes."""
        if "sco" not in self.texts:
            _leave_shared_homes(powers)
            return
        owned: dict[str, list[str]] = {power: [] for power in powers}
        for group in self._message("sco", "SCO").groups:
            owner, *centres = group.words or (EMPTY_WORD,)
            if owner.text == UNOWNED:
                continue
            if owner.text not in owned:
                self._report("sco", f"no power is called {owner.text}", group.line)
                continue
            owned[owner.text] += self._centres(centres)
        for power, centres_owned in owned.items():
            if set(centres_owned) != set(powers[power]["homes"]):
                powers[power]["owns"] = centres_owned

    def _centres(self, words: list[Word]) -> Iterator[str]:
        for word in words:
            if self.definition.provinces.get(word.text, {}).get("centre"):
                yield word.text
            else:
                problem = f"{word.text} is not a supply centre"
                self._report("sco", problem, word.line)

    # NOW

    def _read_position(self, powers: TomlData) -> str:
        """Set the `units` of *powers*, and return the first turn."""
        if "now" not in self.texts:
            return "SPR 1901"
        turn, *units = self._message("now", "NOW").groups or (Bracketed((), 1),)
        for group in units:
            unit = self._unit(group)
            owner = group.words[0].text if group.words else ""
            if owner not in powers:
                problem = f"no power is called {owner or '()'}"
                self._report("now", problem, group.line)
            elif unit:
                powers[owner]["units"].append(unit)
        return " ".join(word.text for word in turn.words)

    def _unit(self, group: Bracketed) -> str | None:
        """Return `A PAR` for `(FRA AMY PAR)`; report a wrong unit and return `None`."""
        words = [word.text for word in group.words]
        place = group.groups[0].words if group.groups else group.words[2:]
        letter = UNIT_LETTERS.get(words[1] if words[1:] else "")
        if letter is None or not place:
            problem = "expected a unit such as (FRA AMY PAR)"
            self._report("now", problem, group.line)
            return None
        province = self.definition.provinces.get(place[0].text)
        if province is None:
            problem = f"no province is called {place[0].text}"
            self._report("now", problem, group.line)
            return None
        name = "/".join(word.text for word in place)
        coasts = province.get("fleet")
        if letter == "F" and isinstance(coasts, dict) and "/" not in name:
            coast = min(coasts)
            problem = f"the fleet in {name} is at none of its coasts; taken: {coast}"
            self._report("now", problem, group.line)
            name = f"{name}/{coast}"
        return f"{letter} {name}"

    # RM

    def with_tokens(self, data: TomlData) -> Variant:
        """Return the variant with the tokens of the `.rem`; raises `VariantError`."""
        numbers = self._tokens(data)
        variant = from_mapping(data)
        # A fixed token moves others, so each is fixed and the rest compared again.
        while (wrong := _first_difference(variant, numbers)) is not None:
            name, token = wrong
            data["provinces"][name]["token"] = token
            variant = from_mapping(data)
        return variant

    def _tokens(self, data: TomlData) -> dict[int, str]:
        """Return the provinces by their tokens; report unusable tokens, return none."""
        numbers: dict[int, str] = {}
        names = {*data["powers"], *data["provinces"]}
        for line, text in enumerate(self.texts.get("rem", "").splitlines()[1:], 2):
            code, colon, name = text.strip().upper().partition(":")
            if not colon:
                continue
            if name not in names:
                problem = f"{name} is no power or province of the map"
                self._report("rem", problem, line)
            elif not TOKEN.fullmatch(code.strip()):
                problem = f"found {code!r}, expected a token in hexadecimal digits"
                self._report("rem", problem, line)
            elif name in data["provinces"]:
                numbers[int(code, 16)] = name
        low_bytes = {token & 0xFF for token in numbers}
        if numbers and low_bytes != set(range(len(data["provinces"]))):
            problem = "the numbers do not fit the provinces; others are taken"
            self._report("rem", problem, 1)
            return {}
        return numbers


def _leave_shared_homes(powers: TomlData) -> None:
    """Leave centres that are homes of several *powers* without an owner."""
    homes = Counter(home for entry in powers.values() for home in entry["homes"])
    for entry in powers.values():
        own = [home for home in entry["homes"] if homes[home] == 1]
        if own != entry["homes"]:
            entry["owns"] = own


def _first_difference(
    variant: Variant, numbers: Mapping[int, str]
) -> tuple[str, int] | None:
    """Return the first province with another token than in *numbers*, and its token."""
    provinces = Vocabulary.of(variant.map).provinces
    for number in sorted(numbers, key=lambda token: token & 0xFF):
        if provinces.get(Token(number)) != numbers[number]:
            return numbers[number], number
    return None


def _add_adjectives(powers: TomlData, titles: Titles) -> None:
    for power, entry in powers.items():
        if power in titles.adjectives:
            entry["adjective"] = titles.adjectives[power]
