"""Points of games, in one process or in several."""

import csv
import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from daide_server.cli.common import game_arguments
from daide_server.cli.common.failures import CommandError
from daide_server.cli.common.option_types import Boards
from daide_server.cli.score import decimal_text
from daide_server.library.game_files import Found
from daide_server.records.formats.errors import FormatError
from daide_server.scoring.systems import SYSTEMS
from tests.support.commands import printed, refusal, run

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))


def test_a_table_has_a_line_per_system() -> None:
    shown = printed("score", GAMES[0], "--system", "draw_size", "--system", "CDiplo")

    title, head, bots, centres, *rows = shown.splitlines()
    assert title == f"{GAMES[0]}: draw AUS FRA"
    assert head.split() == ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert bots.split()[:4] == ["bot", "Chance", "Second", "Chance"]
    assert centres.split()[0] == "centres"
    assert rows[0].split() == ["draw_size", "0.5", "0", "0.5", "0", "0", "0", "0"]
    assert rows[1].split()[0] == "CDiplo"


def test_all_systems_are_the_default() -> None:
    """They are named in the help."""
    text = printed("score", GAMES[0])
    words = printed("score", "--help").replace(".", " ").replace(",", " ").split()

    for name in ("sum_of_squares", "dixie", "Bangkok100", "WorldClassic"):
        assert f"\n{name} " in text
    assert set(SYSTEMS) <= set(words)


def test_json_has_exact_fractions_and_the_bots() -> None:
    (line,) = json_lines(GAMES[0], "--system", "draw_size")

    assert line["points"]["draw_size"]["FRANCE"] == "1/2"
    assert line["bots"]["AUSTRIA"] == "Chance"


def json_lines(*words: object) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in printed("score", "--json", *words).splitlines()
    ]


def csv_rows(*words: object) -> list[dict[str, str]]:
    return list(csv.DictReader(printed("score", "--csv", *words).splitlines()))


def test_csv_has_a_line_for_each_power_and_system() -> None:
    systems = ("--system", "draw_size", "--system", "CDiplo")
    rows = csv_rows(GAMES[0], GAMES[1], *systems)

    assert len(rows) == 2 * 7 * 2
    assert rows[0]["power"] == "AUSTRIA"
    assert float(rows[0]["points"]) == 0.5


def test_sums_by_bot_are_those_of_its_seats() -> None:
    """The sums over all bots are the points of all games."""
    rows = json_lines(*GAMES, "--by", "bot", "--system", "draw_size")

    assert sum(row["sum"] for row in rows) == pytest.approx(len(GAMES))
    assert sum(row["seats"] for row in rows) == 7 * len(GAMES)
    assert [row["mean"] for row in rows] == sorted(
        (row["mean"] for row in rows), reverse=True
    )


def test_sums_by_power_have_a_table_for_each_system() -> None:
    """As CSV and JSON they have the same rows."""
    words: tuple[object, ...] = (*GAMES, "--by", "power", "--system", "draw_size")

    lines = printed("score", *words, "--system", "CDiplo").splitlines()

    assert lines[0] == f"draw_size, {len(GAMES)} games"
    assert lines[1].split()[:5] == ["power", "games", "seats", "sum", "mean"]
    assert {line.split()[0] for line in lines[2:9]} == {
        *("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    }
    powers = [row["power"] for row in json_lines(*words)]
    assert [row["power"] for row in csv_rows(*words)] == powers


@pytest.mark.parametrize(
    ("name", "problem"),
    [("SuperPastis", "its formula is not known"), ("elo", "unknown scoring system")],
)
@pytest.mark.parametrize("games", [1, game_arguments.FEW_GAMES])
def test_a_system_that_we_do_not_have_is_named(
    name: str, problem: str, games: int
) -> None:
    assert problem in refusal("score", *GAMES[:1] * games, "--system", name)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(1, 20000), "0.0001"),
        (Fraction(-1, 20000), "-0.0001"),
        (Fraction(-1, 30000), "0"),
        (Fraction(2503), "2503"),
        (Fraction(100), "100"),
        (Fraction(0), "0"),
        (Fraction(31, 2), "15.5"),
    ],
)
def test_points_have_four_decimals_at_most(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


def test_no_system_of_another_board_is_tried_by_default(
    landing: Path, isle: Path
) -> None:
    assert "\ndixie" not in printed("score", landing, "--map", isle)

    said = refusal("score", landing, "--map", isle, "--system", "dixie")
    assert f"daide-server: {landing}: dixie: made for" in said


@pytest.mark.parametrize("options", [(), ("--csv",), ("--json",), ("--by", "bot")])
def test_worker_processes_change_nothing(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many games, among them a file that is none, by one process and by two."""
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    files = [*GAMES * game_arguments.FEW_GAMES, broken, *reversed(GAMES)]
    monkeypatch.setattr(game_arguments, "processors", lambda: 1)
    alone = run("score", *files, *options)
    monkeypatch.setattr(game_arguments, "processors", lambda: 2)
    together = run("score", *files, *options)

    assert (together.stdout, together.stderr) == (alone.stdout, alone.stderr)
    assert alone.exit_code == together.exit_code == 1


MANY = 5 * game_arguments.FEW_GAMES
HERE = os.getpid()


def games(count: int) -> list[game_arguments.Source]:
    return [Found(Path("a"), number, b"%d" % number) for number in range(count)]


def refused(found: Found, _: Boards) -> Iterator[bytes]:
    yield found.content
    if found.line == MANY // 2:
        raise FormatError("no game")


def killed(found: Found, _: Boards) -> Iterator[bytes]:
    if os.getpid() != HERE:
        os._exit(1)
    yield found.content


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_arguments, "processors", lambda: 2)


def test_what_was_yielded_before_a_problem_is_kept() -> None:
    results = list(game_arguments.worked(games(MANY), Boards(), refused))
    place = results.index(game_arguments.InputProblem(f"a:{MANY // 2}", "no game"))
    kept = results[place - 1]
    assert len(results) == MANY + 1
    assert not isinstance(kept, game_arguments.InputProblem)
    assert kept[1] == b"%d" % (MANY // 2)


def test_a_killed_worker_is_an_error_and_few_games_need_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor do many on one processor."""
    few = game_arguments.FEW_GAMES - 1
    assert len(list(game_arguments.worked(games(few), Boards(), killed))) == few
    with pytest.raises(CommandError, match="a worker process was killed"):
        list(game_arguments.worked(games(game_arguments.FEW_GAMES), Boards(), killed))
    monkeypatch.setattr(game_arguments, "processors", lambda: 1)
    assert len(list(game_arguments.worked(games(MANY), Boards(), killed))) == MANY
