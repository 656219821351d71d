"""The record of a game: players, orders, results, ending.

A record counts seconds from when its game began. Its pronounceable name follows from
its id alone and is stored nowhere; two games may share one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from math import inf, isinf

from msgspec import Struct

from daide_server.board.map import Position, Turn, Variant
from daide_server.board.names import IdentityEnum, Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Move, Order, Retreat
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.errors import InputError
from daide_server.usage import Usage


class Ending(IdentityEnum):
    """How a game ended; a stalemate is a draw by the rule `stalemate_years`."""

    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    STALEMATE = "stalemate"
    ABORTED = "aborted"


class RefusedOrder(Struct, frozen=True):
    """An order that was refused: THX with another note than MBV."""

    province: Province | None
    """The province of the unit or build; `None` for a waive."""
    text: str
    """The order as DAIDE text, as it was sent."""
    note: OrderNote


class PlayerTally(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the player of a power did in a turn."""

    refused_orders: tuple[RefusedOrder, ...] = ()
    """The last refused order for each unit, of a limited number of units."""
    refused: int = 0
    """The number of refused orders."""
    syntax_errors: int = 0
    """The number of messages answered with HUH or PRN."""
    last_syntax_error: str = ""
    """The last HUH or PRN as DAIDE text, with ERR in its place; if it was long, what
    stands around ERR."""
    late: int = 0
    """The number of SUBs for another turn; one more if the deadline passed with orders
    due."""
    silent: bool = False
    """Nothing at all came before the deadline passed."""
    think_median: float | None = None
    """Seconds from the start of the turn to its SUBs; `None` without any."""
    think_longest: float | None = None
    usage: Usage | None = None
    """The language model usage that its bot reported; `None` if it reported none."""


class Sitting(Struct, frozen=True):
    """A client in the seat of a power, from when to when (`None`: to the end).

    In a tournament: `forfeit` says when and why a bot stopped playing, or why it did
    not begin; `stand_in` marks a client that only held in its place. `entrant` is the
    name in the tournament's file of the bot whose seat it is.
    """

    power: Power
    name: str
    version: str
    since: float
    until: float | None = None
    forfeit: str | None = None
    stand_in: bool = False
    entrant: str = ""


class PlayedTurn(Struct, frozen=True):
    """A turn that was processed.

    `orders` are the players' own, `reports` what became of every unit, `since`
    when the turn began (`None`: unknown). A record from elsewhere may have no reports.
    `tallies` say how the players did; `None` if that was not recorded.
    """

    position: Position
    orders: tuple[Order, ...]
    reports: tuple[Report, ...]
    since: float | None
    tallies: Mapping[Power, PlayerTally] | None = None


class Message(Struct, frozen=True):
    """Press as it was delivered; `turn` is `None` after the end of the game.

    `seconds` are `None` if the file that it is from has no time.
    """

    turn: Turn | None
    sender: Power
    recipients: tuple[Power, ...]
    text: str
    seconds: float | None


class DrawVote(Struct, frozen=True):
    """A vote for a draw among *powers* (`None`: all survivors), or its withdrawal."""

    turn: Turn | None
    power: Power
    powers: tuple[Power, ...] | None
    withdrawn: bool
    seconds: float | None


PressOrVote = Message | DrawVote


class Kept(Struct, frozen=True):
    """The data of another program's file beyond records, to write it back.

    `phases` are its values as JSON, by turn (`None`: after the end) and by their place
    in the phase; `rules` are its options, `None` if they follow from the rest.
    """

    phases: Mapping[Turn | None, Mapping[str, str]] = {}
    rules: tuple[str, ...] | None = None


