"""A scene: a value, a function that plays it, and one that judges it. Pure.

A `SceneGroup` lists the scenes of a group. A scene says something only if its control
passes: the same scene without what provokes the fault. A failure counts only if it
occurs again. Below are the judgements that scenes share, and positions as text.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import Enum
from functools import partial, wraps
from typing import Final, TypedDict, TypeVar, Unpack

from attrs import frozen

from daide_server.board.map import Phase, Position, Turn, Variant
from daide_server.board.names import Power, Province, Unit
from daide_server.board.notation import COMMON, Reader
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.game.options import GameOptions
from daide_server.text.turn_report import NOTE_TEXTS

from .conversation import BotConversation, Override
from .scene_log import SceneLog, TurnSeen
from .scripted_game import USUAL_SETUP, SceneSetup

# Findings of judges


class SceneVerdict(Enum):
    """The verdict of a scene; the value is the word in the report."""

    PASSES = "passes"
    DIFFERS = "differs"
    FAILS = "fails"
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


NOT_PASSED = frozenset({SceneVerdict.DIFFERS, SceneVerdict.FAILS})


@frozen
class SceneFinding:
    """A verdict, and what the bot did, in a few words."""

    verdict: SceneVerdict
    did: str

    @property
    def has_passed(self) -> bool:
        """Return whether the bot did what was expected."""
        return self.verdict is SceneVerdict.PASSES


passes = partial(SceneFinding, SceneVerdict.PASSES)
"""Returns the finding that the bot did what was expected."""
differs = partial(SceneFinding, SceneVerdict.DIFFERS)
"""Returns the finding that the bot did something wrong that servers tolerate."""
fails = partial(SceneFinding, SceneVerdict.FAILS)
"""Returns the finding that the bot broke a rule that servers rely on."""
not_reached = partial(SceneFinding, SceneVerdict.NOT_REACHED)
"""Returns the finding that the provocation could not be made."""


# Scenes

PlayScene = Callable[[BotConversation], Awaitable[object]]
JudgeScene = Callable[[SceneLog], SceneFinding]


@frozen
class BotScene:
    """A provocation of a bot, and what is expected of it."""

    group: str
    name: str
    expected: str
    section: str
    """The section of a document: MS is Message Syntax, CS Client-Server Protocol."""
    play: PlayScene
    judge: JudgeScene
    setup: SceneSetup = USUAL_SETUP
    control: str = "second-turn"
    """The scene without the provocation; if that fails, this one is not reached."""
    needs_pass: bool = False
    """Whether the control must pass; else it is enough that it has not failed."""
    fault: int | None = None
    """The number in the list of known faults, see docs/examine.md."""
    is_shared: bool = False
    """Whether it can be played after others in the same start of the bot."""
    joins: bool = True
    """Whether the bot has joined before `play` is called."""
    is_timing: bool = False
    """Whether a failure counts only if it happens three times out of three."""
    starts: int = 1
    """The number of starts, one after the other, in each of which it must pass."""
    is_long: bool = False
    """Whether it takes a minute or more, and is played only with --thorough."""
    lines_only: bool = False
    """Whether it is only for bots that speak JSON lines."""
    needs_process: bool = False
    """Whether it looks at the bot's processes."""

    @property
    def level(self) -> int:
        """Return the lowest level of the language at which it can occur."""
        return self.setup.options.level


# The table of scenes

PlayT = TypeVar("PlayT", bound=PlayScene)
MessageT = TypeVar("MessageT", bound=ClientMessage)
BUSY_SHARE = 0.5
"""The share of a processor above which a bot is computing, not waiting."""


class SceneFields(TypedDict, total=False):
    """The fields of a `BotScene` that have a default, as keyword arguments."""

    setup: SceneSetup
    control: str
    needs_pass: bool
    fault: int | None
    is_shared: bool
    joins: bool
    is_timing: bool
    starts: int
    is_long: bool
    lines_only: bool
    needs_process: bool


class SceneGroup:
    """Lists the scenes of one group; called with a row, it returns a decorator."""

    listed: Final[list[BotScene]] = []
    """The scenes of all groups, in the order of their modules."""

    def __init__(self, group: str, **usual: Unpack[SceneFields]) -> None:
        """Take the fields that most scenes of the group have in common."""
        self._group: Final = group
        self._usual: Final = usual

    def __call__(
        self, row: str, judge: JudgeScene | None = None, **fields: Unpack[SceneFields]
    ) -> Callable[[PlayT], PlayT]:
        """Return a decorator that lists a scene; it may stand more than once.

        *row* is `name | expected | section`, or `name | expected`.
        """
        name, expected, section = (*row.split(" | "), "")[:3]
        found: SceneFields = {**self._usual, **fields}

        def listed(play: PlayT) -> PlayT:
            texts = self._group, name, expected, section
            self.listed.append(BotScene(*texts, play, judge or ordered, **found))
            return play

        return listed


def at_level(level: int) -> SceneSetup:
    """Return the setup of a game at *level*."""
    return SceneSetup(options=GameOptions(level=level))


# Playing

