"""The report as rows, as JSON, and as a summary by level. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from .judging import NOT_PASSED, SceneResult
from .scene_findings import SceneVerdict

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
