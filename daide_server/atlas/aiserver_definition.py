"""The `.mdf` file, a Map Definition Message as text, read to the tables of a map file.

The format is MDF of DAIDE's Message Syntax. All names are collected before they are
compared, so that faults can be listed and repaired: a province with borders that no
list names is added; one without borders gets the reverse of its neighbours' borders.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from attrs import define, field, frozen

from daide_server.atlas.checking import AtlasError, MapFault
from daide_server.board.map import Variant
from daide_server.board.map_reading import TomlData
from daide_server.board.names import Coast

# Words and brackets of a message that is written as text, with their lines. Words
# become capitals: the files mix cases, without a difference in meaning.

_PIECE = re.compile(r"[()]|[^\s()]+")


@frozen
class Word:
    """A word of a message."""

    text: str
    line: int


@frozen
class Bracketed:
    """The words and groups in a pair of brackets; `line` is that of the first."""

    items: tuple["Word | Bracketed", ...]
    line: int

    @property
    def words(self) -> tuple[Word, ...]:
        """Return the words of the group, without those of nested groups."""
        return tuple(each for each in self.items if isinstance(each, Word))

    @property
    def groups(self) -> tuple["Bracketed", ...]:
        """Return the groups nested in the group."""
        return tuple(each for each in self.items if isinstance(each, Bracketed))


def read_message(text: str, file: str, head: str) -> Bracketed:
    """Return the rest of the message *text* after the word *head*.

    Raises `AtlasError` if *text* begins with another word, or brackets do not match.
    """
    message = _grouped(text, file)
    first = message.items[0] if message.items else None
    if not isinstance(first, Word) or first.text != head:
        found = first.text if isinstance(first, Word) else "something else"
        raise AtlasError(MapFault(f"found {found}, expected {head}", file, 1))
    return Bracketed(message.items[1:], message.line)


def _grouped(text: str, file: str) -> Bracketed:
    """Return *text* as one group; raises `AtlasError` if brackets do not match."""
    opened: list[tuple[list[Word | Bracketed], int]] = [([], 1)]
    for piece, line in _pieces(text):
        if piece == "(":
            opened.append(([], line))
        elif piece != ")":
            opened[-1][0].append(Word(piece, line))
        elif len(opened) == 1:
            raise AtlasError(MapFault("a bracket closes that was not open", file, line))
        else:
            items, start = opened.pop()
            opened[-1][0].append(Bracketed(tuple(items), start))
    if len(opened) > 1:
        problem = "the bracket that opens here is not closed"
        raise AtlasError(MapFault(problem, file, opened[-1][1]))
    return Bracketed(tuple(opened[0][0]), 1)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), 1):
        for piece in _PIECE.findall(line):
            yield piece.upper(), number


ARMY = "AMY"
FLEET = "FLT"
UNOWNED = "UNO"
COAST_NAMES = frozenset(coast.value for coast in Coast)


@define
class Definition:
    """The powers and provinces of an MDF, as tables of a map file, and its faults.

    `lines` are the lines of the provinces' borders.
    """

    file: str
    homes: dict[str, list[str]] = field(factory=dict)
    provinces: dict[str, TomlData] = field(factory=dict)
    faults: list[MapFault] = field(factory=list)
    lines: dict[str, int] = field(factory=dict)
    _listed: dict[str, int] = field(factory=dict)

    def read(self, message: Bracketed) -> None:
        """Read a whole MDF; raises `AtlasError` if it has another structure."""
        if len(message.groups) != len(("powers", "provinces", "adjacencies")):
            self._fail("expected three groups: powers, provinces, borders", message)
        powers, provinces, borders = message.groups
        self.homes = {power.text: [] for power in powers.words}
        if len(provinces.groups) != len(("centres", "others")):
            self._fail("expected two groups: centres, other provinces", provinces)
        for group in provinces.groups[0].groups:
            self._read_centres(group)
        for word in provinces.groups[1].words:
            self._declare(word)
        for group in borders.groups:
            self._read_borders(group)
        self._complete()

    def _read_centres(self, group: Bracketed) -> None:
        """Read `(FRA PAR ...)`, `(UNO BEL ...)` or `((FRA ENG) PAR ...)`."""
        if group.groups:
            owners, centres = group.groups[0].words, group.words
        else:
            owners, centres = group.words[:1], group.words[1:]
        for centre in centres:
            self._declare(centre)["centre"] = True
        for owner in owners:
            if owner.text in self.homes:
                self.homes[owner.text] += [centre.text for centre in centres]
            elif owner.text != UNOWNED:
                self._report(f"no power is called {owner.text}", owner.line)

    def _declare(self, word: Word) -> TomlData:
        if word.text in self.provinces:
            self._report(f"{word.text} is listed twice", word.line)
        self._listed.setdefault(word.text, word.line)
        return self.provinces.setdefault(word.text, {})

    def _read_borders(self, group: Bracketed) -> None:
        """Read `(PAR (AMY BRE ...) (FLT ...) ((FLT NCS) ...))`."""
        if not group.words:
            self._fail("expected a province and its borders", group)
        name = group.words[0]
        if name.text not in self.provinces:
            problem = f"{name.text} has borders, but is in no list of provinces"
            self._report(problem, name.line)
        if name.text in self.lines:
            self._report(f"{name.text} has borders already", name.line)
        self.lines[name.text] = name.line
        province = self.provinces.setdefault(name.text, {})
        for neighbours in group.groups:
            self._read_neighbours(province, neighbours)

    def _read_neighbours(self, province: TomlData, group: Bracketed) -> None:
        """Read `(AMY BRE ...)`, `(FLT ...)` or `((FLT NCS) ...)`."""
        kinds = {ARMY: "army", FLEET: "fleet"}
        match group.items:
            case [Word(text), *places] if text in kinds:
                province[kinds[text]] = list(self._places(places))
            case [Bracketed(words=[Word(text), *_]) as first, *places] if text == FLEET:
                coasts = province.setdefault("fleet", {})
                coast = self._coast(first)
                if isinstance(coasts, dict):
                    coasts[coast] = list(self._places(places))
                else:
                    self._report("fleets are at a coast and at none", group.line)
            case _:
                self._fail("expected AMY, FLT or (FLT and a coast)", group)

    def _places(self, items: Iterable["Word | Bracketed"]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Word):
                yield item.text
            elif item.words:
                yield f"{item.words[0].text}/{self._coast(item)}"

    def _coast(self, group: Bracketed) -> str:
        """Return the second word of *group*, which must be a coast."""
        coast = group.words[1].text if group.words[1:] else "none"
        if coast not in COAST_NAMES:
            known = ", ".join(sorted(COAST_NAMES))
            self._fail(f"found {coast}, expected a coast: {known}", group)
        return coast

    # Comparison of the parts

    def _complete(self) -> None:
        """Report and repair provinces that are missing in one of the parts."""
        for name in [name for name in self.provinces if name not in self.lines]:
            problem = f"{name} is in a list of provinces, but has no borders"
            self.lines[name] = self._listed[name]
            self._report(problem, self.lines[name])
            self._repair_borders(name)
        for name, province in list(self.provinces.items()):
            places = _places_of(province, "army") + _places_of(province, "fleet")
            for place in dict.fromkeys(places):
                self._check_place(name, place)

    def _repair_borders(self, name: str) -> None:
        """Add to the province *name* the reverses of the borders that lead to it."""
        for kind in ("army", "fleet"):
            found = [
                at
                for at, other in self.provinces.items()
                if name in _places_of(other, kind)
            ]
            if found or kind == "army":
                self.provinces[name][kind] = found

    def _check_place(self, name: str, place: str) -> None:
        """Remove the border of *name* with *place* if that is in no province."""
        other = place.partition("/")[0]
        if other not in self.provinces:
            problem = f"{name} borders {other}, which is no province"
            self._report(problem, self.lines.get(name, 1))
            for kind in ("army", "fleet"):
                for each in _lists_of(self.provinces[name], kind):
                    each[:] = [at for at in each if at != place]

    def _report(self, problem: str, line: int) -> None:
        self.faults.append(MapFault(problem, self.file, line))

    def _fail(self, problem: str, group: Bracketed) -> None:
        raise AtlasError(*self.faults, MapFault(problem, self.file, group.line))


def _places_of(province: TomlData, kind: str) -> list[str]:
    return list(chain.from_iterable(_lists_of(province, kind)))


def _lists_of(province: TomlData, kind: str) -> list[list[str]]:
    """Return the neighbours of *province*, in a list for each coast."""
    places = province.get(kind, [])
    return list(places.values()) if isinstance(places, dict) else [places]


# The `.nam` file: full names, one `TOKEN:Name:Adjective` or `TOKEN:Name` a line. Powers
# come first, then a blank line, then provinces.


@frozen
class Titles:
    """The `name` and `adjective` of powers, and the names of provinces."""

    powers: Mapping[str, TomlData]
    provinces: Mapping[str, str]


def read_titles(text: str) -> Titles:
    """Return the names in *text*, the content of a `.nam`; skip lines without one."""
    powers, _, provinces = text.replace("\r\n", "\n").strip().partition("\n\n")
    fields = [line.split(":") for line in powers.splitlines()]
    keys = "name", "adjective"
    return Titles(
        powers={
            each[0].upper(): dict(zip(keys, map(str.strip, each[1:]), strict=False))
            for each in fields
            if each[1:]
        },
        provinces={
            abbreviation.strip().upper(): title.strip()
            for abbreviation, colon, title in (
                line.partition(":") for line in provinces.splitlines()
            )
            if colon
        },
    )


def write_titles(variant: Variant) -> str:
    """Return the content of a `.nam` with the names of *variant*."""
    titles, board_map = variant.titles, variant.map
    powers = [
        f"{power}:{titles[power]}:{variant.adjectives.get(power, titles[power])}"
        for power in board_map.powers
    ]
    provinces = [f"{province}:{titles[province]}" for province in board_map.provinces]
    return "\n".join([*powers, "", *provinces, ""])
