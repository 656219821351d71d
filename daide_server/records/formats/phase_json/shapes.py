"""The shape of the files, by the document of dipcc's game format.

There are structs for what is read, for what is written, and for our key `daide`. A
file that is read may have more keys, of any type. A `Dialect` has the differences
between the programs.
"""

from collections.abc import Mapping
from typing import Annotated

from attrs import field, frozen
from msgspec import UNSET, Meta, Struct, UnsetType

from daide_server.records.formats.errors import MAX_NAME_LENGTH
from daide_server.usage import Usage

from .position_state import KeptState, State


@frozen
class Dialect:
    """What one program expects in a file.

    `everybody` is the recipient of public press, `stamps` the units of a time stamp per
    second, `maps` the program's names of our variants, `scoring` the systems that it
    can read (`None`: all in dipcc's document), `keyed_messages` whether messages are an
    object by time stamp.
    """

    everybody: str
    stamps: int
    maps: Mapping[str, str] = field(factory=dict)
    scoring: frozenset[str] | None = None
    keyed_messages: bool = False


GameText = Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
"""The name of a game or of a client."""

Texts = tuple[str, ...]
"""An array in a file that is read: most results are empty, and no objects then."""

Stamp = Annotated[float, Meta(ge=-1e18, le=1e18)]
"""A time in seconds, or in the unit of another program."""


class Agent(Struct, omit_defaults=True):
    """A player of a power, with the times of joining and leaving.

    The last three are of tournaments: see `records.record.Sitting`.
    """

    power: str
    name: GameText
    version: GameText
    since: Stamp
    until: Stamp | None
    forfeit: GameText | None = None
    stand_in: bool = False
    entrant: GameText = ""


class GameExtension(Struct):
    """The data of a game that dipcc's file lacks.

    `points` are exact, by the scoring system that the metadata name.
    """

    schema: int
    edition: str
    level: int
    started: Stamp
    ending: str | None
    winners: list[str]
    ended: Stamp | None
    agents: list[Agent]
    foreign: bool = False
    variant: str = ""
    last: str = ""
    points: dict[str, str] = {}


class RefusedOrderShape(Struct):
    """An order that was refused: where its unit is, its DAIDE text, and why."""

    at: str
    order: str
    note: str


class TallyShape(Struct, omit_defaults=True):
    """The faults and times of the player of a power in a phase.

    `think` has the median and the longest time, in seconds; `last_huh` is the last HUH
    or PRN. `usage` is what its bot reported.
    """

    refused: int = 0
    huh: int = 0
    last_huh: str = ""
    late: int = 0
    silent: bool = False
    think: tuple[float, float] | None = None
    orders: list[RefusedOrderShape] = []
    usage: Usage | None = None


class ComputedWords(Struct):
    """Words for the units that the record has no results of."""

    source: str
    words: dict[str, list[str]]


class PhaseExtension(Struct, omit_defaults=True):
    """The data of a phase that dipcc's file lacks.

    `routes` are those that armies named, `waives` the builds that powers declined,
    `notes` say why orders could not be carried out, `players` has their tallies.
    `results` are written for others, and not read: they are computed again.
    """

    seconds: Stamp | None
    played: bool = True
    routes: dict[str, list[str]] = {}
    waives: dict[str, int] = {}
    notes: dict[str, str] = {}
    players: dict[str, TallyShape] | None = None
    results: ComputedWords | None = None


class MessageExtension(Struct, omit_defaults=True):
    """The fields of press that dipcc's message lacks.

    `to` are all recipients of the press, `seq` its number in the game, `seconds`
    when it was sent, `powers` those who would share a draw.
    """

    seconds: Stamp | None
    seq: int
    to: list[str] | UnsetType = UNSET
    powers: list[str] | UnsetType = UNSET


class ReadMessage(Struct):
    """A message in a file; fields may be missing."""

    sender: str
    recipient: str
    message: str
    phase: str | None = None
    time_sent: Stamp | None = None
    daide: MessageExtension | None = None


class ReadState(KeptState, kw_only=True):
    """The state of a phase: the keys that are read."""

    units: dict[str, Texts]
    centers: dict[str, Texts]
    # Each struct gets an empty object of its own.
    retreats: dict[str, dict[str, list[str]] | list[str]] = {}  # noqa: RUF012


class ReadPhase(Struct):
    """A phase: the keys that are read."""

    name: str
    state: ReadState
    orders: dict[str, Texts | None] | None = None
    results: dict[str, Texts] | None = None
    messages: list[ReadMessage] | dict[str, ReadMessage] | None = None
    phase_start_time: Stamp | None = None
    daide: PhaseExtension | None = None


class ReadGame(Struct, kw_only=True):
    """A file: the keys that are read."""

    phases: list[ReadPhase]
    id: GameText | None = None
    game_id: GameText | None = None
    map: str = "standard"
    metadata: dict[str, object] | None = None
    scoring_system: object = None
    rules: list[str] | None = None
    daide: GameExtension | None = None


class WrittenMessage(Struct):
    """A message as the file has it."""

    phase: str
    sender: str
    recipient: str
    time_sent: int
    message: str
    daide: MessageExtension


class WrittenPhase(Struct):
    """A phase as the file has it."""

    name: str
    phase_start_time: int | UnsetType
    messages: list[WrittenMessage] | dict[str, WrittenMessage]
    orders: dict[str, list[str]]
    results: dict[str, list[str]]
    state: State
    daide: PhaseExtension


class WrittenGame(Struct):
    """The file."""

    version: str
    id: str
    is_full_press: bool
    map: str
    scoring_system: str
    rules: list[str]
    metadata: dict[str, str]
    phases: list[WrittenPhase]
    daide: GameExtension


def messages_in(phase: ReadPhase) -> list[ReadMessage]:
    """Return the messages of *phase*; dipcc's document shows an object of them."""
    if isinstance(phase.messages, dict):
        return list(phase.messages.values())
    return phase.messages or []


def retreats_in(phase: ReadPhase) -> dict[str, dict[str, list[str]]]:
    """Return the retreats by power.

    dipcc's document shows them by unit only; the power is that of the starred unit.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for key, value in phase.state.retreats.items():
        if isinstance(value, dict):
            found[key] = value
            continue
        for power, units in phase.state.units.items():
            if f"*{key}" in units:
                found.setdefault(power, {})[key] = value
    return found
