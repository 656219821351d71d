"""The map definition, `.mdf`: an MDF as text, to the tables of a map file.

Everybody's names are collected first, so that one that is missing somewhere is
told, and can be mended: a province that no list has joins the others, one without
borders has those that its neighbours tell.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from attrs import define, field

from daide_server.atlas.map_faults import AtlasError, MapFault
from daide_server.board.names import Coast

from .tokenizer import Bracketed, Word

ARMY = "AMY"
FLEET = "FLT"
UNOWNED = "UNO"
COAST_NAMES = frozenset(coast.value for coast in Coast)

TomlData = dict[str, Any]


@define
class Definition:
    """The powers and the provinces, as in a map file, and what is wrong with them."""

    file: str
    homes: dict[str, list[str]] = field(factory=dict)
    provinces: dict[str, TomlData] = field(factory=dict)
    faults: list[MapFault] = field(factory=list)
    lines: dict[str, int] = field(factory=dict)
    _listed: dict[str, int] = field(factory=dict)

    def read(self, message: Bracketed) -> None:
        """Take in a whole MDF; raises `AtlasError` if it has another shape."""
        if len(message.groups) != len(("powers", "provinces", "adjacencies")):
            self._refuse("expected three groups: powers, provinces, borders", message)
        powers, provinces, borders = message.groups
        self.homes = {power.text: [] for power in powers.words}
        if len(provinces.groups) != len(("centres", "others")):
            self._refuse("expected two groups: centres, other provinces", provinces)
        for group in provinces.groups[0].groups:
            self._read_centres(group)
        for word in provinces.groups[1].words:
            self._declare(word)
        for group in borders.groups:
            self._read_borders(group)
        self._complete()

    def _read_centres(self, group: Bracketed) -> None:
        """Take in `(FRA PAR ...)`, `(UNO BEL ...)` or `((FRA ENG) PAR ...)`."""
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
                self._complain(f"no power is called {owner.text}", owner.line)

    def _declare(self, word: Word) -> TomlData:
        if word.text in self.provinces:
            self._complain(f"{word.text} is listed twice", word.line)
        self._listed.setdefault(word.text, word.line)
        return self.provinces.setdefault(word.text, {})

    def _read_borders(self, group: Bracketed) -> None:
        """Take in `(PAR (AMY BRE ...) (FLT ...) ((FLT NCS) ...))`."""
        if not group.words:
            self._refuse("expected a province and its borders", group)
        name = group.words[0]
        if name.text not in self.provinces:
            problem = f"{name.text} has borders, but is in no list of provinces"
            self._complain(problem, name.line)
        if name.text in self.lines:
            self._complain(f"{name.text} has borders already", name.line)
        self.lines[name.text] = name.line
        province = self.provinces.setdefault(name.text, {})
        for standing in group.groups:
            self._read_standing(province, standing)

    def _read_standing(self, province: TomlData, group: Bracketed) -> None:
        first = group.items[0] if group.items else None
        if isinstance(first, Word) and first.text == ARMY:
            province["army"] = list(self._places(group.items[1:]))
        elif isinstance(first, Word) and first.text == FLEET:
            province["fleet"] = list(self._places(group.items[1:]))
        elif isinstance(first, Bracketed) and [w.text for w in first.words[:1]] == [
            FLEET
        ]:
            coasts = province.setdefault("fleet", {})
            coast = self._coast(first)
            if isinstance(coasts, dict):
                coasts[coast] = list(self._places(group.items[1:]))
            else:
                self._complain("fleets are at a coast and at none", group.line)
        else:
            self._refuse("expected AMY, FLT or (FLT and a coast)", group)

    def _places(self, items: tuple[Word | Bracketed, ...]) -> Iterator[str]:
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
            self._refuse(f"found {coast}, expected a coast: {known}", group)
        return coast

    # What other parts of the file should have told

    def _complete(self) -> None:
        for name in [name for name in self.provinces if name not in self.lines]:
            problem = f"{name} is in a list of provinces, but has no borders"
            self.lines[name] = self._listed[name]
            self._complain(problem, self.lines[name])
            self._mend_borders(name)
        for name, province in list(self.provinces.items()):
            for place in _all_places(province):
                self._check_place(name, place)

    def _mend_borders(self, name: str) -> None:
        """Give a province the borders that others have with it."""
        for kind in ("army", "fleet"):
            found = [
                at
                for at, other in self.provinces.items()
                if name in _places_of(other, kind)
            ]
            if found or kind == "army":
                self.provinces[name][kind] = found

    def _check_place(self, name: str, place: str) -> None:
        other = place.partition("/")[0]
        if other not in self.provinces:
            problem = f"{name} borders {other}, which is no province"
            self._complain(problem, self.lines.get(name, 1))
            for kind in ("army", "fleet"):
                _remove(self.provinces[name], kind, place)

    def _complain(self, problem: str, line: int) -> None:
        self.faults.append(MapFault(problem, self.file, line))

    def _refuse(self, problem: str, group: Bracketed) -> None:
        raise AtlasError(*self.faults, MapFault(problem, self.file, group.line))


def _all_places(province: TomlData) -> set[str]:
    return {*_places_of(province, "army"), *_places_of(province, "fleet")}


def _places_of(province: TomlData, kind: str) -> list[str]:
    places = province.get(kind, [])
    groups = places.values() if isinstance(places, dict) else [places]
    return list(chain.from_iterable(groups))


def _remove(province: TomlData, kind: str, place: str) -> None:
    places = province.get(kind, [])
    for each in places.values() if isinstance(places, dict) else [places]:
        while place in each:
            each.remove(place)
