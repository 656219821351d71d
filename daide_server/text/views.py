"""A game as shown on the page; the JSON of these values is that of the API.

A `TurnView` is self-contained: the board before the turn, the orders with their
results, and the changes. Units have numbers that they keep for the whole game
(`turn_views`). Provinces, orders and phases are in dipcc's words, powers are DAIDE's
tokens. Fields with their default value are omitted from the JSON.
"""

from msgspec import Struct

SUCCEEDED = "succeeded"
DISLODGED = "dislodged"
ILLEGAL = "illegal"
REPLACED = "replaced"


class UnitView(Struct, frozen=True, array_like=True):
    """A unit: `["12", "FRA", "F", "STP/SC"]`."""

    id: str
    power: str
    type: str
    """`A` or `F`."""
    at: str


class OrderView(Struct, frozen=True, omit_defaults=True):
    """An order and its result."""

    power: str
    text: str
    kind: str
    """`hold`, `move`, `convoyed_move`, `support_hold`, `support_move`, `convoy`,
    `retreat`, `disband`, `build`, `remove`, `waive`."""
    unit: str = ""
    """The id of the unit, also of a built unit; empty for a waive."""
    to: str = ""
    """The destination of the move, of the supported one or of the convoyed one."""
    target: str = ""
    """The id of the supported or convoyed unit."""
    via: tuple[str, ...] = ()
    """The fleets' provinces, in the order of an army's convoy."""
    result: str = SUCCEEDED
    """`succeeded`, `bounced`, `cut`, `disrupted`, `void`, `dislodged` (it held or
    convoyed), `illegal` or `replaced`; the last two were not carried out."""
    why: str = ""
    """The judge's reason in words, where there is more to say than the result."""
    given: bool = True
    """Whether the player ordered it; otherwise the unit had no order that counts."""
    supporters: tuple[str, ...] = ()
    """The ids of the units whose support was given to this order."""


class CentreChange(Struct, frozen=True, array_like=True):
    """A centre with a new owner: `["BEL", "", "FRA"]`."""

    at: str
    before: str
    after: str


class AfterView(Struct, frozen=True, omit_defaults=True):
    """The changes of the board in a turn."""

    moved: dict[str, str] = {}
    """The new location of each unit that has moved."""
    dislodged: dict[str, tuple[str, ...]] = {}
    """The places to which each dislodged unit may retreat."""
    gone: tuple[str, ...] = ()
    built: tuple[UnitView, ...] = ()
    centres: tuple[CentreChange, ...] = ()


class ConductView(Struct, frozen=True, omit_defaults=True):
    """How a player did in a turn: the counts of the record, and seconds."""

    refused: int = 0
    syntax_errors: int = 0
    late: int = 0
    silent: bool = False
    think_median: float | None = None
    think_longest: float | None = None
    words: str = ""
    """What it did badly, in words, such as `2 late, 1 HUH`; long thinking counts."""


class TurnView(Struct, frozen=True, omit_defaults=True):
    """A turn; `after` has the changes.

    The current turn is `open`: it has no orders and no changes.
    """

    id: str
    """The turn, such as `F1905M`; its address ends with it."""
    title: str
    """The title, such as `Fall 1905`."""
    phase: str
    """`movement`, `retreats` or `adjustments`."""
    units: tuple[UnitView, ...]
    """The units at the start of the turn, dislodged ones too."""
    owners: dict[str, tuple[str, ...]]
    """The centres of each power that owns any, at the start of the turn."""
    since: float | None = 0.0
    """Seconds from the beginning of the game to that of the turn; null if unknown."""
    dislodged: dict[str, tuple[str, ...]] = {}
    """The places to which each unit that is dislodged at the start may retreat."""
    orders: tuple[OrderView, ...] = ()
    after: AfterView = AfterView()
    players: dict[str, ConductView] = {}
    """The conduct of each power that has something other than zeros."""
    open: bool = False
    headline: str = ""
    """The events of the turn in a sentence; for an open turn, that of
    `GameView.headline`."""
    quiet: bool = False
    """Whether nothing happened that is worth a line in the story."""


