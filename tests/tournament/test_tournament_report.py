"""The report of a tournament: its files, what people see, and sums over real games."""

import csv
import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

import daide_server
from daide_server.tournament.game_outcomes import Ledger, PlayedGame, VoidGame
from daide_server.tournament.report.report_page import facts
from daide_server.tournament.report.report_tables import write_report
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.game_task import TroubleLimits
from daide_server.tournament.run.tournament_state import TournamentFolder
from daide_server.usage import Usage
from tests.support.commands import run
from tests.support.needed import need_package
from tests.support.tournaments import Change, forfeited, ladder_ledger, played_ledger
from tests.tournament.cups import ONE_YEAR, write_cup
from tests.tournament.means import means_by_sql

if TYPE_CHECKING:
    from playwright.sync_api import Browser


NAMES = ("<script>alert(1)</script>", "a | b", "=1+1")
STRENGTHS = (1.0, 1.4, 0.6)


class Page(HTMLParser):
    """The words of a page, its elements, and where its links go."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text, self.tags, self.links = "", list[str](), list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [to or "" for name, to in attrs if name in {"href", "src"}]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def ledger() -> Ledger:
    change = forfeited(7, "exit code 1")
    return played_ledger(games=42, strengths=STRENGTHS, names=NAMES, change=change)


def with_versions(version: Callable[[int], str]) -> Change:
    """Return a change: in each game, all bots are of the *version* of its number."""

    def change(game: PlayedGame) -> PlayedGame:
        of_game = version(game.game)
        seats = tuple(evolve(seat, version=of_game) for seat in game.seats)
        return evolve(game, seats=seats)

    return change


def page(ledger: Ledger, folder: Path) -> Page:
    return Page(write_report(facts(ledger), folder))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_same_results_give_the_same_files(ledger: Ledger, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_report(facts(ledger), tmp_path / name)

    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert sorted(files) == [
        "games.csv",
        "index.html",
        "powers.csv",
        "results.json",
        "standings.csv",
        "standings.md",
    ]
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "two").iterdir()}
    results = json.loads(files["results.json"])
    assert (results["games"], results["played"], results["stopped"]) == (42, 42, None)
    assert [len(results[key]) for key in ("bots", "pairs", "incidents")] == [3, 3, 1]
    assert results["incidents"][0]["reason"] == "exit code 1"


def test_the_page_loads_and_runs_nothing_whatever_the_names(
    ledger: Ledger, tmp_path: Path
) -> None:
    shown = page(ledger, tmp_path)

    assert not {"script", "img", "link", "iframe"} & set(shown.tags)
    files = {path.name for path in tmp_path.iterdir()}
    assert set(shown.links) == files - {"index.html"}
    assert "url(" not in (tmp_path / "index.html").read_text("utf-8")
    assert NAMES[0] in shown.text
    assert rows(tmp_path / "standings.csv")[-1]["entrant"] == "'=1+1"
    table = (tmp_path / "standings.md").read_text("utf-8")
    assert r"a \| b" in table
    assert "<script>" not in table
    assert {line.count(" | ") for line in table.splitlines()[4:]} == {6}


def test_games_that_were_not_played_are_named_with_the_reason(tmp_path: Path) -> None:
    found = played_ledger(games=14, played=0)
    for number in (3, 7, 8, 9, 12):
        for attempt in range(found.plan.description.retries + 1):
            found.add(VoidGame(number, attempt + 1, "no memory"))

    shown = " ".join(page(found, tmp_path).text.split())
    assert "3, 7 to 9, 12" in shown
    assert "because their retries are used up" in shown


def test_the_tables_of_games_and_powers_agree_with_the_standings(
    ledger: Ledger, tmp_path: Path
) -> None:
    """A bot's score is the mean, over games, of the mean of its seats: by SQL."""
    page(ledger, tmp_path)
    games, powers = rows(tmp_path / "games.csv"), rows(tmp_path / "powers.csv")
    standings = rows(tmp_path / "standings.csv")

    assert [row["number"] for row in games] == [str(at) for at in range(1, 43)]
    assert [row["number"] for row in powers if row["forfeit"]] == ["7"]
    assert {row["end"] for row in powers} <= {"win", "shared", "survived", "eliminated"}
    found = means_by_sql(tmp_path / "powers.csv")
    assert [(row["rank"], row["games"]) for row in standings] == [
        *(("1", "42"), ("2", "42"), ("3", "42"))
    ]
    for row in standings:
        assert found[row["entrant"]] == pytest.approx(float(row["score"]), rel=1e-12)
        assert float(row["low"]) <= float(row["score"]) <= float(row["high"])
        assert float(row["think_p50"]) <= float(row["think_longest"])
    scores = [float(row["score"]) for row in standings]
    assert scores == sorted(scores, reverse=True)


