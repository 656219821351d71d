"""Tournaments on the page: their tables, what went wrong, and what is not shown."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.tournament.game_outcomes import Forfeit, VoidGame
from daide_server.tournament.report.tournament_views import numbered, tournament_folders
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.standings import status_json
from tests.support.web_pages import watched_folder
from tests.tournament.cups import (
    play_by_seed,
    result_of_task,
    run_all,
    status_of,
    write_cup,
)

LOGS = {
    "AUS.output.txt": "a bot's last words",
    "ENG.output.txt": "another bot's",
    "server.log": "what happened",
}


def play_with_trouble(task: GameTask) -> GameReport:
    """Play by seed, but game 2 is void at first, and in game 3 Austria forfeits."""
    found = result_of_task(task)
    attempt = task.attempt
    if (attempt.game, attempt.number) == (2, 1):
        return GameReport(VoidGame(2, 1, "the <b>worker</b> was killed"))
    if attempt.game != 3:
        return play_by_seed(task)
    first, *others = found.seats
    first = evolve(first, forfeit=Forfeit("F1902M", "it ended", "words"))
    return GameReport(evolve(found, seats=(first, *others)), None, LOGS)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Return a folder with a tournament that nobody has played."""
    return write_cup(tmp_path / "cup")


async def test_the_page_and_the_api_say_what_status_says(cup: Path) -> None:
    await run_all(cup, play_with_trouble)
    async with watched_folder(cup, cups=[cup]) as visitor:
        found = await visitor.json("/api/tournaments/cup")
        page = (await visitor.get("/tournaments/cup")).text
        first_page = (await visitor.get("/")).text
        cards = await visitor.json("/api/tournaments")

    status = json.loads(status_json(status_of(cup)))
    assert found["status"] == status
    assert all(bot["name"] in page for bot in status["bots"])
    assert "14 of 14 games" in page
    assert '"tournaments/cup"' in first_page.replace("./", "")
    assert cards == [
        {
            "number": "cup",
            "name": "cup",
            "games": 14,
            "played": 14,
            "leader": status["bots"][0]["name"],
        }
    ]


async def test_scores_of_pairs_and_powers_add_up(cup: Path) -> None:
    """Differences are opposite; the mean over powers and bots is the even score."""
    await run_all(cup)
    async with watched_folder(cup, cups=[cup]) as visitor:
        found = await visitor.json("/api/tournaments/cup")

    count = len(found["cross"])
    for one in range(count):
        assert found["cross"][one][one] is None
        for other in set(range(count)) - {one}:
            pair, back = found["cross"][one][other], found["cross"][other][one]
            assert pair["difference"] == pytest.approx(-back["difference"])
            assert pair["better"] == pytest.approx(1 - back["better"])
    cells = [cell for row in found["powers"].values() for cell in row if cell]
    games = sum(cell["games"] for cell in cells)
    total = sum(cell["games"] * cell["score"] for cell in cells)
    assert total / games == pytest.approx(found["even"])
    for bot, course in zip(found["status"]["bots"], found["course"], strict=True):
        assert course[-1] == [14, pytest.approx(bot["score"])]


async def test_a_view_is_made_again_when_games_were_stored(cup: Path) -> None:
    async with watched_folder(cup, cups=[cup]) as visitor:
        before = await visitor.json("/api/tournaments/cup")
        await run_all(cup, play_with_trouble)
        await visitor.until("/api/tournaments/cup", '"played":14')

    assert before["status"]["played"] == 0


async def test_what_went_wrong_is_shown_and_logs_only_if_that_is_wanted(
    cup: Path,
) -> None:
    await run_all(cup, play_with_trouble)
    address = "/tournaments/cup/logs/000003/AUS.output.txt"
    async with watched_folder(cup, cups=[cup]) as visitor:
        page = (await visitor.get("/tournaments/cup")).text
        log = await visitor.get(address)
    assert "F1902M: it ended" in page
    assert "the &lt;b&gt;worker&lt;/b&gt; was killed; played in attempt 2" in page
    assert "AUS.output" not in page
    assert log.status_code == 404

    async with watched_folder(cup, cups=[cup], logs=True) as visitor:
        page = (await visitor.get("/tournaments/cup")).text
        log = await visitor.get(address)
        assert (log.status_code, log.text) == (200, "a bot's last words")
        assert "ENG.output" not in page
        for path in ("..%2f..%2ftournament.toml", "000003/..%2f..%2fresults.db", "x"):
            answer = await visitor.get(f"/tournaments/cup/logs/{path}")
            assert answer.status_code == 404


async def test_a_tournament_that_cannot_be_read_is_not_there(cup: Path) -> None:
    (cup / "tournament.toml").write_text("[design]\ngames = 'many'\n")
    async with watched_folder(cup, cups=[cup]) as visitor:
        for path in ("/tournaments/cup", "/api/tournaments/cup", "/tournaments/other"):
            assert (await visitor.get(path)).status_code == 404
        assert (await visitor.get("/tournaments")).status_code == 200


def test_tournaments_are_found_in_folders_and_numbered_apart(tmp_path: Path) -> None:
    cups = [write_cup(tmp_path / name / "cup") for name in ("one", "two")]
    found = tournament_folders([tmp_path / "one", cups[1], tmp_path / "records"])

    assert found == cups
    assert dict(numbered(found)) == {"cup": cups[0], "cup-2": cups[1]}


async def test_many_bots_fit_on_a_page(tmp_path: Path) -> None:
    """Also before any block is finished."""
    games = DesignSettings(games=2)
    cup = write_cup(tmp_path / "cup", bots=20, design=games)
    async with watched_folder(cup, cups=[cup]) as visitor:
        assert "bot19" in (await visitor.get("/tournaments/cup")).text