class GameRecord(Struct, frozen=True, kw_only=True):
    """All that is recorded of one game.

    The position after `turns[n]` is that of `turns[n + 1]`, and `last` after the
    last one. `ending` is `None` while the game is played. `started`, from which all
    times count, is in seconds since 1970: when the game began, or the first time in
    the file of another program, 0 without any. `metadata` holds what the server adds
    (its version, the seed). A `foreign` record was written by another program, which
    may have `kept` more of each phase.
    """

    id: str
    variant: Variant
    edition: str
    level: int
    started: float
    sittings: tuple[Sitting, ...] = ()
    turns: tuple[PlayedTurn, ...] = ()
    messages: tuple[Message, ...] = ()
    votes: tuple[DrawVote, ...] = ()
    ending: Ending | None = None
    winners: tuple[Power, ...] = ()
    last: Position
    last_since: float | None = None
    ended: float | None = None
    metadata: Mapping[str, str] = {}
    foreign: bool = False
    kept: Kept = Kept()

    @property
    def positions(self) -> tuple[Position, ...]:
        """Return the position of each turn, the last one too."""
        return (*(turn.position for turn in self.turns), self.last)

    @property
    def is_last_turn_open(self) -> bool:
        """Whether the last position was still to be played from.

        The game is not over, or it was drawn or aborted in the middle of a turn.
        """
        return self.ending in {None, Ending.DRAW, Ending.ABORTED}

    @property
    def press_and_votes(self) -> tuple[PressOrVote, ...]:
        """Return the press and the votes, in order of time."""
        sent: tuple[PressOrVote, ...] = (*self.messages, *self.votes)
        return tuple(sorted(sent, key=lambda each: each.seconds or 0.0))

    def player(self, power: Power) -> Sitting | None:
        """Return the player of *power*: the last one who was no stand-in, if any."""
        sat = [each for each in self.sittings if each.power == power]
        played = [each for each in sat if not each.stand_in]
        return next(reversed(played or sat), None)

    def sitting(self, power: Power) -> Sitting | None:
        """Return who was last in the seat of *power*."""
        found = (each for each in reversed(self.sittings) if each.power == power)
        return next(found, None)


FOREIGN_EDITION = "dipcc"
"""The rules that records of most other programs are adjudicated by."""


class RecordError(InputError):
    """The entries or the record do not make a game that can be used."""


_Times = Sequence[float | None]


class TurnTime(Struct, frozen=True):
    """When a turn began, `None` if unknown, and the bounds on it.

    It was not earlier than `after` and not later than `before`, as far as these are
    known; a known beginning is both.
    """

    began: float | None
    after: float | None
    before: float | None


def turn_times(record: GameRecord) -> list[TurnTime]:
    """Return the time of each position of *record*.

    Bounds that contradict each other are none: some files have press in other turns.
    """
    known = [*(turn.since for turn in record.turns), record.last_since]
    said = _said(record)
    found: list[TurnTime] = []
    bounds = zip(
        known, _latest_before(known, said), _earliest(known, said), strict=True
    )
    for began, after, before in bounds:
        if began is not None:
            found.append(TurnTime(began, began, began))
        elif after > before:
            found.append(TurnTime(None, None, None))
        else:
            found.append(TurnTime(None, _known(after), _known(before)))
    return found


def _latest_before(known: _Times, said: Sequence[Sequence[float]]) -> list[float]:
    """Return the latest known time before each position, `-inf` if there is none."""
    of_turns = (
        max([-inf if began is None else began, *times])
        for began, times in zip(known, said, strict=True)
    )
    return list(accumulate(of_turns, max, initial=-inf))[:-1]


def _earliest(known: _Times, said: Sequence[Sequence[float]]) -> list[float]:
    """Return the earliest known time after each position began, `inf` for none."""
    following = (*known[1:], None)
    of_turns = [
        min([inf if began is None else began, *times])
        for began, times in zip(following, said, strict=True)
    ]
    return list(accumulate(reversed(of_turns), min))[::-1]


def _known(seconds: float) -> float | None:
    return None if isinf(seconds) else seconds


def _said(record: GameRecord) -> list[list[float]]:
    """Return the times of press and votes by position; the end is part of the last."""
    index = {position.turn: at for at, position in enumerate(record.positions)}
    found: list[list[float]] = [[] for _ in record.positions]
    for each in record.press_and_votes:
        at = index.get(each.turn, len(found) - 1) if each.turn else len(found) - 1
        if each.seconds is not None:
            found[at].append(each.seconds)
    return found


