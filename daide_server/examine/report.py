"""The report of an examination: rows, JSON, HTML, a badge, and what to fix first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from attrs import frozen

from .scene import NOT_PASSED, BotScene, SceneFinding, SceneVerdict


@frozen
class SceneResult:
    """The row of the report for one scene."""

    scene: BotScene
    finding: SceneFinding
    last_words: str = ""
    """The last output of the bot, if it did not pass."""
    figures: Mapping[str, float] = {}
    fell_silent: bool = False
    """Whether it sent NME, stayed and did nothing more: RM did not come too early."""
    trace: Path | None = None
    """The file with the conversation, if conversations are kept."""

    @property
    def verdict(self) -> SceneVerdict:
        """Return the verdict."""
        return self.finding.verdict

    @property
    def did(self) -> str:
        """Return what the bot did, with its last output if it did not pass."""
        printed = self.last_words.strip().splitlines()[-1:]
        if self.verdict not in NOT_PASSED or not printed:
            return self.finding.did
        return f"{self.finding.did}; it printed: {printed[0]}"


COLUMNS_OF_REPORT = ("scene", "expected", "section", "did", "verdict")
FIRST = 3
"""The most faults that `first_lines` names."""


def row(result: SceneResult) -> tuple[str, ...]:
    """Return the cells of a scene, in the order of `COLUMNS_OF_REPORT`."""
    scene = result.scene
    did, verdict = result.did, result.verdict.value
    return scene.name, scene.expected, scene.section, did, verdict


def not_passed(results: Iterable[SceneResult]) -> list[SceneResult]:
    """Return the scenes that failed or differ."""
    return [each for each in results if each.verdict in NOT_PASSED]


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
        "trace": None if result.trace is None else str(result.trace),
    }


# The end of the report


def first_lines(results: Sequence[SceneResult]) -> Iterator[str]:
    """Yield a line for each of the few faults that are worth fixing first.

    A control comes before the scenes that it hides, a failure before a difference, and
    of two failures the one that keeps more scenes from being reached.
    """
    hidden = Counter(
        each.scene.control
        for each in results
        if each.verdict is SceneVerdict.NOT_REACHED
    )
    in_order = sorted(
        not_passed(results),
        key=lambda each: (
            each.verdict is not SceneVerdict.FAILS,
            -hidden[each.scene.name],
        ),
    )
    for number, each in enumerate(in_order[:FIRST], 1):
        scene = each.scene
        section = f" ({scene.section})" if scene.section else ""
        count = hidden[scene.name]
        hides = f"; scenes not reached without it: {count}" if count else ""
        trace = f"; see {each.trace}" if each.trace else ""
        yield f"{number}. {scene.name}: {scene.expected}{section}{hides}{trace}"


def level_lines(results: Sequence[SceneResult]) -> Iterator[str]:
    """Yield a line for each level of the language: how many scenes came out how."""
    levels: defaultdict[int, list[SceneResult]] = defaultdict(list)
    for each in results:
        levels[each.scene.level].append(each)
    for level, found in sorted(levels.items()):
        yield f"level {level}: {_counts(found)}"


def summary_line(results: Sequence[SceneResult]) -> str:
    """Return the number of scenes for each verdict."""
    return f"{len(results)} scenes: {_counts(results)}"


def _counts(results: Iterable[SceneResult]) -> str:
    counts = Counter(each.verdict for each in results)
    found = ((counts[each], each.value) for each in SceneVerdict)
    return ", ".join(f"{number} {word}" for number, word in found if number)


# Files

COLOURS: Mapping[SceneVerdict, str] = {
    SceneVerdict.PASSES: "#2e7d32",
    SceneVerdict.DIFFERS: "#9a6700",
    SceneVerdict.FAILS: "#b3261e",
    SceneVerdict.NOT_REACHED: "#5f6368",
    SceneVerdict.NOT_RUN: "#5f6368",
}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Report on {command}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem;
  padding: 0 1rem; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }}
tr {{ border-top: 1px solid #ccc; }}
</style>
<h1>Report on <code>{command}</code></h1>
<p>{summary}, by daide-server {version}.</p>
{first}
<table>
{rows}
</table>
"""


def report_page(results: Sequence[SceneResult], command: str, version: str) -> str:
    """Return the report as a page of HTML without any other file."""
    titles = "".join(f"<th>{each}</th>" for each in COLUMNS_OF_REPORT)
    items = "".join(f"<li>{escape(each[3:])}</li>" for each in first_lines(results))
    return PAGE.format(
        command=escape(command),
        summary=summary_line(results),
        version=escape(version),
        first=f"<h2>Fix first</h2>\n<ol>{items}</ol>" if items else "",
        rows="\n".join([f"<tr>{titles}</tr>", *map(_table_row, results)]),
    )


def _table_row(result: SceneResult) -> str:
    *cells, verdict = map(escape, row(result))
    plain = "".join(f"<td>{cell}</td>" for cell in cells)
    colour = COLOURS[result.verdict]
    return f'<tr>{plain}<td style="color: {colour}">{verdict}</td></tr>'


BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20"
 role="img" aria-label="DAIDE: {words}"><title>DAIDE: {words}</title>
<rect width="{width}" height="20" rx="3" fill="#444"/>
<rect x="50" width="{right}" height="20" rx="3" fill="{colour}"/>
<g fill="#fff" font-family="Verdana, sans-serif" font-size="11">
<text x="6" y="14">DAIDE</text><text x="57" y="14">{words}</text></g></svg>
"""
CHARACTER_WIDTH = 7
"""The approximate width of a character of the badge, in pixels."""


def badge(results: Sequence[SceneResult]) -> str:
    """Return a badge in SVG: how many of the decided scenes passed."""
    counts = Counter(each.verdict for each in results)
    passed = counts[SceneVerdict.PASSES]
    decided = passed + counts[SceneVerdict.DIFFERS] + counts[SceneVerdict.FAILS]
    worst = SceneVerdict.PASSES if passed == decided else SceneVerdict.DIFFERS
    worst = SceneVerdict.FAILS if counts[SceneVerdict.FAILS] else worst
    words = f"{passed} of {decided} scenes"
    right = CHARACTER_WIDTH * len(words) + 14
    colour = COLOURS[worst]
    return BADGE.format(width=50 + right, right=right, words=words, colour=colour)
