"""What a bot's processes use and leave behind is found with real processes."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from daide_server.examine.examination import Examination
from daide_server.examine.programs import CommandLauncher
from daide_server.examine.report import SceneResult
from daide_server.examine.scene import SceneVerdict
from daide_server.examine.scenes import SCENES
from daide_server.examine.scripted_game import Measures
from tests.support.waiting import comes_true, is_gone

pytestmark = [pytest.mark.long, pytest.mark.end_to_end]

HOLD = "-m daide_server bot hold --host {host} --port {port}"
GROWING = """
from daide_server.bots import hold
from daide_server.cli import main
kept, usual = [], hold.orders
def orders(view):
    kept.append(bytearray(b"x" * 300_000))
    return usual(view)
hold.orders = orders
main(["bot", "hold", "--host", "{host}", "--port", "{port}"])
"""


def examined(command: Sequence[str], *names: str) -> list[SceneResult]:
    scenes = [SCENES[name] for name in names]
    measures = Measures(slowness=3.0)
    return trio.run(Examination(CommandLauncher(command), measures, scenes).run)


def with_child(child: str) -> tuple[str, ...]:
    return "sh", "-c", f"{child} & exec {sys.executable} {HOLD}"


@pytest.mark.parametrize(
    ("child", "verdict"),
    [
        ("sleep 60", SceneVerdict.DIFFERS),
        # A daemon in a session of its own, which has lost its parent.
        ("setsid sleep 60", SceneVerdict.DIFFERS),
        ("(while :; do :; done)", SceneVerdict.FAILS),
    ],
    ids=["quiet", "daemon", "busy"],
)
def test_a_child_that_is_left_is_found(child: str, verdict: SceneVerdict) -> None:
    (result,) = examined(with_child(child), "leaves-nothing")

    assert result.verdict is verdict
    if verdict is SceneVerdict.DIFFERS:
        assert "1 processes left" in result.finding.did


def test_a_killed_examination_leaves_no_bot(tmp_path: Path) -> None:
    """The bot dies with its starter."""
    note = tmp_path / "pid"
    words = "-m", "daide_server", "examine", "--only", "silent-server", "--"
    bot = "sh", "-c", f"echo $$ > {note}; exec {sys.executable} {HOLD}"
    command = sys.executable, *words, *bot
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as examining:
        assert comes_true(lambda: note.exists() and bool(note.read_text().strip()))
        pid = int(note.read_text())
        assert not is_gone(pid)
        examining.kill()

    assert comes_true(lambda: is_gone(pid))


def test_a_bot_that_prints_without_measure_is_found() -> None:
    child = "while :; do cat /dev/zero | head -c 30000000; sleep 0.2; done"
    (result,) = examined(with_child(f"({child})"), "prints-little")

    assert result.verdict is SceneVerdict.DIFFERS
    assert "KiB a turn" in result.finding.did


def test_a_bot_that_keeps_what_it_needs_no_more_is_found() -> None:
    (result,) = examined((sys.executable, "-c", GROWING), "growth")

    assert result.verdict is SceneVerdict.FAILS
    assert "MiB" in result.finding.did


def test_the_bot_hold_leaves_nothing_and_does_not_grow() -> None:
    results = examined((sys.executable, *HOLD.split()), "leaves-nothing", "growth")

    assert {each.verdict for each in results} == {SceneVerdict.PASSES}
