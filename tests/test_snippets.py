"""The commands and programs of the documents work as they stand there.

A page is run from top to bottom in a folder of its own, which looks like a checkout
with an installed program, and has some files that pages name. `snippets`, in
`tests/support`, says how a page marks what is run otherwise.
"""

import os
import re
import shutil
import signal
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from attrs import Factory, define, field

from tests.support import snippets
from tests.support.forked_program import FORKED, forked_programs
from tests.support.language_model import running_model
from tests.support.needed import need_package, need_program

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


PATIENCE = 120
CHECKOUT = ("config", "docs", "examples", "maps", "tools")
"""Folders of the repository that commands name."""
FOREIGN_BOT = """#!/bin/sh
for word; do
    case $word in
        -i*) host=${word#-i} ;;
        -p*) port=${word#-p} ;;
    esac
done
exec daide-server bot hold --host "${host:-127.0.0.1}" --port "$port"
"""
"""What stands for a bot of somebody else."""
GIVEN = {
    "position.json": '{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}',
    "mybot": FOREIGN_BOT,
    "old": FOREIGN_BOT,
    "new": FOREIGN_BOT,
    "newbot": FOREIGN_BOT,
}
"""Files that a reader has; besides, records/game.json and mine.toml."""
PLAY = (
    "daide-server play --year-limit 1903 --seed 3 && mv records/*.json {0}/game.json\n"
    "daide-server maps convert sailho {0}/mine.toml --to toml\n"
)
SHRUNK = (
    (
        "tournament new cup",
        "tournament new cup && sed -i.whole 's/= 42 /= 1 /; s/1910/1901/' cup/*.toml",
    ),
    ("again cup 17", "again cup 1"),
    ("--games 42", "--games 1 --year-limit 1901"),
    ("--year-limit 1910", "--year-limit 1902"),
    ("games = 84", "games = 14"),
    ("year_limit = 1910", "year_limit = 1901"),
)
"""What is played shorter than the page says, and how."""


def surroundings(programs: Path) -> dict[str, str]:
    path = f"{programs}{os.pathsep}.{os.pathsep}{os.environ['PATH']}"
    kept = {key: os.environ[key] for key in ("HOME", "TMPDIR") if key in os.environ}
    fixed = {FORKED: "1", "PYTHONPATH": str(snippets.TOP), "MPLBACKEND": "agg"}
    return {"PATH": path, **fixed, **kept}