class PressView(Struct, frozen=True, omit_defaults=True):
    """A message between powers, or a vote for a draw."""

    turn: str
    """The id of its turn; empty after the end of the game."""
    seconds: float | None
    sender: str
    recipients: tuple[str, ...]
    text: str
    """The message as DAIDE text."""
    words: str
    """The message in plain English."""
    number: int = 0
    """The place among the messages of the game, from 1; 0 for a vote."""
    vote: bool = False


class PromiseView(Struct, frozen=True, omit_defaults=True):
    """A promise of one power to others in press, and its verdict."""

    turn: str
    """The id of the turn of the proposal."""
    power: str
    to: tuple[str, ...]
    text: str
    """The clause as DAIDE text."""
    message: int
    """The number of the message that proposed it."""
    verdict: str
    """`kept`, `broken`, `impossible`, `void` or `not decided`."""
    decided: str = ""
    """The id of the turn that decided it."""
    why: str = ""


class PowerView(Struct, frozen=True, omit_defaults=True):
    """A power and its player."""

    id: str
    title: str
    letter: str
    """One or two letters for its badges, different for each power."""
    name: str = ""
    version: str = ""


class YearView(Struct, frozen=True):
    """The centres of each power after a year; the start has the year `start`."""

    year: str
    centres: dict[str, int]


class ScoreView(Struct, frozen=True):
    """The score of each power by one system: shares of 1, as if it were drawn now."""

    system: str
    shares: dict[str, float]


class PlaceView(Struct, frozen=True, omit_defaults=True):
    """The place of a power now, or at the end."""

    power: str
    place: int
    """The place from 1; ties share a place."""
    centres: int
    won: bool = False
    """Whether it won alone or shared a draw."""
    eliminated: int | None = None
    """The year in which it lost its last centre."""


class GameBasics(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The data of a game in lists and on pages."""

    id: str
    name: str
    """A name that people can say, such as `brave-otter-12`."""
    headline: str
    """The state of the game or its ending, such as `Turkey leads with 8, Fall 1905`."""
    board: str
    board_title: str
    started: float
    """Seconds since 1970."""
    running: bool = False
    ending: str = ""
    """`solo`, `draw`, `year limit` or `aborted`; empty without an end."""


class GameView(GameBasics, frozen=True, omit_defaults=True, kw_only=True):
    """A game with all its turns, as far as it may be shown."""

    powers: tuple[PowerView, ...]
    turns: tuple[TurnView, ...]
    years: tuple[YearView, ...]
    ended: float | None = None
    """Seconds from its beginning to its end."""
    winners: tuple[str, ...] = ()
    places: tuple[PlaceView, ...] = ()
    """The powers, best first."""
    scores: tuple[ScoreView, ...] = ()
    press: tuple[PressView, ...] = ()
    press_note: str = ""
    """Why press is missing, if it may be."""
    promises: tuple[PromiseView, ...] = ()
    """Agreed promises, by the press that is shown."""
    level: int = 0
    edition: str = ""
    metadata: dict[str, str] = {}


class SeatSummary(Struct, frozen=True, omit_defaults=True):
    """A power in a list of games: its player and its centres."""

    id: str
    title: str
    letter: str
    name: str
    centres: int
    place: int = 0
    """The place from 1, by result or else by centres; ties share a place."""
    won: bool = False
    """Whether it won the finished game alone, or shared a draw."""


class GameSummary(GameBasics, frozen=True, omit_defaults=True, kw_only=True):
    """A game in a list."""

    title: str
    """The title of its last turn, such as `Fall 1905`."""
    years: int
    seats: tuple[SeatSummary, ...]
    last: TurnView | None = None
    """The position to draw small, as an open turn; `None` in long lists."""


class StatusView(Struct, frozen=True, omit_defaults=True):
    """What a running game waits for."""

    turn: str
    stage: str = "playing"
    owing: tuple[str, ...] = ()
    """The powers whose orders are missing."""
    vacant: tuple[str, ...] = ()
    """The powers that nobody plays."""
    since: float = 0.0
    """Seconds since 1970 when the turn began."""
    until: float | None = None
    """Seconds since 1970 of the deadline."""


class ChoicesView(Struct, frozen=True):
    """The possible orders of a unit: texts by kind of order."""

    unit: str
    orders: dict[str, tuple[str, ...]]
