"""A scene: a value, with a function that plays it and one that judges it. Pure.

A scene says something only if its control passes: the same scene without what provokes
the fault. A failure that does not come again is none.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Final

from attrs import frozen

from .conversation import BotConversation
from .scene_log import SceneLog
from .scripted_game import USUAL_SETUP, SceneSetup

# What a judge can say of a scene


class SceneVerdict(Enum):
    """What a scene says of a bot; the value is the word of the report."""

    PASSES = "passes"
    DIFFERS = "differs"
    FAILS = "fails"
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


NOT_PASSED: Final = frozenset({SceneVerdict.DIFFERS, SceneVerdict.FAILS})
CONTROL_MET: Final = frozenset({SceneVerdict.PASSES, SceneVerdict.DIFFERS})
SEVERITY: Final = (
    SceneVerdict.PASSES,
    SceneVerdict.NOT_REACHED,
    SceneVerdict.DIFFERS,
    SceneVerdict.FAILS,
    SceneVerdict.NOT_RUN,
)
"""The verdicts, from the best to the worst."""


@frozen
class SceneFinding:
    """A verdict, and what the bot did, in a few words."""

    verdict: SceneVerdict
    did: str

    @property
    def has_passed(self) -> bool:
        """Return whether the bot did what was expected."""
        return self.verdict is SceneVerdict.PASSES


def passes(did: str) -> SceneFinding:
    """Return that the bot did what was expected."""
    return SceneFinding(SceneVerdict.PASSES, did)


def differs(did: str) -> SceneFinding:
    """Return that the bot did what it should not do, and a server tolerates."""
    return SceneFinding(SceneVerdict.DIFFERS, did)


def fails(did: str) -> SceneFinding:
    """Return that the bot broke what its authors and servers must rely on."""
    return SceneFinding(SceneVerdict.FAILS, did)


def not_reached(did: str) -> SceneFinding:
    """Return that nothing can be said: the provocation did not come about."""
    return SceneFinding(SceneVerdict.NOT_REACHED, did)


# Scenes

PlayScene = Callable[[BotConversation], Awaitable[None]]
JudgeScene = Callable[[SceneLog], SceneFinding]


@frozen
class BotScene:
    """What is done to a bot, and what is expected of it."""

    group: str
    name: str
    expected: str
    section: str
    """The section of a document: MS is Message Syntax, CS Client-Server Protocol."""
    play: PlayScene
    judge: JudgeScene
    level: int = 0
    """The lowest level of the language at which it can occur."""
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


# Results, and what they count for

TIMING_TRIES: Final = 3
"""Tries, one after the other, in all of which a fault of timing must show."""
TRIES: Final = 2
"""Tries for any other fault: it must show again in a start of its own."""


@frozen
class SceneResult:
    """What the report says about one scene."""

    scene: BotScene
    finding: SceneFinding
    last_words: str = ""
    """What the bot printed last, if it did not pass."""
    figures: Mapping[str, float] = {}
    fell_silent: bool = False
    """It sent NME, stayed, and was waited for in vain: RM did not come too early."""
    trace: Path | None = None
    """The file with the conversation, if conversations are kept."""

    @property
    def verdict(self) -> SceneVerdict:
        """Return the verdict."""
        return self.finding.verdict

    @property
    def did(self) -> str:
        """Return what the bot did, with what it printed last if it did not pass."""
        printed = self.last_words.strip().splitlines()[-1:]
        if self.verdict not in NOT_PASSED or not printed:
            return self.finding.did
        return f"{self.finding.did}; it printed: {printed[0]}"


def settled(results: Sequence[SceneResult]) -> SceneResult:
    """Return the result that counts after several tries: the best."""
    return min(results, key=lambda each: SEVERITY.index(each.verdict))


def needs_another_start(results: Sequence[SceneResult]) -> bool:
    """Return whether a scene that has passed must pass in more starts."""
    last = results[-1]
    return last.finding.has_passed and len(results) < last.scene.starts


def needs_another_try(results: Sequence[SceneResult]) -> bool:
    """Return whether the scene is to be played again."""
    last = results[-1]
    tries = TIMING_TRIES if last.scene.is_timing else TRIES
    if last.scene.starts > 1 or len(results) >= tries:
        return False
    # What happened before it in the same start may be the reason.
    is_shared = last.scene.is_shared and last.verdict is SceneVerdict.DIFFERS
    return is_shared or last.verdict is SceneVerdict.FAILS


def is_control_met(scene: BotScene, verdicts: Mapping[str, SceneVerdict]) -> bool:
    """Return whether the scene without the provocation has shown what it must."""
    enough = {SceneVerdict.PASSES} if scene.needs_pass else CONTROL_MET
    return not scene.control or verdicts[scene.control] in enough


def with_controls(
    chosen: Iterable[BotScene], known: Mapping[str, BotScene]
) -> list[BotScene]:
    """Return the scenes with all that they have as controls, controls first."""
    found: dict[str, BotScene] = {}

    def add(scene: BotScene) -> None:
        if scene.control:
            add(known[scene.control])
        found.setdefault(scene.name, scene)

    for each in chosen:
        add(each)
    return list(found.values())


def ready(waiting: Iterable[BotScene], decided: Collection[str]) -> list[BotScene]:
    """Return the scenes whose controls are decided."""
    return [each for each in waiting if not each.control or each.control in decided]