Step = Callable[[BotConversation], Awaitable[object] | None]
"""A step of a scene: a call, whose result is awaited if there is one."""
FRESH = BotConversation.fresh
ORDERS = BotConversation.orders
FRESH_ORDERS = BotConversation.fresh_orders


def steps(*taken: Step) -> PlayScene:
    """Return a scene that takes these steps, one after the other."""

    async def play_all(play: BotConversation) -> None:
        for step in taken:
            waiting = step(play)
            if waiting is not None:
                await waiting

    return play_all


def says(*sent: ServerMessage) -> Step:
    """Return the step that sends messages, in one piece."""
    return lambda play: play.say(*sent)


def answering(
    kind: type[MessageT], answer: Callable[[MessageT], ServerMessage]
) -> Override:
    """Return answers to messages of one *kind*; the game answers all others."""
    return lambda message: [answer(message)] if isinstance(message, kind) else None


def tells(*texts: str) -> Step:
    """Return the step that sends messages that are given as text."""
    return lambda play: play.say_text(*texts)


def pauses(seconds: float) -> Step:
    """Return the step that lets time pass."""
    return lambda play: play.sleep(seconds)


async def turns(play: BotConversation, number: int) -> None:
    """Play *number* turns, the current one first; stop when one is not complete."""
    for _ in range(number):
        if not (await play.orders()).is_complete:
            return
        play.end_turn()


# Judging


def trouble(log: SceneLog) -> SceneFinding | None:
    """Return what ended the scene early: no YES (MAP), or a lost bot."""
    if log.lost is not None and log.lost.fault:
        return fails(f"broke the protocol: {log.lost.fault}")
    if log.exit is not None:
        return fails(log.exit.text)
    if log.lost is not None:
        return fails("closed the connection")
    if not log.is_joined:
        return fails(f"did not accept the map: {log.last_words}")
    return None


def ordered(log: SceneLog) -> SceneFinding:
    """Judge that the bot is still there, and has ordered all that was due."""
    found = trouble(log)
    if found is not None:
        return found
    if not log.turns:
        return fails(f"did not order in time; {log.last_words}")
    last = log.turns[-1]
    if not last.is_complete:
        return fails(f"{_incomplete(last)}; {last.unfinished or log.last_words}")
    return passes(f"{last.due} orders after {last.seconds:.2f} s")


def if_ordered(judge: JudgeScene) -> JudgeScene:
    """Return *judge* for scenes in which all was ordered, and else `ordered`."""

    @wraps(judge)
    def judged(log: SceneLog) -> SceneFinding:
        found = ordered(log)
        return judge(log) if found.has_passed else found

    return judged


@if_ordered
def ordered_legally(log: SceneLog) -> SceneFinding:
    """Judge that all was understood, and nothing was refused."""
    if log.unreadable:
        text = log.unreadable[0].text
        return fails(f"sent what is no message at the level of the game: {text}")
    refusals = list(log.first_refusals())
    if not refusals:
        return ordered(log)
    notes = {each.note for each in refusals}
    whys = sorted(f"{note.value} ({NOTE_TEXTS[note]})" for note in notes)
    did = f"{ordered(log).did}; {len(refusals)} refused: {', '.join(whys)}"
    return differs(did)


def _incomplete(seen: TurnSeen) -> str:
    missing = f"{seen.missing} of {seen.due} orders missing after {seen.limit:g} s"
    state = ", busy" if seen.busy > BUSY_SHARE else ", waiting"
    return f"{missing} in {seen.turn}{state if seen.busy else ''}"


def should(judge: JudgeScene) -> JudgeScene:
    """Return *judge* for behaviour that is recommended only: a failure differs."""

    def judged(log: SceneLog) -> SceneFinding:
        found = judge(log)
        return differs(found.did) if found.verdict is SceneVerdict.FAILS else found

    return judged


# Positions of scenes, written as `FRA A PAR` and `FRA PAR BRE`


def position(
    variant: Variant,
    turn: Turn,
    units: Iterable[str],
    owned: Mapping[str, str] = {},
    retreats: Mapping[str, str] = {},
) -> Position:
    """Return a position with *units*, and dislodged ones with their *retreats*.

    Powers in *owned* have the centres that it names; the others stay with their first
    owner.
    """
    board, reader = variant.map, Reader(COMMON, variant.map, {}, Phase.MOVEMENT)
    owners = dict(variant.start.owners)
    for power, centres in owned.items():
        owners |= {Province(each): Power(power) for each in centres.split()}
    placed = [_unit(reader, each) for each in units]
    dislodged = {
        _unit(reader, unit): tuple(map(reader.location, places.split()))
        for unit, places in retreats.items()
    }
    return Position(
        turn,
        tuple(sorted(placed, key=board.sort_key)),
        {at: owners[at] for at in board.provinces if at in owners},
        {each: dislodged[each] for each in sorted(dislodged, key=board.sort_key)},
    )


def _unit(reader: Reader, text: str) -> Unit:
    power, _, unit = text.partition(" ")
    return reader.unit(unit, Power(power))