def test_each_incident_is_listed_with_its_log(tmp_path: Path) -> None:
    ledger = played_ledger(games=42, change=forfeited(7, "exit code 1"), played=41)
    ledger.add(VoidGame(42, 1, "worker killed"))
    home = TournamentFolder(tmp_path / "a cup #1")
    for folder in ("000007", "000042"):
        (home.path / "logs" / folder).mkdir(parents=True)
    found = facts(ledger, home=home)

    shown = Page(write_report(found, home.path / "report"))
    elsewhere = Page(write_report(found, tmp_path / "report"))

    assert {"../logs/000007/", "../logs/000042/"} <= set(shown.links)
    assert "../a%20cup%20%231/logs/000007/" in elsewhere.links
    assert "exit code 1" in shown.text
    assert "worker killed; to be played again" in shown.text
    assert "Traceback (most recent call last)" in shown.text


def test_what_cannot_be_repeated_is_said(tmp_path: Path) -> None:
    change = with_versions(lambda game: str(game % 2))
    text = page(played_ledger(games=42, names=NAMES, change=change), tmp_path).text

    assert "What can be repeated, and what cannot" in text
    assert "a | b played in several versions: 0, 1." in text


@pytest.mark.parametrize("played", [0, 2, 20])
def test_a_tournament_that_goes_on_has_a_report(played: int, tmp_path: Path) -> None:
    """With ratings as soon as a block is finished, after the scores, which rank."""
    text = page(played_ledger(games=42, played=played), tmp_path).text

    assert f"Still to play: {42 - played} of 42 games" in re.sub(r"\s+", " ", text)
    assert ("No block of games is finished yet" in text) is (played < 3)
    assert (-1 < text.find("Scores") < text.find("Ratings")) is (played > 2)


def test_many_bots_fit(tmp_path: Path) -> None:
    shown = page(played_ledger(games=62, strengths=(1.0,) * 31), tmp_path)

    assert shown.tags.count("svg") >= 31


def test_a_game_that_is_over_keeps_its_centres() -> None:
    """Half of the games end after a year; each mean is of all games."""
    ledger = played_ledger(games=42, strengths=(1,) * 7)
    shorter = Ledger(ledger.plan)
    for number, game in ledger.played.items():
        last = 2 if number % 2 else None
        counts = {p: of[:last] for p, of in game.centres_by_year.items()}
        shorter.add(evolve(game, centres_by_year=counts))

    means = facts(shorter).centres

    games = [game.centres_by_year.values() for game in shorter.played.values()]
    for year in range(11):
        kept = [of[min(year, len(of) - 1)] for game in games for of in game]
        assert sum(means[bot][year] for bot in range(7)) == pytest.approx(
            sum(kept) / 42
        )


def test_centres_at_the_end_are_those_of_the_standings() -> None:
    """Copies count with their mean in both."""
    found = facts(played_ledger(games=42, strengths=(1, 3, 2)))

    for row in found.rows:
        assert found.centres[row.bot][-1] == pytest.approx(row.centres)


def test_the_page_of_a_ladder_is_one_of_ratings(tmp_path: Path) -> None:
    ladder = ladder_ledger(games=40, strengths=(1, 1.3, 4), anchors={0: -100})

    shown = page(ladder, tmp_path)

    assert "bot2 leads with a rating of +" in " ".join(shown.text.split())
    assert "\N{MINUS SIGN}100" in shown.text
    assert "any time" not in shown.text
    assert "40 games are played; a ladder has no end" in " ".join(shown.text.split())
    table = (tmp_path / "standings.md").read_text("utf-8")
    assert "| rating | 95 % | score |" in table
    assert "| \N{MINUS SIGN}100 | anchor |" in table
    first = rows(tmp_path / "standings.csv")[0]
    assert float(first["rating_low"]) < float(first["rating"])


