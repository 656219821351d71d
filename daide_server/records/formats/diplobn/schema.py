"""DiploBN's schema of 2022-02: the file as structs, and the names in it.

Abbreviations of places are those of `board.notation`: in capitals for seas,
capitalised for land. A place with a coast is a list, such as `["Stp", "nc"]`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from daide_server.board import notation
from daide_server.board.map import MAPS_KEPT, Map, Season, Terrain, Turn
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.records.formats.errors import MAX_NAME_LENGTH, FormatError, look_up
from daide_server.scoring.systems import DIPLOBN_SYSTEMS, WITHOUT_FORMULA

AWAITING_ORDERS = "AwaitingOrders"
AWAITING_RETREATS = "AwaitingRetreats"
COMPLETED_STATUS = "Completed"
GAME_ENDED = "GameEnded"
STATUSES = (AWAITING_ORDERS, AWAITING_RETREATS, COMPLETED_STATUS, GAME_ENDED)
"""The statuses of a season."""

LabelText = Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
"""The name of a game or of a player."""

PlaceName = str | list[str]
"""`Vie`, or with a coast `["Stp", "nc"]`."""

Action = str | list[object]
"""`h`, or an action with its places, such as `["m", "Vie"]`."""

Result = str | list[str]
"""`s` or `f`, or that with a reason."""

OrdersByCountry = dict[str, list[list[object]]]


class CountryResult(Struct):
    """The result of one country."""

    CenterCount: int
    YearOfElimination: int | None
    InGameAtEnd: bool
    Score: float
    Rank: int


class Vote(Struct, omit_defaults=True):
    """A ballot on a draw."""

    Passed: bool
    PlayersInDraw: list[str] | UnsetType = UNSET
    ProposedBy: str | UnsetType = UNSET
    NumberOfKeepPlayingVotes: int | UnsetType = UNSET
    KeepPlayingVoters: list[str] | UnsetType = UNSET


class ComputedLines(Struct, omit_defaults=True):
    """Results that the record lacks, as lines like those of the season."""

    source: str
    Orders: OrdersByCountry = {}
    RetreatOrders: OrdersByCountry = {}


class SeasonExtension(Struct, omit_defaults=True):
    """The data of a season that DiploBN has no key for.

    `retreats` are the places that another recorder left open to each dislodged unit, by
    the unit's province. `disorder` are the units that were disbanded or removed without
    an order. `results` are not among the orders, where a result counts as recorded;
    `via` are the armies ordered to go by convoy that have none.
    """

    retreats: dict[str, list[PlaceName]] = {}
    disorder: OrdersByCountry = {}
    via: list[str] = []
    results: ComputedLines | None = None


class DiplobnSeason(Struct, omit_defaults=True):
    """A phase: a season with its retreats. Units are those before the orders."""

    Phase: int
    Status: str
    CenterCounts: dict[str, int]
    SupplyCenters: dict[str, list[str]] | UnsetType = UNSET
    Units: dict[str, list[tuple[str, PlaceName]]] | UnsetType = UNSET
    Orders: OrdersByCountry | UnsetType = UNSET
    DislodgedUnits: list[str] | UnsetType = UNSET
    RetreatOrders: OrdersByCountry | UnsetType = UNSET
    DrawVote: Vote | UnsetType = UNSET
    daide: SeasonExtension | UnsetType = UNSET

    @property
    def extension(self) -> SeasonExtension:
        """The key `daide`, or an empty one."""
        return self.daide or SeasonExtension()


class DiplobnGame(Struct, omit_defaults=True):
    """The file."""

    Competition: str | UnsetType = UNSET
    GameLabel: LabelText | UnsetType = UNSET
    URL: str | UnsetType = UNSET
    DatePlayed: str | UnsetType = UNSET
    DateBegan: str | UnsetType = UNSET
    DateEnded: str | UnsetType = UNSET
    ScoringSystem: str | UnsetType = UNSET
    Modality: str | UnsetType = UNSET
    CommunicationType: str | UnsetType = UNSET
    Language: str | UnsetType = UNSET
    DeadlineType: str | UnsetType = UNSET
    LimitType: str | UnsetType = UNSET
    AnonymityType: str | UnsetType = UNSET
    EndedBy: str | UnsetType = UNSET
    Note: str | UnsetType = UNSET
    Players: dict[str, LabelText] | UnsetType = UNSET
    ResultSummary: dict[str, CountryResult] | UnsetType = UNSET
    GamePhases: list[DiplobnSeason] = []


# Names of countries, places and phases

SEASON_NUMBERS: Mapping[Season, int] = {
    Season.SPRING: 1,
    Season.SUMMER: 1,
    Season.FALL: 2,
    Season.AUTUMN: 2,
    Season.WINTER: 3,
}
TURNS = {1: Season.SPRING, 2: Season.FALL, 3: Season.WINTER}
FIRST_PHASE = 10001
LAST_PHASE = 99993


class BoardNames:
    """The names of one map, which is the standard one."""

    def __init__(self, board_map: Map) -> None:
        """Raise `FormatError` if *board_map* has powers or seas that DiploBN lacks."""
        has_powers = board_map.power_index.keys() <= notation.POWER_NAMES.keys()
        if not has_powers or not notation.SEA_NAMES.keys() <= board_map.index.keys():
            message = f"map {board_map.name}: only the standard map can be written"
            raise FormatError(message)
        self.map = board_map
        self.countries: Mapping[Power, str] = {
            power: notation.POWER_NAMES[power].capitalize()
            for power in board_map.powers
        }
        self.powers = {text: power for power, text in self.countries.items()}
        spelling = notation.province_spelling(board_map)
        self.provinces: Mapping[Province, str] = {
            place: _capitals(spelling.get(place, place), board_map.terrain[place])
            for place in board_map.provinces
        }
        self._provinces = {text: place for place, text in self.provinces.items()}

    def place(self, location: Location) -> PlaceName:
        """Return the name of *location*, such as `Vie` or `["Stp", "nc"]`."""
        province = self.provinces[location.province]
        if location.coast is None:
            return province
        return [province, notation.SHORT_COASTS[location.coast].lower()]

    def unit(self, unit: Unit) -> tuple[str, PlaceName]:
        """Return the name of *unit*, such as `["A", "Vie"]`."""
        return unit.type.value, self.place(unit.location)

    def power(self, country: str) -> Power:
        """Return the power of *country*; raise `FormatError` if there is none."""
        return look_up(self.powers, country, "country")

    def province(self, place: object) -> Province:
        """Return the province that *place* names, without its coast.

        Raises `FormatError` if the map has no such province.
        """
        name = place[0] if isinstance(place, list) and place else place
        if not isinstance(name, str) or name not in self._provinces:
            message = f"unknown province {place!r}, expected one such as 'Vie' or 'NTH'"
            raise FormatError(message)
        return self._provinces[name]

    def location(self, place: object) -> Location:
        """Return the location of `Vie` or `["Stp", "nc"]`, on the map or not.

        Raises `FormatError` if the province or the coast is unknown.
        """
        province = self.province(place)
        coasts = place[1:] if isinstance(place, list) else []
        if not coasts:
            return self.map.locations.get((province, None)) or Location(province)
        coast = notation.COASTS_BY_TEXT.get(str(coasts[0]).upper())
        if coast is None or len(coasts) > 1:
            message = f"unknown coast in {place!r}, expected one as in ['Stp', 'nc']"
            raise FormatError(message)
        return self.map.locations.get((province, coast)) or Location(province, coast)

    def standing(self, kind: str, place: object) -> tuple[UnitType, Location]:
        """Return the type and the location of a unit that can stand at *place*.

        Raises `FormatError` if it cannot, or is neither an army nor a fleet.
        """
        location = self.location(place)
        found = {each.value: each for each in UnitType}.get(kind)
        if found is None:
            expected = "a unit such as ['A', 'Vie']"
            raise FormatError(f"unit {[kind, place]!r}: expected {expected}")
        if not self.map.can_stand(found, location):
            name = "an army" if found is UnitType.ARMY else "a fleet"
            raise FormatError(f"unit {[kind, place]!r}: {name} cannot stand there")
        return found, location

    def centre(self, place: object) -> Province:
        """Return the centre called *place*; raise `FormatError` if it is none."""
        province = self.province(place)
        if province not in self.map.centres or self.location(place).coast is not None:
            message = f"not a supply centre: {place!r}, expected one such as 'Par'"
            raise FormatError(message)
        return province


def _capitals(name: str, terrain: Terrain) -> str:
    return name if terrain is Terrain.SEA else name.capitalize()


@lru_cache(MAPS_KEPT)
def board_names(board_map: Map) -> BoardNames:
    """Return the names of *board_map*; raise `FormatError` if it has none here."""
    return BoardNames(board_map)


def phase_of(turn: Turn) -> int:
    """Return a number such as 19011 for spring 1901; a retreat has its season's.

    Raises `FormatError` for a year that has not four digits.
    """
    return _in_range(turn.year * 10 + SEASON_NUMBERS[turn.season])


def turn_of(phase: int) -> Turn:
    """Return the turn that *phase* begins with; raise `FormatError` if it is none."""
    year, season = divmod(_in_range(phase), 10)
    if season not in TURNS:
        message = f"phase {phase}: expected a number such as 19011, 19012 or 19013"
        raise FormatError(message)
    return Turn(TURNS[season], year)


def _in_range(phase: int) -> int:
    if not FIRST_PHASE <= phase <= LAST_PHASE:
        raise FormatError(f"phase {phase}: expected five digits such as 19011")
    return phase


# Scoring systems

MANUAL = "Manual"
SCHEMA_CHOICES = (*DIPLOBN_SYSTEMS, *WITHOUT_FORMULA, MANUAL, "Unscored")
"""Everything that the schema allows as `ScoringSystem`."""

SYSTEM_NAMES: Mapping[str, str] = {
    "sum_of_squares": "SumOfSquares",
    "draw_size": "DrawSize",
    "c_diplo_100": "CDiplo",
    "tribute": "Tribute",
    "carnage": "Carnage",
    "dixie": "Dixie",
    **{name: name for name in DIPLOBN_SYSTEMS},
}
"""DiploBN's names of the systems that we know; any other is `Manual`."""

OUR_SYSTEMS = {theirs: ours for ours, theirs in reversed([*SYSTEM_NAMES.items()])}
