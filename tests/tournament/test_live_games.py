"""Tournaments on the page: games while they are played, tables, what is not shown."""

import json
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.cli.tournament_play import NOTE
from daide_server.library.game_files import Found, read_game
from daide_server.records.entries import DrawVoted, PressSent, TurnResolved, Vacated
from daide_server.server import written_games
from daide_server.server.page import PageTask
from daide_server.server.written_games import RunningRecord, claim, has_owner
from daide_server.tournament.game_outcomes import Forfeit, PlayedGame, VoidGame
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.executors import OpenExecutor, open_executor
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.play_game import play
from daide_server.tournament.run.scheduler import Scheduler, showing
from daide_server.tournament.run.tournament_settings import (
    TOURNAMENT_DEFAULTS,
    DesignSettings,
)
from daide_server.tournament.run.tournament_state import playing
from daide_server.tournament.standings import status_json
from daide_server.web.tournaments import numbered, tournament_folders
from tests.support.foreign_bots import foreign_bot, game_task
from tests.support.random_games import Play
from tests.support.web_pages import Stream, page_settings, serving_page, watched_folder
from tests.tournament import cups

FRANCE, ENGLAND = Power("FRA"), Power("ENG")
PATIENCE = 60.0


def hold_task(last_year: int) -> GameTask:
    game = {"game": {"year_limit": last_year, "post_game_seconds": 0.0}}
    return game_task(game=game)


async def test_a_page_gets_the_record_so_far_after_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is that of a game that goes on, with more turns than the one before."""
    monkeypatch.setattr(written_games, "PAUSE_RATIO", 0.0)  # no pause after a slow one
    news: list[bytes] = []
    await play(hold_task(1960), show=news.append)

    records = [read_game(Found(Path("x"), None, each)) for each in news]
    turns = [len(each.turns) for each in records]
    assert turns == sorted(set(turns))
    assert turns[-1] > 20
    assert all(each.ending is None for each in records)
    assert {each.name for each in records[-1].sittings} == {"hold"}


def test_the_record_so_far_has_what_everybody_knows(
    standard: Variant, chance: Play
) -> None:
    """No press, no votes, no refused orders, nothing of the turn that is played."""
    entries = chance(1, turns=4)
    turns = [each for each in entries if isinstance(each, TurnResolved)]
    last = entries.index(turns[-1])
    open_turn = [
        PressSent(FRANCE, (ENGLAND,), "SECRET", 1e6),
        DrawVoted(FRANCE, None, withdrawn=False, seconds=1e6),
        Vacated(FRANCE, 1e6),
    ]
    state = SimpleNamespace(has_started=True, position=turns[-1].next)
    runner: Any = SimpleNamespace(
        game=SimpleNamespace(state=state),
        entries=[*entries[: last + 1], *open_turn],
        header=SimpleNamespace(record="x", opened=0.0, metadata={}),
    )
    made = RunningRecord(runner, standard).changed()
    assert made is not None
    record = read_game(Found(Path("x"), None, made()))

    assert len(record.turns) == len(turns)
    assert not record.press_and_votes
    assert b"SECRET" not in made()
    assert max(each.until or 0.0 for each in record.sittings) < 1e6


async def test_a_reader_that_stops_reading_delays_no_game() -> None:
    """One message waits; at the end another second is given."""
    asked, taken = [], threading.Event()

    def never(content: bytes) -> None:
        asked.append(content)
        taken.wait(PATIENCE)

    began = trio.current_time()
    report = await play(hold_task(1903), show=never)
    seconds = trio.current_time() - began
    taken.set()

    assert isinstance(report.outcome, PlayedGame)
    assert len(asked) <= 2
    assert seconds < PATIENCE / 2


def slow_cup(folder: Path) -> Path:
    """Return a tournament with a bot that never orders, so that deadlines pass."""
    silent = foreign_bot(folder, "stream = join(port)\nwhile True: receive(stream)")
    return cups.write_cup(
        folder / "cup",
        games=7,
        bots=[*cups.hold_bots(6), BotSettings(name="silent", command=silent.command)],
        policy=cups.ONE_YEAR,
        options=evolve(TOURNAMENT_DEFAULTS.options, movement_limit=1),
    )


def page_of(cup: Path, note: str = "") -> PageTask:
    return PageTask(settings=page_settings(), tournaments=(str(cup),), note=note)


@pytest.mark.end_to_end
async def test_a_game_is_followed_while_a_worker_plays_it(tmp_path: Path) -> None:
    """From a worker's pipe to a browser, and then from its record."""
    cup = slow_cup(tmp_path)
    with trio.fail_after(PATIENCE):
        async with serving_page(page_of(cup)) as (found, errors):
            stream = await Stream.open(found, "/api/events")
            with (
                playing(cup) as (state, _),
                open_executor("local", 1, cup) as opened,
                showing(state.folder) as shown,
            ):
                assert state.folder.has_interest()
                state.folder.show_interest()  # as another page does
                run = Scheduler(state, opened, lambda _: None, shown)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(run.run)
                    seen: list[dict[str, Any]] = []
                    while not seen or seen[-1].get("running", False):
                        name, data = await stream.next()
                        assert name == "games"
                        seen += json.loads(data)
                        if seen:
                            run.drain()
            await found.until("/api/games", '"running":[]')
            view = await found.json("/api/games/cup-000001")
            table = await found.json("/api/tournaments/cup")
    assert not errors

    assert {game["id"] for game in seen} == {"cup-000001"}
    assert seen[0]["running"]
    assert len({game["last"]["id"] for game in seen}) > 1
    assert view["ending"]
    assert table["status"]["played"] == 1


