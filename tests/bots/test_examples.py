"""The bots that the documentation shows."""

import csv
import json
import random
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from daide_server.board.map import Phase, Variant
from daide_server.board.results import OrderNote
from daide_server.cli import main
from daide_server.daide.messages import SubmittedOrder
from daide_server.game.turns import CurrentTurn
from daide_server.judge.rules import DAIDE_RULES
from daide_server.records.record import GameRecord
from tests.bots.arena import rounds
from tests.end_to_end.playing import record_in
from tests.support.commands import printed
from tests.support.language_model import Model, running_model
from tests.support.line_bots import PYTHON, play_process, six_others
from tests.support.needed import need_program
from tests.support.snippets import TOP, snippets

EXAMPLES = TOP / "examples"


def test_my_bot_plays_legal_orders(standard: Variant) -> None:
    """Seven of them play some years within the rules."""
    player = runpy.run_path(str(EXAMPLES / "my_bot.py"))["orders"]

    for played in rounds(standard, dict.fromkeys(standard.map.powers, player), 1904):
        assert played.void == ()


def test_the_orders_of_the_page_on_bots_are_all_that_is_due(standard: Variant) -> None:
    """In every kind of turn: nothing is refused, and nothing is missing."""
    random.seed(1)  # in one game of some hundreds nobody ever has to retreat
    (shown,) = [
        each.code
        for each in snippets(TOP / "docs" / "bots.md")
        if each.is_run and "possible_adjustments" in each.code
    ]
    program: dict[str, Any] = {}
    exec(shown, program)  # noqa: S102 - it is ours
    players = dict.fromkeys(standard.map.powers, program["orders"])

    phases = set()
    for played in rounds(standard, players, 1980):
        phases.add(played.before.turn.phase)
        table = CurrentTurn(standard.map, played.before, DAIDE_RULES, any_orders=False)
        for power, given in played.orders.items():
            noted = table.submit([SubmittedOrder(each, ()) for each in given], power)
            assert {each.note for each in noted} <= {OrderNote.OK}
            assert table.is_complete(power)
        if phases == set(Phase):
            break
    assert phases == set(Phase)


pytestmark = pytest.mark.end_to_end

LINE_EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"
LONGEST = 200
"""Lines of an example."""


