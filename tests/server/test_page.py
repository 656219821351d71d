"""The page of a running server: what it shows, and what it never shows."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import trio

from daide_server.board.map import Variant
from daide_server.records.formats.registry import FORMATS
from daide_server.web import process
from daide_server.web.api import OPERATIONS
from tests.end_to_end.playing import all_hold, passcode
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
    """To followers of the game, and of all games, who have a number of places."""
    async with running_page(tmp_path, mtl=600, spectators=2) as served:
        games = await Stream.open(served.visitor, "/api/events")
        assert await games.next() == ("games", "[]")
        seats = await served.players()
        game = await game_of(served)
        assert (await _next_game(games))["last"]["id"] == "S1901M"
        stream = await Stream.open(served.visitor, f"/api/games/{game}/events")
        assert (await served.visitor.get("/api/events")).status_code == 429
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
        assert (await _next_game(games))["last"]["id"] == "F1901M"


async def _next_game(games: Stream) -> dict[str, Any]:
    """Return the only game in the next list of games."""
    _, data = await games.next()
    (game,) = json.loads(data)
    found: dict[str, Any] = game
    return found


async def test_who_owes_orders_is_shown_and_metrics_name_nobody(
    tmp_path: Path, standard: Variant
) -> None:
    """Nor does the page say which orders; turns and clients are counted."""
    async with running_page(tmp_path, mtl=600) as served:
        seats = await served.players()
        game = await game_of(served)
        last = seats.pop("TUR")
        for power, peer in seats.items():
            await peer.say(holds(standard.start, power))
        owing = '"owing":["TUR"]'
        text = await served.visitor.until(f"/api/games/{game}/status", owing)
        status = json.loads(text)
        assert status["turn"] == "S1901M"
        assert status["until"] > status["since"]
        await last.say(holds(standard.start, "TUR"))
        await last.hear_until("TME")
        text = (await served.visitor.get("/metrics")).text
        assert "daide_turns_total 1.0" in text
        assert "daide_turn_seconds_count 1.0" in text
        assert "daide_games_running 1.0" in text
        assert "daide_clients_connected 7.0" in text
        assert 'daide_turn_processing_seconds_bucket{le="+Inf"} 1.0' in text
        assert game not in text
        assert "peer" not in text
        assert "127.0.0.1" not in text


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


async def test_a_gap_is_answered_by_the_whole_view(tmp_path: Path) -> None:
    async with running_page(tmp_path) as served:
        await served.players()
        game = await game_of(served)
        path = f"/api/games/{game}/events"
        for last, first in (("0", "open"), ("7", "reset"), ("x", "reset")):
            stream = await Stream.open(served.visitor, path, last)
            assert (await stream.next())[0] == first
            await stream.close()


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


async def test_a_damaged_index_costs_some_answers_and_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "RESCAN_SECONDS", 0.2)
    async with running_page(tmp_path) as served:
        await served.visitor.until("/", "Nothing has been played here yet")
        for path in tmp_path.glob(".daide-server-index.sqlite*"):
            path.write_bytes(b"x" * 10_000)
        answer = await served.visitor.get("/bots/" + quote("nobody"))
        assert answer.status_code in {404, 503}
        assert (await served.visitor.get("/healthz")).status_code == 200
        await served.visitor.until("/", "Nothing has been played here yet")


CODES = range(7919, 7926)
"""The passcodes; no board has coordinates, and no game has counts, that are so high."""
PAGES = ("/", "/games/{game}", "/games/{game}/{turn}", "/bots/{name}", "/tournaments")
PLACES = {
    "format": tuple(FORMATS),
    "turn": ("S1901M", "F1901M"),
    "board": ("standard",),
}
"""What stands in the addresses of the document."""
UNASKED = ("/events", "/choices")


def leaked(text: str, codes: Iterable[int]) -> list[int]:
    """Return those of *codes* that *text* has as numbers of their own.

    Digits of a longer number, of a fraction or of a hash are none.
    """
    found = set(re.findall(r"(?<![\w.])\d+(?!\w)(?!\.\d)", text))
    return [code for code in codes if str(code) in found]


def choose_passcodes(served: Served) -> None:
    """Let the game that forms have passcodes that nothing else is taken for."""
    (runner,) = served.server.games.open_games()
    state = runner.game.state
    for power, code in zip(state.variant.map.powers, CODES, strict=True):
        state.seating[power].passcode = code


def addresses(game: str) -> list[str]:
    """Return all addresses of the page about *game*, but for streams and choices."""
    shapes = [*PAGES, *(each.path for each in OPERATIONS), "/api/openapi.json"]
    found = set(shapes)
    for name, values in PLACES.items():
        found = {
            path.replace(f"{{{name}}}", value) for path in found for value in values
        }
    found = {path.format(game=game, name="peer1", number="x") for path in found}
    return sorted(path for path in found if not path.endswith(UNASKED))


async def everything(served: Served, game: str) -> str:
    """Return all answers with their heads, from every address."""
    texts = []
    for path in addresses(game):
        answer = await served.visitor.get(path)
        texts.append(f"{path}\n{answer.headers}\n{answer.text}")
    return "\n".join(texts)


async def heard_until(stream: Stream, is_last: Callable[[str, str], bool]) -> str:
    """Return what *stream* says, up to an event."""
    texts = [stream.head.decode()]
    while True:
        name, data = await stream.next()
        texts.append(f"{name} {data}")
        if is_last(name, data):
            return "\n".join(texts)


@pytest.mark.parametrize("durability", ["process", "none"])
async def test_nothing_secret_is_shown_of_a_running_game(
    tmp_path: Path, standard: Variant, durability: str
) -> None:
    """Orders before they count, passcodes, and press and votes before the end.

    Whether the page follows a journal or the record so far.
    """
    async with running_page(tmp_path, level=20, durability=durability) as served:
        await served.visitor.until("/readyz", "ready\n")
        choose_passcodes(served)
        seats = await served.players()
        game = await game_of(served)
        streams = [
            await Stream.open(served.visitor, f"/api/games/{game}/events"),
            await Stream.open(served.visitor, "/api/events"),
        ]
        choices = f"/api/games/{game}/choices?turn=S1901M&unit=PAR"
        before = await served.visitor.json(choices)
        assert {await passcode(peer) for peer in seats.values()} == set(CODES)
        await seats["FRA"].say("SUB ((FRA AMY PAR) MTO GAS)")
        await seats["FRA"].say("SUB ((FRA AMY MUN) MTO BUR)")
        await seats["FRA"].say("SND (ENG) (PRP (ALY (FRA ENG) VSS (GER)))")
        await seats["ENG"].hear_until("FRM")
        await seats["ENG"].say("SND (FRA) (YES (PRP (ALY (FRA ENG) VSS (GER))))")
        await seats["FRA"].hear_until("FRM")
        await seats["FRA"].say("DRW")
        await seats["FRA"].hear_until("YES")
        early = await everything(served, game)
        assert await served.visitor.json(choices) == before

        # The first page may have been told nothing yet of the second turn.
        await all_hold(seats, standard.start)
        late = await heard_until(streams[0], lambda name, _: name == "turn")
        late += await heard_until(streams[1], lambda _, data: "F1901M" in data)
        await served.visitor.until(f"/api/games/{game}", "F1901M")
        late += await everything(served, game)

        assert leaked(json.dumps(before), CODES) == []
        for text in (early, late):
            assert leaked(text, CODES) == []
            assert "VSS" not in text
            assert not re.search("alliance|ally against", text)
            assert "votes for a draw" not in text
        for order in ("A PAR - GAS", "GAS MTO", '"to":"GAS"'):
            assert order not in early