async def test_games_elsewhere_appear_when_they_are_finished(tmp_path: Path) -> None:
    """And the page says so as long as any are played."""
    cup = cups.write_cup(tmp_path / "cup", design=DesignSettings(games=7))
    executor = cups.Waiting()
    with trio.fail_after(PATIENCE):
        async with serving_page(page_of(cup, NOTE)) as (found, _):
            with playing(cup) as (state, _):
                run = Scheduler(state, OpenExecutor(executor, 2), lambda _: None)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(run.run)
                    await found.until("/tournaments/cup", NOTE)
                    for game in range(1, 8):
                        while game not in executor.begun:  # noqa: ASYNC110
                            await trio.sleep(0.01)
                        executor.finish(game)
                await found.until("/api/tournaments/cup", '"played":7')
            assert NOTE not in await found.until("/tournaments/cup", "7 of 7")


def test_games_of_a_run_that_was_killed_are_not_shown(tmp_path: Path) -> None:
    """Nor are they left for the next one."""
    (tmp_path / "000001.running").write_text("{}")
    (tmp_path / "owner").write_text(str(2**22 + 1))
    assert not has_owner(tmp_path)
    claim(tmp_path)
    assert has_owner(tmp_path)
    assert not list(tmp_path.glob("*.running"))


# Tables


LOGS = {
    "AUS.output.txt": "a bot's last words",
    "ENG.output.txt": "another bot's",
    "server.log": "what happened",
}


def play_with_trouble(task: GameTask) -> GameReport:
    """Play by seed, but game 2 is void at first, and in game 3 Austria forfeits."""
    found = cups.result_of_task(task)
    attempt = task.attempt
    if (attempt.game, attempt.number) == (2, 1):
        return GameReport(VoidGame(2, 1, "the <b>worker</b> was killed"))
    if attempt.game != 3:
        return cups.play_by_seed(task)
    first, *others = found.seats
    first = evolve(first, forfeit=Forfeit("F1902M", "it ended", "words"))
    return GameReport(evolve(found, seats=(first, *others)), None, LOGS)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Return a folder with a tournament that nobody has played."""
    return cups.write_cup(tmp_path / "cup")


async def test_the_page_and_the_api_say_what_status_says(cup: Path) -> None:
    await cups.run_all(cup, play_with_trouble)
    async with watched_folder(cup, cups=[cup]) as visitor:
        found = await visitor.json("/api/tournaments/cup")
        page = (await visitor.get("/tournaments/cup")).text
        first_page = (await visitor.get("/")).text
        cards = await visitor.json("/api/tournaments")

    status = json.loads(status_json(cups.status_of(cup)))
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
    await cups.run_all(cup)
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


async def test_what_went_wrong_is_shown_and_logs_only_if_that_is_wanted(
    cup: Path,
) -> None:
    await cups.run_all(cup, play_with_trouble)
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
    both = [cups.write_cup(tmp_path / name / "cup") for name in ("one", "two")]
    found = tournament_folders([tmp_path / "one", both[1], tmp_path / "records"])

    assert found == both
    assert dict(numbered(found)) == {"cup": both[0], "cup-2": both[1]}


async def test_many_bots_fit_on_a_page(tmp_path: Path) -> None:
    """Also before any block is finished."""
    games = DesignSettings(games=2)
    cup = cups.write_cup(tmp_path / "cup", bots=20, design=games)
    async with watched_folder(cup, cups=[cup]) as visitor:
        assert "bot19" in (await visitor.get("/tournaments/cup")).text