@pytest.fixture(
    params=[
        "ten_lines.py",
        "greedy.py",
        "random_bot.js",
        "random_bot.sh",
        "random_bot.cpp",
        "RandomBot.java",
    ]
)
def command(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Return what starts an example, compiled if it must be."""
    source = str(LINE_EXAMPLES / request.param)
    match Path(source).suffix:
        case ".py":
            return [PYTHON, source]
        case ".js":
            return [need_program("node"), source]
        case ".sh":
            need_program("jq")
            return [need_program("bash"), source]
        case ".cpp":
            program = str(tmp_path / "bot")
            compiler = need_program("g++", "clang++")
            subprocess.run([compiler, "-std=c++17", "-o", program, source], check=True)
            return [program]
        case ".java":
            compiler, java = need_program("javac"), need_program("java")
            subprocess.run([compiler, "-d", tmp_path, source], check=True)
            return [java, "-Xshare:auto", "-cp", str(tmp_path), "RandomBot"]
        case other:
            raise AssertionError(f"how is a {other} started?")


async def test_example_plays_a_whole_game(command: list[str], tmp_path: Path) -> None:
    """Without a refused order, and with exit code 0."""
    async with six_others(tmp_path / "records") as server:
        played = await play_process(server, *command)

    assert played == (0, None)
    assert refused(record_in(tmp_path / "records")) == 0


def test_examples_are_short() -> None:
    for path in LINE_EXAMPLES.iterdir():
        assert len(path.read_text("utf-8").splitlines()) <= LONGEST, path


def refused(record: GameRecord) -> int:
    """Return how many orders were refused in a game."""
    tallies = (each for turn in record.turns for each in (turn.tallies or {}).values())
    return sum(tally.refused for tally in tallies)


# A language model


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the stand-in, and have the bots ask it."""
    monkeypatch.setenv("TURN_SECONDS", "5")
    with running_model() as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield


@pytest.mark.usefixtures("model")
async def test_language_models_negotiate_a_whole_game(tmp_path: Path) -> None:
    """Three of them, with each other, in free text."""
    words = [PYTHON, str(LINE_EXAMPLES / "language_model.py")]
    played: list[tuple[int, str | None]] = []
    settings = {"level": 8000, "year_limit": 1901, "mtl": 30, "rtl": 30, "btl": 30}

    async with six_others(tmp_path, bots=4, **settings) as server:

        async def one() -> None:
            played.append(await play_process(server, *words))

        async with trio.open_nursery() as nursery:
            for _ in range(3):
                nursery.start_soon(one)

    assert played == [(0, None)] * 3
    record = record_in(tmp_path)
    texts = {message.text for message in record.messages}
    assert "'Peace in S1901M?'" in texts
    assert "'Agreed.'" in texts
    assert refused(record) == 0


async def test_a_model_that_does_not_answer_costs_orders_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody listens there: the units hold, and the game goes on."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    words = [PYTHON, str(LINE_EXAMPLES / "language_model.py")]

    async with six_others(tmp_path, year_limit=1901) as server:
        played = await play_process(server, *words)

    assert played == (0, None)


@pytest.mark.parametrize("example", ["my_bot.py", "negotiator.py"])
def test_examples_take_host_and_port(
    example: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = f"{PYTHON} {EXAMPLES / example} {{host}} {{port}}"
    words = ("--bot", bot, "--bot", "6 x hold", "--year-limit", "1901")

    assert "forfeited" not in printed("play", *words)


@pytest.mark.usefixtures("model")
def test_a_match_says_what_a_model_costs_and_repeats_it_without_a_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Bots of a match get the whole environment, and what it cost is in the tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRICE", "10,100")
    monkeypatch.setenv("CACHE", str(tmp_path / "replies"))
    bot = f"lines:{PYTHON} {LINE_EXAMPLES / 'language_model.py'}"
    short = ("--games", "7", "--year-limit", "1901", "--seed", "3", "--json")
    words = ["match", "--bot", bot, "--against", "hold", *short, "--folder"]

    first = CliRunner().invoke(main, [*words, "one"])
    asked, Model.asked = Model.asked, 0
    second = CliRunner().invoke(main, [*words, "two"])
    reported = CliRunner().invoke(main, ["tournament", "report", "one"])

    assert first.exit_code == second.exit_code == reported.exit_code == 0
    assert (asked >= 7, Model.asked) == (True, 0)
    tables = [json.loads(done.stdout.splitlines()[-1]) for done in (first, second)]
    mine, again = (
        next(each for each in table["bots"] if each["usage"]) for table in tables
    )
    assert mine["score"] == again["score"]
    assert mine["forfeits"] == 0
    assert mine["usage"]["calls"] == asked
    assert mine["usage"]["tokens_in"] == 1000 * asked
    assert mine["usage"]["cost"] == pytest.approx(0.015 * asked)
    assert mine["cost_per_game"] == pytest.approx(0.015 * asked / 7)
    assert (again["usage"]["calls"], again["usage"]["cost"]) == (0, 0)
    with (tmp_path / "one" / "report" / "powers.csv").open(newline="") as file:
        costs = [float(row["cost"]) for row in csv.DictReader(file) if row["cost"]]
    assert len(costs) == 7
    assert sum(costs) == pytest.approx(mine["usage"]["cost"])
    shown = CliRunner().invoke(main, ["show", *map(str, Path("one/games").glob("*"))])
    assert shown.output.count(" tokens in, ") == 7
    page = (tmp_path / "one" / "report" / "index.html").read_text("utf-8")
    assert "Language models" in page


def test_a_bot_that_never_orders_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its bridge completes its orders, so that it looks like one that holds."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mute.py").write_text(MUTE)
    bot = f"lines:{PYTHON} mute.py"
    short = ("--games", "7", "--year-limit", "1901", "--mtl", "1")

    done = printed("match", "--bot", bot, "--against", "hold", *short)

    assert "never ordered" in done


MUTE = """
import json, sys
for line in sys.stdin:
    heard = json.loads(line)["type"]
    if heard == "hello":
        print('{"type": "ready", "name": "Mute"}', flush=True)
    elif heard == "turn":
        print('{"type": "orders", "orders": []}', flush=True)
"""
