"""The files of a variant of AiServer, the original DAIDE server.

| extension | content |
|---|---|
| .mdf | the Map Definition Message as text: powers, provinces, borders; required |
| .now | the Current Position Message: the first turn and the units |
| .sco | the Supply Centre Ownership Message |
| .rem | the tokens of the Representation Message, one `CODE:NAME` a line |
| .nam | full names, one `TOKEN:Name` or `TOKEN:Name:Adjective` a line |

Without .now there are no units in spring 1901; without .sco, powers own their homes.
`aiserver_definition` reads the .mdf, and splits any message into words and brackets.
The messages are those of DAIDE's Message Syntax (MDF, NOW, SCO, RM).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import frozen

from daide_server.atlas.checking import AtlasError, MapFault
from daide_server.board.map import Map, Variant, VariantError
from daide_server.board.map_reading import TomlData, from_mapping
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.daide.tokens import Token
from daide_server.daide.vocabulary import Vocabulary

from . import aiserver_definition as definition

EXTENSIONS: tuple[str, ...] = ("mdf", "now", "sco", "rem", "nam")
"""The first is required, the others are optional."""
UNIT_LETTERS: Mapping[str, str] = {definition.ARMY: "A", definition.FLEET: "F"}
EMPTY_WORD = definition.Word("", 0)
TOKEN = re.compile(r"[0-9A-F]{1,4}")


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
        self.definition = definition.Definition(self.file("mdf"))
        self.faults = self.definition.faults

    def file(self, extension: str) -> str:
        """Return the name of the file with that *extension*, for error messages."""
        return self.files.get(extension, f"{self.name}.{extension}")

    def data(self) -> TomlData:
        """Return the content of a map file; raises `AtlasError`."""
        self.definition.read(self._message("mdf", "MDF"))
        titles = definition.read_titles(self.texts.get("nam", ""))
        powers = {
            power: {
                "name": power.title(),
                **titles.powers.get(power, {}),
                "homes": homes,
                "units": [],
            }
            for power, homes in self.definition.homes.items()
        }
        self._read_ownership(powers)
        turn = self._read_position(powers)
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

    def _message(self, extension: str, head: str) -> definition.Bracketed:
        return definition.read_message(
            self.texts[extension], self.file(extension), head
        )

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
            if owner.text == definition.UNOWNED:
                continue
            if owner.text not in owned:
                self._report("sco", f"no power is called {owner.text}", group.line)
                continue
            owned[owner.text] += self._centres(centres)
        for power, centres_owned in owned.items():
            if set(centres_owned) != set(powers[power]["homes"]):
                powers[power]["owns"] = centres_owned

    def _centres(self, words: list[definition.Word]) -> Iterator[str]:
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
        turn, *units = self._message("now", "NOW").groups or (
            definition.Bracketed((), 1),
        )
        for group in units:
            unit = self._unit(group)
            owner = group.words[0].text if group.words else ""
            if owner not in powers:
                problem = f"no power is called {owner or '()'}"
                self._report("now", problem, group.line)
            elif unit:
                powers[owner]["units"].append(unit)
        return " ".join(word.text for word in turn.words)

    def _unit(self, group: definition.Bracketed) -> str | None:
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


UNIT_NAMES = {UnitType.ARMY: definition.ARMY, UnitType.FLEET: definition.FLEET}


def write(variant: Variant) -> dict[str, str]:
    """Return the texts of the files of *variant*, by their extensions."""
    return {
        "mdf": _definition(variant),
        "now": _position(variant),
        "sco": _ownership(variant),
        "rem": _numbers(variant),
        "nam": definition.write_titles(variant),
    }


def _definition(variant: Variant) -> str:
    board_map = variant.map
    # UNO has a group even without any centre.
    homes: dict[tuple[Power, ...], list[Province]] = {**board_map.home_groups()}
    homes.setdefault((), [])
    centres = "\n  ".join(
        _group(_owners(powers), *provinces) for powers, provinces in homes.items()
    )
    others = _group(
        *(each for each in board_map.provinces if each not in board_map.centres)
    )
    borders = "\n ".join(_borders(board_map, each) for each in board_map.provinces)
    return f"MDF {_group(*board_map.powers)}\n(({centres})\n {others})\n({borders})\n"


def _owners(powers: tuple[Power, ...]) -> str:
    if len(powers) > 1:
        return _group(*powers)
    return powers[0] if powers else definition.UNOWNED


def _borders(board_map: Map, province: Province) -> str:
    """Return the borders of *province*, such as `(PAR(AMY BRE BUR)(FLT ...))`."""
    groups = (
        _group(_unit_place(kind, at), *map(_place, places))
        for (kind, at), places in board_map.neighbours.items()
        if at.province == province
    )
    return f"({province}{''.join(groups)})"


def _unit_place(kind: UnitType, at: Location) -> str:
    return _group(definition.FLEET, at.coast.value) if at.coast else UNIT_NAMES[kind]


def _position(variant: Variant) -> str:
    start = variant.start
    turn = f"NOW ({start.turn})"
    lines = [
        " ".join(map(_unit, start.units_of(power))) for power in variant.map.powers
    ]
    return "\n".join([turn, *filter(None, lines), ""])


def _unit(unit: Unit) -> str:
    return _group(unit.power, UNIT_NAMES[unit.type], _place(unit.location))


def _ownership(variant: Variant) -> str:
    board_map, start = variant.map, variant.start
    free = board_map.centres - {*start.owners}
    unowned = filter(free.__contains__, board_map.provinces)
    groups = [
        *(_group(power, *start.centres_of(power)) for power in board_map.powers),
        _group(definition.UNOWNED, *unowned),
    ]
    return "SCO " + "\n    ".join(groups) + "\n"


def _numbers(variant: Variant) -> str:
    entries = Vocabulary.of(variant.map).representation
    lines = (f"{token:04X}:{name}\n" for token, name in entries)
    return f"{len(entries)}\n" + "".join(lines)


def _place(at: Location) -> str:
    return _group(at.province, at.coast.value) if at.coast else at.province


def _group(*words: str) -> str:
    return f"({' '.join(words)})"