def test_versions_of_a_bot_are_compared(tmp_path: Path) -> None:
    """From game 43 on, all bots are of another version; each has 14 blocks."""
    change = with_versions(lambda game: "2.0" if game > 42 else "1.0")

    shown = page(played_ledger(games=84, strengths=STRENGTHS, change=change), tmp_path)

    assert "against the version before" in shown.text
    assert re.search(r"42\s*[\d.]+ %\s*[\d.]+\W[\d.]+ %", shown.text)
    versions = json.loads((tmp_path / "results.json").read_text("utf-8"))["versions"]
    assert [(each["bot"], each["version"]) for each in versions[:2]] == [
        ("bot0", "1.0"),
        ("bot0", "2.0"),
    ]
    assert {each["games"] for each in versions} == {42}
    assert "Versions" not in page(played_ledger(games=42), tmp_path).text


def test_stalemates_are_no_years_that_were_shared(tmp_path: Path) -> None:
    def change(game: PlayedGame) -> PlayedGame:
        return evolve(game, ending="stalemate")

    shown = page(played_ledger(games=42, strengths=STRENGTHS, change=change), tmp_path)

    assert "stalemates" in shown.text
    assert "or by a stalemate" in shown.text
    assert "stalemate" not in page(played_ledger(games=42), tmp_path).text


def test_what_models_used_is_summed_for_each_bot(tmp_path: Path) -> None:
    """Of all its seats, and a bot that never ordered is named."""

    def change(game: PlayedGame) -> PlayedGame:
        used = Usage(model="<b>", tokens_in=100, cost=0.5)
        first, *others = game.seats
        seats = (evolve(first, usage=used, never_ordered=True), *others)
        return evolve(game, seats=seats)

    shown = page(played_ledger(games=42, strengths=STRENGTHS, change=change), tmp_path)

    assert "Language models" in shown.text
    assert "<b>" in shown.text
    assert " never ordered in " in shown.text
    powers, standings = rows(tmp_path / "powers.csv"), rows(tmp_path / "standings.csv")
    for bot in standings:
        own = [row for row in powers if row["entrant"] == bot["entrant"]]
        costs = [float(row["cost"]) for row in own if row["cost"]]
        assert float(bot["cost"]) == sum(costs) == 0.5 * int(bot["calls"])
        games = {row["game"] for row in own}
        assert float(bot["cost_per_game"]) == pytest.approx(sum(costs) / len(games))


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_cut(
    browser: "Browser", width: int, scheme: str, tmp_path: Path
) -> None:
    axe = need_package("axe_playwright_python.sync_playwright")
    change = forfeited(7, "exit code 1")
    ledger = played_ledger(games=84, strengths=(1, 2, 0.5, 1, 1, 1, 1), change=change)
    path = write_report(facts(ledger), tmp_path)

    shown = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    shown.goto(path.as_uri())
    found = axe.Axe().run(shown).response["violations"]
    whole = shown.evaluate("document.documentElement.scrollWidth")
    shown.close()

    assert [each["id"] for each in found] == []
    assert whole == width


DUMB = (sys.executable, "-m", "daide_server", "bot", "dumb", "--port", "{port}")
BOTS = (
    BotSettings(name="old", command=DUMB),
    BotSettings(name="new", command=DUMB),
    BotSettings(name="quits", command=("false",)),
)


@pytest.mark.end_to_end
def test_pandas_and_sql_find_the_means_of_the_report(tmp_path: Path) -> None:
    """Two entrants say one name, and one never joins: NME does not tell them."""
    pandas = need_package("pandas")
    policy, limits = evolve(ONE_YEAR, year_limit=1902), TroubleLimits(bench_after=0)
    write_cup(tmp_path, games=6, bots=BOTS, policy=policy, limits=limits)
    for command in ("run", "report"):
        done = run("tournament", command, tmp_path)
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
