"""A scene: a value, with a function that plays it and one that judges it."""

from collections.abc import Awaitable, Callable
from enum import Enum

from daide_server.classes import frozen

from .conversation import BotConversation
from .scene_log import SceneLog
from .scene_setup import USUAL_SETUP, SceneSetup

# What a judge can say of a scene


class SceneVerdict(Enum):
    """What a scene says of a bot; the value is the word of the report."""

    PASSES = "passes"
    DIFFERS = "differs"
    FAILS = "fails"
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


@frozen
class SceneFinding:
    """A verdict, and what the bot did, in a few words."""

    verdict: SceneVerdict
    did: str


def passes(did: str) -> SceneFinding:
    """Return that the bot did what was expected."""
    return SceneFinding(SceneVerdict.PASSES, did)


def differs(did: str) -> SceneFinding:
    """Return that the bot did what a bot should not do, and a server must bear."""
    return SceneFinding(SceneVerdict.DIFFERS, did)


def fails(did: str) -> SceneFinding:
    """Return that the bot broke what its authors and servers must rely on."""
    return SceneFinding(SceneVerdict.FAILS, did)


def not_reached(did: str) -> SceneFinding:
    """Return that nothing can be said: the provocation did not come about."""
    return SceneFinding(SceneVerdict.NOT_REACHED, did)


PlayScene = Callable[[BotConversation], Awaitable[None]]
JudgeScene = Callable[[SceneLog], SceneFinding]


@frozen(kw_only=True)
class BotScene:
    """What is done to a bot, and what is expected of it."""

    name: str
    group: str
    expected: str
    section: str
    """Of which document: MS is Message Syntax, CS is Client-Server Protocol."""
    play: PlayScene
    judge: JudgeScene
    level: int = 0
    """The lowest level of the language at which it can occur."""
    setup: SceneSetup = USUAL_SETUP
    control: str = "second-turn"
    """The scene without the provocation; if that fails, this one is not reached."""
    needs_pass: bool = False
    """The control must pass; else it is enough that it has not failed."""
    fault: int | None = None
    """The number in the list of known faults, see docs/examine.md."""
    is_shared: bool = False
    """It can be played after others in the same start of the bot."""
    joins: bool = True
    """The bot has joined before `play` is called."""
    is_timing: bool = False
    """A failure counts if it happens three times out of three."""
    starts: int = 1
    """In so many starts, one after the other, it must pass."""
    is_long: bool = False
    """Takes a minute or more: only with --thorough."""
    lines_only: bool = False
    """Only for bots that speak JSON lines."""
    needs_process: bool = False
    """It looks at the bot's processes."""