def shell(code: str, folder: Path, environment: dict[str, str]) -> None:
    """Run *code*, which has to succeed."""
    done = subprocess.run(
        ["/bin/sh", "-euc", code],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "Traceback" not in done.stdout, done.stdout


@define
class Desk:
    """Where a page is tried: a folder, the programs, and servers that go on."""

    folder: Path
    programs: Path
    stack: ExitStack
    port: str = "16713"
    web: str = "8080"
    files: dict[str, str] = Factory(dict)
    environment: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Lay out what a reader has."""
        for name in CHECKOUT:
            (self.folder / name).symlink_to(snippets.TOP / name)
        (self.folder / ".venv").mkdir()
        (self.folder / ".venv" / "bin").symlink_to(self.programs)
        for name, text in GIVEN.items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        made = self.programs.parent / "given"
        shutil.copy(made / "mine.toml", self.folder)
        (self.folder / "records").mkdir()
        shutil.copy(made / "game.json", self.folder / "records")
        self.environment = surroundings(self.programs)

    def take(self, snippet: snippets.Snippet) -> None:
        """Run a block, or keep it as the file that it is."""
        code = self.here(snippet.code)
        if snippet.mark == snippets.FILE:
            self.files[snippet.value] = snippet.code
            self.keep_files()
        elif snippet.mark == snippets.GOES_ON:
            self.serve(snippet.code)
        elif snippet.is_run and snippet.language == snippets.PYTHON:
            (self.folder / "snippet.py").write_text(code)
            shell("python snippet.py", self.folder, self.environment)
        elif snippet.is_run:
            shell(code, self.folder, self.environment)

    def here(self, code: str) -> str:
        """Return *code* with the ports that there are, and shrunk."""
        code = code.replace("16713", self.port).replace("8080", self.web)
        for long, short in SHRUNK:
            code = code.replace(long, short)
        return code

    def keep_files(self) -> None:
        """Write the files that the page has shown so far."""
        for name, code in self.files.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.here(code))

    def serve(self, code: str) -> None:
        """Start a server on ports that are free, and note them."""
        free = code.replace(":8080", ":0")
        if " watch" in code and ":8080" not in code:
            free = f"{code.rstrip()} --web 127.0.0.1:0"  # else it takes 8080
        process = subprocess.Popen(
            ["/bin/sh", "-euc", free],
            cwd=self.folder,
            env={**self.environment, "DAIDE_PORT": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.stack.callback(end, process)
        assert process.stdout is not None
        wanted = {"listening on"} if " serve" in code else set()
        wanted |= {"web on"} if "8080" in code or " watch" in code else set()
        for line in process.stdout:
            said, _, port = line.strip().rpartition(":")
            if said.startswith("listening on"):
                self.port = self.environment["DAIDE_PORT"] = port
            elif said.startswith("web on"):
                self.web = port
            wanted = {words for words in wanted if not said.startswith(words)}
            if not wanted:
                return self.keep_files()
        pytest.fail(f"ended without {wanted}: {code}")


def end(process: "subprocess.Popen[str]") -> None:
    """Break off what *process* is, as Ctrl-C would."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=PATIENCE)


def test_every_block_is_run_or_says_why_not(
    record_property: Callable[[str, object], None],
) -> None:
    """The reasons are counted in the summary of the tests."""
    shown = [one for page in snippets.every_page() for one in snippets.snippets(page)]
    kept = Counter(one.value for one in shown if one.mark == snippets.NOT_RUN)
    record_property("blocks run", sum(one.is_run for one in shown))
    for reason, count in sorted(kept.items()):
        record_property(f"not run, {reason}", count)
    assert set(kept) == REASONS


@pytest.mark.parametrize("name", PACKAGES)
def test_a_page_says_how_to_install_what_it_needs(name: str) -> None:
    """An extra of ours has it, or it is named beside the extra."""
    (page,) = [page for page in snippets.every_page() if page.name == name]
    (words,) = re.findall(r"pip install (.+)", page.read_text("utf-8"))
    (extra,) = re.findall(r"\[(\w+)\]", words)
    content = tomllib.loads((snippets.TOP / "pyproject.toml").read_text("utf-8"))
    extras = content["project"]["optional-dependencies"]
    installed = " ".join((words, *extras[extra]))
    for package in PACKAGES[name]:
        assert package in installed


@pytest.mark.parametrize("page", snippets.every_page(), ids=lambda page: page.name)
def test_a_page_of_games_is_there_after_the_last(page: Path) -> None:
    """With `--games`, a server ends some seconds after its bots, and its page too."""
    for snippet in snippets.snippets(page):
        for line in re.findall("serve .*--web.*", snippet.code):
            assert "--games" not in line


@pytest.mark.parametrize("page", snippets.every_page(), ids=lambda page: page.name)
def test_no_block_is_overlooked(page: Path) -> None:
    """However it is indented or fenced, and each mark has its block."""
    text, found = page.read_text("utf-8"), snippets.snippets(page)
    fences = re.findall(r"(?m)^\s*[`~]{3,}\s*\{?(?:sh|bash|shell|python)\b", text)
    named = [one for one in found if one.language in (snippets.SHELL, snippets.PYTHON)]
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
    for page in snippets.every_page():
        is_tried = any(one.is_run for one in snippets.snippets(page))
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
        for snippet in snippets.snippets(page):
            try:
                desk.take(snippet)
            except (AssertionError, subprocess.TimeoutExpired) as fault:
                pytest.fail(f"{snippet.page}:{snippet.line}\n{snippet.code}\n{fault}")
