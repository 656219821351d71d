"""Where a page of snippets is tried: a folder, the programs, and servers that go on."""

import os
import shutil
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import Factory, define, field

from tests.support.forked_program import FORKED
from tests.support.snippets import FILE, GOES_ON, PYTHON, TOP, Snippet

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
    "dumbbot": FOREIGN_BOT,
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
    """Return the environment of the commands."""
    path = f"{programs}{os.pathsep}.{os.pathsep}{os.environ['PATH']}"
    kept = {key: os.environ[key] for key in ("HOME", "TMPDIR") if key in os.environ}
    fixed = {FORKED: "1", "PYTHONPATH": str(TOP), "MPLBACKEND": "agg"}
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
            (self.folder / name).symlink_to(TOP / name)
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

    def take(self, snippet: Snippet) -> None:
        """Run a block, or keep it as the file that it is."""
        code = self.here(snippet.code)
        if snippet.mark == FILE:
            self.files[snippet.value] = snippet.code
            self.keep_files()
        elif snippet.mark == GOES_ON:
            self.serve(snippet.code)
        elif snippet.is_run and snippet.language == PYTHON:
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
