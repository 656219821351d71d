"""Runs as processes: workers, kills, Ctrl-C, two runs, exit codes."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest
from attrs import evolve

from tests.support import commands
from tests.tournament.cups import ONE_YEAR, look, write_cup

pytestmark = pytest.mark.end_to_end

LONG = evolve(ONE_YEAR, year_limit=8000)
"""Games that no machine has played before the test is over."""
PATIENCE = 60.0


@pytest.fixture
def processes() -> Iterator[list["subprocess.Popen[str]"]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        for child in _family(process.pid):
            child.kill()
        process.kill()
        process.communicate()


def _family(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def start(
    processes: list["subprocess.Popen[str]"], *arguments: str
) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "daide_server", "tournament", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    processes.append(process)
    return process


run = partial(commands.run, "tournament")
"""Run a command in this process; games have workers as ever."""


def wait_for(process: "subprocess.Popen[str]", event: str, count: int = 1) -> None:
    assert process.stdout is not None
    found = 0
    for line in process.stdout:
        found += json.loads(line).get("event") == event
        if found == count:
            return
    pytest.fail(f"no {event}")


def until_gone(children: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(children, PATIENCE)
    assert not alive


def test_the_last_line_is_the_status(tmp_path: Path) -> None:
    folder = str(write_cup(tmp_path / "cup", games=7, policy=ONE_YEAR))

    done = run("run", folder, "--json")

    *events, last = map(json.loads, done.stdout.splitlines())
    assert done.exit_code == 0, done.stderr
    assert [each["event"] for each in events].count("played") == 7
    assert last == json.loads(run("status", folder, "--json").stdout)
    assert (last["played"], last["running"], last["stopped"]) == (7, 0, None)
    assert {bot["version"] for bot in last["bots"]} != {""}


def test_a_killed_run_goes_on_and_leaves_no_process(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    folder = write_cup(tmp_path, games=14, policy=ONE_YEAR)
    process = start(processes, "run", str(folder), "--json")
    wait_for(process, "played", 3)
    children = _family(process.pid)

    process.kill()

    process.wait()
    assert children
    before = dict(look(folder).ledger.played)
    done = run("run", str(folder), "--quiet")
    assert done.exit_code == 0, done.stderr
    after = look(folder).ledger.played
    assert len(before) >= 3
    assert {game: after[game] for game in before} == before
    assert len(after) == 14
    until_gone(children)


def test_a_second_run_is_refused_and_a_second_interrupt_breaks_the_first_off(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    """The first interrupt waits for the games that are played."""
    folder = write_cup(tmp_path, games=7, policy=LONG)
    process = start(processes, "run", str(folder), "--json")
    wait_for(process, "begun")

    second = run("run", str(folder))

    assert second.exit_code == 1
    assert f"found a run in process {process.pid}, expected none" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert json.loads(run("status", str(folder), "--json").stdout)["running"] >= 1

    process.send_signal(signal.SIGINT)
    wait_for(process, "notice")
    children = _family(process.pid)
    process.send_signal(signal.SIGINT)

    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    last = json.loads(output.splitlines()[-1])
    assert (last["played"], last["running"], last["remaining"]) == (0, 0, 7)
    until_gone(children)


def test_after_an_interrupt_the_last_line_says_how_to_go_on(
    tmp_path: Path, processes: list["subprocess.Popen[str]"]
) -> None:
    folder = write_cup(tmp_path, games=700, policy=ONE_YEAR)
    process = start(processes, "run", str(folder))
    assert process.stdout is not None
    process.stdout.readline()

    process.send_signal(signal.SIGINT)

    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    last = output.splitlines()[-1]
    assert last == f"to go on: daide-server tournament run {folder}"


def test_a_new_tournament_is_playable_whatever_its_folder(tmp_path: Path) -> None:
    folder = str(tmp_path / "a 'b'\n\u00fc")

    made, again, planned = run("new", folder), run("new", folder), run("plan", folder)

    assert (made.exit_code, again.exit_code, planned.exit_code) == (0, 1, 0)
    assert f"tournament run '{tmp_path}/a '\"'\"'b'\"'\"'" in made.stdout
    assert "found a tournament, expected none" in again.stderr
    assert "42 games in 14 blocks" in planned.stdout


def test_what_a_bot_printed_before_it_died_is_shown_in_lines(tmp_path: Path) -> None:
    folder = write_cup(tmp_path / "cup", games=7, policy=ONE_YEAR)
    with (folder / "tournament.toml").open("a") as file:
        script = "print('one'); print('two'); exit(3)"
        command = json.dumps([sys.executable, "-c", script, "{port}"])
        file.write(f'\n[[bot]]\nname = "mine"\ncommand = {command}\n')

    checked = run("check", str(folder), "--bot", "mine")

    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[-2:] == ["    one", "    two"]
