"""The commands and programs of the documents work as they stand there.

A page is run from top to bottom in a folder of its own, which looks like a checkout
with an installed program, and has some files that pages name (`snippet_desk`, in
`tests/support`). `snippets`, there too, says how a page marks what is run otherwise.
"""

import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.support.forked_program import forked_programs
from tests.support.language_model import running_model
from tests.support.needed import need_package, need_program
from tests.support.snippet_desk import PLAY, Desk, shell, surroundings
from tests.support.snippets import (
    NOT_RUN,
    PYTHON,
    SHELL,
    TOP,
    every_page,
    snippets,
)

pytestmark = pytest.mark.end_to_end

ELSEWHERE = {"operating.md"}
"""Run by a test of its own, in tests/end_to_end."""
LONG = {"tournaments.md"}
"""Its commands are in the tutorial and in README too."""
PACKAGES = {
    "environment.md": ("numpy", "pettingzoo"),
    "records.md": ("pandas", "matplotlib"),
    "pictures.md": ("cairosvg",),
}
PROGRAMS = {"page.md": ("curl",)}
"""What pages need that not every machine has."""
REASONS = {
    "needs root",
    "needs Docker",
    "needs cron",
    "needs a cluster",
    "needs two bots that differ",
    "needs a ladder",
    "installs",
    "plays at the speed of people",
    "goes on while there is a server",
    "lines out of the middle of a program",
    "run by docs/tournaments.md",
    "run by tests/cli/test_examine.py",
    "plays for minutes",
}
"""Why blocks may be left out."""


def test_every_block_is_run_or_says_why_not(
    record_property: Callable[[str, object], None],
) -> None:
    """The reasons are counted in the summary of the tests."""
    shown = [one for page in every_page() for one in snippets(page)]
    kept = Counter(one.value for one in shown if one.mark == NOT_RUN)
    record_property("blocks run", sum(one.is_run for one in shown))
    for reason, count in sorted(kept.items()):
        record_property(f"not run, {reason}", count)
    assert set(kept) == REASONS


@pytest.mark.parametrize("name", PACKAGES)
def test_a_page_says_how_to_install_what_it_needs(name: str) -> None:
    """An extra of ours has it, or it is named beside the extra."""
    (page,) = [page for page in every_page() if page.name == name]
    (words,) = re.findall(r"pip install (.+)", page.read_text("utf-8"))
    (extra,) = re.findall(r"\[(\w+)\]", words)
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    installed = " ".join((words, *project["optional-dependencies"][extra]))
    for package in PACKAGES[name]:
        assert package in installed


@pytest.mark.parametrize("page", every_page(), ids=lambda page: page.name)
def test_a_page_of_games_is_there_after_the_last(page: Path) -> None:
    """With `--games`, a server ends some seconds after its bots, and its page too."""
    for snippet in snippets(page):
        for line in re.findall("serve .*--web.*", snippet.code):
            assert "--games" not in line


@pytest.mark.parametrize("page", every_page(), ids=lambda page: page.name)
def test_no_block_is_overlooked(page: Path) -> None:
    """However it is indented or fenced, and each mark has its block."""
    text, found = page.read_text("utf-8"), snippets(page)
    fences = re.findall(r"(?m)^\s*[`~]{3,}\s*\{?(?:sh|bash|shell|python)\b", text)
    named = [one for one in found if one.language in (SHELL, PYTHON)]
    assert len(fences) == len(named)
    marks = re.findall(r"<!-- (?:not run|file|goes on)\b", text)
    assert len(marks) == sum(bool(one.mark) for one in found)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with the programs, and with what they made of `PLAY`."""
    folder = tmp_path_factory.mktemp("snippets")
    with forked_programs(folder) as found:
        made = folder / "given"
        made.mkdir()
        shell(PLAY.format(made), folder, surroundings(found))
        yield found


def tried_pages() -> Iterator[ParameterSet]:
    """Yield the pages with blocks that are run here."""
    for page in every_page():
        is_tried = any(one.is_run for one in snippets(page))
        if is_tried and page.name not in ELSEWHERE:
            marks = [pytest.mark.long] if page.name in LONG else []
            yield pytest.param(page, marks=marks, id=page.name)


@pytest.mark.parametrize("page", [*tried_pages()])
def test_the_blocks_of_a_page_work(page: Path, programs: Path, tmp_path: Path) -> None:
    """From top to bottom, each in the folder as the ones before it left it."""
    for package in PACKAGES.get(page.name, ()):
        need_package(package)
    for program in PROGRAMS.get(page.name, ()):
        need_program(program)
    with ExitStack() as stack:
        desk = Desk(tmp_path, programs, stack)
        if page.name == "models.md":
            desk.environment |= stack.enter_context(running_model())
        for snippet in snippets(page):
            try:
                desk.take(snippet)
            except (AssertionError, subprocess.TimeoutExpired) as fault:
                pytest.fail(f"{snippet.page}:{snippet.line}\n{snippet.code}\n{fault}")