_ADJECTIVES = (
    "able amber ample azure bold brave breezy bright brisk calm candid clever "
    "copper coral cosy crisp daring deft eager early fair fancy fleet fond frank "
    "fresh gentle glad golden grand green happy hardy honest humble ivory jolly "
    "keen kind lively loyal lucky mellow merry mighty mild misty modest neat "
    "nimble noble patient placid plucky polite proud quick quiet rapid ready "
    "regal rosy rustic sage scarlet silent silver sleek smart snowy sober solid "
    "spry steady stout sunny swift tidy tranquil trusty upbeat valiant velvet "
    "vivid warm wary wise witty young zesty"
)
_ANIMALS = (
    "adder albatross alpaca badger bat bear beaver bee bison boar buzzard camel "
    "carp cat cobra condor cormorant crab crane cricket crow curlew deer dolphin "
    "dove eagle eel egret elk falcon ferret finch fox frog gannet gazelle goat "
    "goose grouse gull hare hawk hedgehog heron herring hornet horse hound ibex "
    "ibis jackal jackdaw jay kestrel kite koala lark lemur leopard linnet lion "
    "lizard llama lobster lynx magpie mallard marmot marten mole moose moth "
    "mouse newt osprey otter owl panda panther parrot pelican penguin perch pike "
    "plover pony puffin puma quail rabbit raven robin rook salmon seal shrew "
    "shrike snail snipe sparrow spider stag starling stoat stork swallow swan "
    "swift tern thrush tiger toad trout turtle viper vole walrus wasp weasel "
    "whale wolf wombat wren yak zebra"
)
_COUNT = re.compile(r"(?<![0-9A-Za-z])(\d{1,6})\Z", re.ASCII)
"""The number of a game that its server or its tournament counted."""


NUMBERS = 100
"""The number of numbers that a name may end with if the id has none."""


def game_name(game: str) -> str:
    """Return the name of the game with that id.

    It ends with the number with which the id ends, if there is one.
    """
    adjectives, animals = _ADJECTIVES.split(), _ANIMALS.split()
    digest = sha256(game.encode(errors="surrogatepass")).digest()
    first, second, third = (
        int.from_bytes(digest[at : at + 4], "big") for at in (0, 4, 8)
    )
    counted = _COUNT.search(game)
    number = int(counted[1]) if counted else third % NUMBERS
    adjective = adjectives[first % len(adjectives)]
    return f"{adjective}-{animals[second % len(animals)]}-{number}"


_Place = tuple[Power, UnitType, Province]


class UnitNumbers(Struct, frozen=True):
    """The number of each unit of a position, and the next number that is free."""

    numbers: Mapping[Unit, int]
    free: int


def first_numbers(position: Position) -> UnitNumbers:
    """Return the numbers of the units in the first position of a game."""
    units = (*position.units, *position.dislodged)
    return UnitNumbers({unit: at for at, unit in enumerate(units, 1)}, len(units) + 1)


def next_numbers(
    before: UnitNumbers, reports: Iterable[Report], after: Position
) -> UnitNumbers:
    """Return the numbers of the units in *after*, the position after *reports*."""
    known = _expected(before.numbers, reports)
    numbers, free = dict[Unit, int](), before.free
    for unit in (*after.units, *after.dislodged):
        number = known.pop(_place(unit), None)
        if number is None:
            number, free = free, free + 1
        numbers[unit] = number
    return UnitNumbers(numbers, free)


def _expected(
    numbers: Mapping[Unit, int], reports: Iterable[Report]
) -> dict[_Place, int]:
    """Return the number that is expected at each place after *reports*."""
    moved = {
        report.order.unit: report.order.destination.province
        for report in reports
        if isinstance(report.order, Move | ConvoyedMove | Retreat)
        and report.result is OrderResult.SUCCEEDED
    }
    return {
        (unit.power, unit.type, moved.get(unit, unit.province)): number
        for unit, number in numbers.items()
    }


def _place(unit: Unit) -> _Place:
    return unit.power, unit.type, unit.province
