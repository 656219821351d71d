"""The shape of DiploBN's file, by its schema of 2022-02."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from daide_server.formats.errors import MAX_NAME_LENGTH

COMPLETED_STATUS: Final = "Completed"
GAME_ENDED: Final = "GameEnded"

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
