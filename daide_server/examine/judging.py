"""What the findings of a scene count for. Pure.

A scene says something only if its control passes: the same scene without what provokes
the fault. A failure that does not come again is none.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from daide_server.classes import frozen

from .bot_scene import BotScene, SceneFinding, SceneVerdict, not_reached

TIMING_TRIES: Final = 3
"""A fault of timing must show so often, one try after the other."""
TRIES: Final = 2
"""Any other fault must show again in a start of its own."""
NOT_PASSED: Final = frozenset({SceneVerdict.DIFFERS, SceneVerdict.FAILS})
CONTROL_MET: Final = frozenset({SceneVerdict.PASSES, SceneVerdict.DIFFERS})
SEVERITY: Final = (
    SceneVerdict.PASSES,
    SceneVerdict.NOT_REACHED,
    SceneVerdict.DIFFERS,
    SceneVerdict.FAILS,
    SceneVerdict.NOT_RUN,
)
"""From the best to the worst."""


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

    @property
    def verdict(self) -> SceneVerdict:
        """Return the verdict."""
        return self.finding.verdict


def tries_of(scene: BotScene) -> int:
    """Return how often a scene is played until a failure counts."""
    return TIMING_TRIES if scene.is_timing else TRIES


def settled(results: Sequence[SceneResult]) -> SceneResult:
    """Return the result that counts after several tries: the best."""
    return min(results, key=lambda each: SEVERITY.index(each.verdict))


def needs_another_start(results: Sequence[SceneResult]) -> bool:
    """Return whether a scene that has passed must pass in more starts."""
    last = results[-1]
    return last.verdict is SceneVerdict.PASSES and len(results) < last.scene.starts


def needs_another_try(results: Sequence[SceneResult]) -> bool:
    """Return whether the scene is to be played again."""
    last = results[-1]
    if last.scene.starts > 1:
        return False
    if len(results) >= tries_of(last.scene):
        return False
    # What happened before it in the same start may be the reason.
    is_shared = last.scene.is_shared and last.verdict is SceneVerdict.DIFFERS
    return is_shared or last.verdict is SceneVerdict.FAILS


def is_control_met(scene: BotScene, verdicts: Mapping[str, SceneVerdict]) -> bool:
    """Return whether the scene without the provocation has shown what it must."""
    enough = {SceneVerdict.PASSES} if scene.needs_pass else CONTROL_MET
    return not scene.control or verdicts[scene.control] in enough


def without_control(
    scene: BotScene, verdicts: Mapping[str, SceneVerdict]
) -> SceneResult:
    """Return the result of a scene that says nothing."""
    word = verdicts[scene.control].value
    return SceneResult(scene, not_reached(f"{scene.control}: {word}"))


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


def has_failed(results: Iterable[SceneResult]) -> bool:
    """Return whether a scene failed; one that differs has not."""
    return any(each.verdict is SceneVerdict.FAILS for each in results)


# The report as rows, as JSON, and as a summary by level

COLUMNS_OF_REPORT: Final = ("scene", "expected", "section", "did", "verdict")
VERDICTS: Final = tuple(SceneVerdict)


def report_rows(results: Iterable[SceneResult]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each scene, in the order of `COLUMNS_OF_REPORT`."""
    for each in results:
        scene = each.scene
        yield (
            scene.name,
            scene.expected,
            scene.section,
            did_text(each),
            each.verdict.value,
        )


def did_text(result: SceneResult) -> str:
    """Return what the bot did, with what it printed last if it did not pass."""
    if not (result.verdict in NOT_PASSED and result.last_words.strip()):
        return result.finding.did
    printed = result.last_words.strip().splitlines()[-1]
    return f"{result.finding.did}; it printed: {printed}"


def result_json(result: SceneResult) -> Mapping[str, object]:
    """Return a scene and its result as an object of JSON."""
    scene = result.scene
    return {
        "scene": scene.name,
        "group": scene.group,
        "level": scene.level,
        "expected": scene.expected,
        "section": scene.section,
        "fault": scene.fault,
        "verdict": result.verdict.value.replace(" ", "_"),
        "did": result.finding.did,
        "printed": result.last_words,
        "figures": dict(result.figures),
    }


def level_lines(results: Sequence[SceneResult]) -> Iterator[str]:
    """Yield a line for each level of the language: how many scenes came out how."""
    levels: defaultdict[int, Counter[SceneVerdict]] = defaultdict(Counter)
    for each in results:
        levels[each.scene.level][each.verdict] += 1
    for level, counts in sorted(levels.items()):
        yield f"level {level}: {_counts(counts)}"


def summary_line(results: Sequence[SceneResult]) -> str:
    """Return how many scenes came out how."""
    return f"{len(results)} scenes: {_counts(Counter(r.verdict for r in results))}"


def _counts(counts: Mapping[SceneVerdict, int]) -> str:
    found = [(each, counts.get(each, 0)) for each in VERDICTS]
    return ", ".join(f"{number} {each.value}" for each, number in found if number)
