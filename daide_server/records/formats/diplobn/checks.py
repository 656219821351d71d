"""Checks of DiploBN's JSON: the schema, and consistency beyond the schema."""

from collections.abc import Iterator, Mapping

from daide_server.records.formats.format import (
    FindVariant,
    RecordFault,
    entries,
    fault_if_unparsable,
    json_object,
    members,
    shown,
    wrong_choice,
    wrong_kind,
)

from . import schema

# The lines of orders: the schema has arrays, the reader any lists

TABLES_OF_LINES = ("Orders", "RetreatOrders")
LENGTHS = (2, 3)
"""A line has the place of the unit, its action, and a result if there is one."""
PLACES_OF = {"h": 0, "d": 0, "m": 1, "sh": 1, "sm": 2, "c": 2, "b": 1}
"""The number of places, or units to build, after the letters of an action."""
LETTERS = ("s", "f")


def line_faults(
    names: schema.BoardNames, place: str, season: dict[str, object]
) -> Iterator[RecordFault]:
    """Yield the faults of the lines of a season at *place*."""
    for table in TABLES_OF_LINES:
        for where, _, lines in entries(f"{place}.{table}", season.get(table)):
            yield from wrong_kind(where, lines, list)
            for at, line in members(where, lines):
                yield from _line(names, at, line)


def _line(names: schema.BoardNames, at: str, line: object) -> Iterator[RecordFault]:
    if not isinstance(line, list) or len(line) not in LENGTHS:
        expected = "[province, action] or [province, action, result]"
        yield RecordFault(at, f"found {shown(line)}, expected {expected}")
        return
    yield from fault_if_unparsable(f"{at}[0]", names.province, line[0])
    if not _is_action(line[1]):
        expected = "an action such as 'h' or ['m', 'Vie']"
        yield RecordFault(f"{at}[1]", f"found {shown(line[1])}, expected {expected}")
    if not all(map(_is_result, line[2:])):
        problem = f"found {shown(line[2])}, expected 's', 'f' or ['f', reason]"
        yield RecordFault(f"{at}[2]", problem)


def _is_action(action: object) -> bool:
    letters, *places = action if isinstance(action, list) and action else [action]
    return isinstance(letters, str) and PLACES_OF.get(letters) == len(places)


def _is_result(result: object) -> bool:
    match result:
        case str():
            return result in LETTERS
        case [str() as letter] | [str() as letter, str()]:
            return letter in LETTERS
        case _:
            return False


CHOICES: Mapping[str, tuple[str, ...]] = {
    "ScoringSystem": schema.SCHEMA_CHOICES,
    "Modality": ("InPerson", "Online"),
    "CommunicationType": ("Full", "PublicOnly", "None"),
    "Language": ("English", "French", "German"),
    "DeadlineType": ("Live", "Extended"),
    "LimitType": ("Unlimited", "TimeLimited", "YearLimited"),
    "AnonymityType": ("None", "Partial", "Full"),
    "EndedBy": ("Unknown", "Solo", "Draw", "Time", "Year", "GameManager", "Other"),
}
TEXT_FIELDS = (
    "Competition",
    "GameLabel",
    "URL",
    "DatePlayed",
    "DateBegan",
    "DateEnded",
    "Note",
)
BY_COUNTRY = ("CenterCounts", "SupplyCenters", "Units", "Orders", "RetreatOrders")


def check(content: bytes, variants: FindVariant) -> Iterator[RecordFault]:
    """Yield the faults of the file *content*, which is a JSON object."""
    game = json_object(content)
    for key in TEXT_FIELDS:
        if key in game:
            yield from wrong_kind(key, game[key], str)
    for key, choices in CHOICES.items():
        if key in game:
            yield from wrong_choice(key, game[key], choices)
    names = schema.board_names(variants("standard").map)
    for key in ("Players", "ResultSummary"):
        for place, country, _ in entries(key, game.get(key)):
            yield from wrong_choice(place, country, names.powers)
    yield from _seasons(names, game.get("GamePhases"))
    yield from _final_counts(game)


def _seasons(names: schema.BoardNames, seasons: object) -> Iterator[RecordFault]:
    before = 0
    for place, season in members("GamePhases", seasons):
        if not isinstance(season, dict):
            yield from wrong_kind(place, season, dict)
            continue
        number, status = season.get("Phase"), season.get("Status")
        yield from wrong_kind(f"{place}.Phase", number, int)
        yield from wrong_choice(f"{place}.Status", status, schema.STATUSES)
        yield from wrong_kind(f"{place}.CenterCounts", season.get("CenterCounts"), dict)
        if isinstance(number, int):
            yield from fault_if_unparsable(f"{place}.Phase", schema.turn_of, number)
            if number <= before:
                yield RecordFault(f"{place}.Phase", f"found {number} after {before}")
            before = number
        yield from _tables(names, place, season)


def _tables(
    names: schema.BoardNames, place: str, season: dict[str, object]
) -> Iterator[RecordFault]:
    for table in BY_COUNTRY:
        for where, country, _ in entries(f"{place}.{table}", season.get(table)):
            yield from wrong_choice(where, country, names.powers)
    counts = {
        country: count for _, country, count in entries("", season.get("CenterCounts"))
    }
    owned: dict[str, int] = {}
    tables = entries(f"{place}.SupplyCenters", season.get("SupplyCenters"))
    for where, country, centres in tables:
        for at, centre in members(where, centres):
            yield from fault_if_unparsable(at, names.province, centre)
        owned[country] = len(centres) if isinstance(centres, list) else 0
    for country in {**counts, **owned} if owned else ():
        found, counted = owned.get(country, 0), counts.get(country, 0)
        if found != counted:
            yield RecordFault(
                f"{place}.SupplyCenters.{country}",
                f"found {found} centres, CenterCounts has {shown(counted)}",
            )
    yield from line_faults(names, place, season)


def _final_counts(game: dict[str, object]) -> Iterator[RecordFault]:
    """Compare the result of each country with the last season, if it says the end."""
    seasons = game.get("GamePhases")
    last = seasons[-1] if isinstance(seasons, list) and seasons else None
    if not isinstance(last, dict) or last.get("Status") != schema.GAME_ENDED:
        return
    counts = last.get("CenterCounts")
    for place, country, result in entries("ResultSummary", game.get("ResultSummary")):
        found = result.get("CenterCount") if isinstance(result, dict) else None
        expected = counts.get(country, 0) if isinstance(counts, dict) else None
        if found != expected:
            problem = f"found {shown(found)}, the last season has {shown(expected)}"
            yield RecordFault(f"{place}.CenterCount", problem)
