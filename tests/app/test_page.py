"""The page of a running server: what it shows, and what it never shows."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
import trio

from daide_server.board.map import Variant
from daide_server.web import process
from tests.end_to_end.playing import all_hold
from tests.support.peers import holds
from tests.support.web_pages import Served, Stream, running_page


async def game_of(served: Served) -> str:
    """Return the id of the only running game, once the page has it."""
    while not (running := (await served.visitor.json("/api/games"))["running"]):  # noqa: ASYNC110
        # Another process makes its view.
        await trio.sleep(0.05)
    name: str = running[0]["id"]
    return name


async def test_a_turn_appears_when_it_is_processed(
    tmp_path: Path, standard: Variant
) -> None:
    async with running_page(tmp_path) as served:
        seats = await served.players()
        game = await game_of(served)
        stream = await Stream.open(served.visitor, f"/api/games/{game}/events")
        assert b"x-accel-buffering: no" in stream.head
        name, data = await stream.next()
        assert name == "reset"
        assert [turn["id"] for turn in json.loads(data)["turns"]] == ["S1901M"]
        await all_hold(seats, standard.start)
        names = []
        while name != "turn":
            name, data = await stream.next()
            names.append(name)
        assert json.loads(data)["id"] == "S1901M"
        assert len(json.loads(data)["orders"]) == 22
        assert set(names) <= {"open", "status", "turn"}
        page = await served.visitor.get(f"/games/{game}/S1901M")
        assert "A PAR H" in page.text


async def test_press_is_shown_live_if_that_is_wanted(tmp_path: Path) -> None:
    async with running_page(tmp_path, level=20, press="live") as served:
        seats = await served.players()
        game = await game_of(served)
        stream = await Stream.open(served.visitor, f"/api/games/{game}/events")
        await stream.next()
        await seats["FRA"].say("SND (ENG) (PRP (PCE (FRA ENG)))")
        name, data = await stream.next()
        while name != "press":
            name, data = await stream.next()
        assert json.loads(data)["text"] == "PRP ( PCE ( FRA ENG ) )"


async def test_delayed_press_is_shown_when_its_time_has_come(tmp_path: Path) -> None:
    """Though nothing else happens in the game."""
    async with running_page(tmp_path, level=20, press="delayed 1.5") as served:
        seats = await served.players()
        game = await game_of(served)
        stream = await Stream.open(served.visitor, f"/api/games/{game}/events")
        await stream.next()
        began = trio.current_time()
        await seats["FRA"].say("SND (ENG) (PRP (PCE (FRA ENG)))")
        name = ""
        while name != "press":
            name, _ = await stream.next()
        assert trio.current_time() >= began + 1.5


async def test_press_is_shown_after_the_game(tmp_path: Path) -> None:
    async with running_page(tmp_path, level=20) as served:
        seats = await served.players()
        game = await game_of(served)
        await seats["FRA"].say("SND (ENG) (PRP (PCE (FRA ENG)))")
        await seats["ENG"].hear_until("FRM")
        for peer in seats.values():
            await peer.say("DRW")
        await seats["AUS"].hear_until("SMR")
        await served.visitor.until(f"/api/games/{game}", "PCE")
        await served.visitor.until("/api/games", '"running":[]')
        assert "PCE" in (await served.visitor.get(f"/games/{game}")).text


async def test_followers_of_a_game_without_a_journal_see_its_end(
    tmp_path: Path,
) -> None:
    """Its file is gone by then: the record says how it ended."""
    async with running_page(tmp_path, durability="none") as served:
        seats = await served.players()
        game = await game_of(served)
        stream = await Stream.open(served.visitor, f"/api/games/{game}/events")
        for peer in seats.values():
            await peer.say("DRW")
        name = ""
        while name != "end":
            name, data = await stream.next()
        assert json.loads(data)["ending"] == "draw"


async def test_who_owes_orders_is_shown_and_not_which(
    tmp_path: Path, standard: Variant
) -> None:
    async with running_page(tmp_path, mtl=600) as served:
        seats = await served.players()
        game = await game_of(served)
        del seats["TUR"]
        for power, peer in seats.items():
            await peer.say(holds(standard.start, power))
        text = await served.visitor.until(
            f"/api/games/{game}/status", '"owing":["TUR"]'
        )
        status = json.loads(text)
        assert status["turn"] == "S1901M"
        assert status["until"] > status["since"]


async def test_a_gap_is_answered_by_the_whole_view(tmp_path: Path) -> None:
    async with running_page(tmp_path) as served:
        await served.players()
        game = await game_of(served)
        path = f"/api/games/{game}/events"
        for last, first in (("0", "open"), ("7", "reset"), ("x", "reset")):
            stream = await Stream.open(served.visitor, path, last)
            assert (await stream.next())[0] == first
            await stream.close()


async def test_the_first_page_follows_all_games(
    tmp_path: Path, standard: Variant
) -> None:
    async with running_page(tmp_path) as served:
        stream = await Stream.open(served.visitor, "/api/events")
        assert await stream.next() == ("games", "[]")
        seats = await served.players()
        _, data = await stream.next()
        (game,) = json.loads(data)
        assert game["last"]["id"] == "S1901M"
        await all_hold(seats, standard.start)
        _, data = await stream.next()
        assert json.loads(data)[0]["last"]["id"] == "F1901M"


async def test_spectators_have_places(tmp_path: Path) -> None:
    async with running_page(tmp_path, spectators=1) as served:
        stream = await Stream.open(served.visitor, "/api/events")
        await stream.next()
        assert (await served.visitor.get("/api/events")).status_code == 429


async def test_whether_players_can_be_taken_is_known(tmp_path: Path) -> None:
    async with running_page(tmp_path, drain=True) as served:
        assert (await served.visitor.get("/healthz")).status_code == 200
        await served.visitor.until("/readyz", "ready\n")
        assert (await served.visitor.get("/readyz")).status_code == 200
        journal = served.server.journal
        journal.failure = "No space left on device"
        answer = await served.visitor.get("/readyz")
        assert answer.status_code == 503
        assert "No space" in answer.text
        journal.failure = None
        assert (await served.visitor.get("/readyz")).status_code == 200
        served.server.drain()
        assert (await served.visitor.get("/readyz")).status_code == 503


async def test_metrics_count_turns_and_name_nobody(
    tmp_path: Path, standard: Variant
) -> None:
    async with running_page(tmp_path) as served:
        seats = await served.players()
        game = await game_of(served)
        await all_hold(seats, standard.start)
        text = (await served.visitor.get("/metrics")).text
        assert "daide_turns_total 1.0" in text
        assert "daide_games_running 1.0" in text
        assert "daide_clients_connected 7.0" in text
        assert 'daide_turn_processing_seconds_bucket{le="+Inf"} 1.0' in text
        assert game not in text
        assert "peer" not in text
        assert "127.0.0.1" not in text


async def test_games_that_go_on_are_counted_before_their_next_turn(
    tmp_path: Path,
) -> None:
    """Saved games here; those of a journal, too."""
    saves = str(tmp_path / "saves")
    async with running_page(tmp_path, save=saves) as served:
        await served.players()
        await game_of(served)
        await served.server.save()
    async with running_page(tmp_path, load=saves) as served:
        text = await served.visitor.until("/metrics", "daide_games_running 1.0")
        assert "daide_games_started_total 0.0" in text


def damage(folder: Path) -> None:
    """Write over the index in *folder*."""
    for path in folder.glob(".daide-server-index.sqlite*"):
        path.write_bytes(b"x" * 10_000)


async def test_a_damaged_index_costs_some_answers_and_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "RESCAN_SECONDS", 0.2)
    async with running_page(tmp_path) as served:
        await served.visitor.until("/", "Nothing has been played here yet")
        damage(tmp_path)
        answer = await served.visitor.get("/bots/" + quote("nobody"))
        assert answer.status_code in {404, 503}
        assert (await served.visitor.get("/healthz")).status_code == 200
        await served.visitor.until("/", "Nothing has been played here yet")
