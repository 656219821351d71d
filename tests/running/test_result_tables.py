"""What is computed from the tables of real games is what the report says."""

import csv
import json
import sys
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

import daide_server
from daide_server.cli import main
from daide_server.running.bot_settings import BotSettings
from daide_server.running.game_task import TroubleLimits
from tests.running.cups import ONE_YEAR, write_cup
from tests.running.means import means_by_sql
from tests.support.needed import need_package

pytestmark = pytest.mark.end_to_end

DUMB = (sys.executable, "-m", "daide_server", "bot", "dumb", "--port", "{port}")
BOTS = (
    BotSettings(name="old", command=DUMB),
    BotSettings(name="new", command=DUMB),
    BotSettings(name="quits", command=("false",)),
)


def test_pandas_and_sql_find_the_means_of_the_report(tmp_path: Path) -> None:
    """Two entrants say one name, and one never joins: NME does not tell them."""
    pandas = need_package("pandas")
    policy, limits = evolve(ONE_YEAR, year_limit=1902), TroubleLimits(bench_after=0)
    write_cup(tmp_path, games=6, bots=BOTS, policy=policy, limits=limits)
    for command in ("run", "report"):
        done = CliRunner().invoke(main, ["tournament", command, str(tmp_path)])
        assert done.exit_code == 0, done.output
    with (tmp_path / "report" / "standings.csv").open(newline="") as file:
        standings = {row["entrant"]: row for row in csv.DictReader(file)}
    scores = {name: float(row["score"]) for name, row in standings.items()}

    frame = daide_server.read(tmp_path / "games").frame("powers")
    counted = frame["sum_of_squares"].where(frame["forfeit"].isna(), 0.0)
    seats = frame.assign(score=counted).groupby(["game", "entrant"])["score"].mean()
    means = seats.groupby("entrant").mean()

    report = tmp_path / "report"
    assert dict(means) == pytest.approx(scores, rel=1e-12)
    assert means_by_sql(report / "powers.csv") == pytest.approx(scores, rel=1e-12)
    assert set(scores) == {bot.name for bot in BOTS}
    assert standings["old"]["bot"] == standings["new"]["bot"] == "dumb"
    stood_in = frame[frame["stand_in"]]
    assert set(stood_in["entrant"]) == {"quits"}
    assert set(stood_in["bot"]) == {""}
    written = pandas.read_csv(report / "powers.csv", keep_default_na=False)
    shared = ["power", "entrant", "bot", "version", "forfeit", "end", "centres"]
    assert len(written) == len(frame)
    record = frame.fillna("").set_index(["number", "entrant"])["end"].value_counts()
    assert dict(record) == dict(written["end"].value_counts())
    assert {*shared} <= {*frame.columns} & {*written.columns}
    results = json.loads((report / "results.json").read_text())
    assert [bot["score"] for bot in results["bots"]] == [
        float(row["score"]) for row in standings.values()
    ]
