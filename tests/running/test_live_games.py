"""Games of a run on its page, while they are played."""

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.records.entries import Ended, RecordEntry, TurnResolved
from daide_server.reports.views import GameSummary
from daide_server.running.executors import OpenExecutor, open_executor
from daide_server.running.game_task import GameTask
from daide_server.running.live_games import LiveGames
from daide_server.running.live_views import GameNews, decode_news
from daide_server.running.new_tournament import match_file
from daide_server.running.play_game import play
from daide_server.running.run_events import GameOver
from daide_server.running.run_page import GAMES_ELSEWHERE, RunPage, ShownRun
from daide_server.running.scheduler import Scheduler
from daide_server.running.tournament_settings import (
    TOURNAMENT_DEFAULTS,
    BotSettings,
    DesignSettings,
)
from daide_server.running.tournament_state import playing
from daide_server.tournament.game_outcomes import Attempt, PlayedGame
from daide_server.web.feed import Feed
from daide_server.web.game_feeder import FedGame, GameFeeder
from tests.running.cups import Waiting, cup_settings, hold_bots, write_cup
from tests.support.foreign_bots import foreign_bot, game_task
from tests.support.settings import settings_with
from tests.support.web_pages import Stream, Visitor, visitor

PATIENCE = 60.0


def hold_task(last_year: int) -> GameTask:
    game = {"game": {"year_limit": last_year, "post_game_seconds": 0.0}}
    return game_task(game=game)


async def test_news_are_all_entries_in_order_and_end_with_the_game() -> None:
    """Whoever puts them together has what the record is made of."""
    news: list[GameNews] = []
    await play(hold_task(1960), show=lambda content: news.append(decode_news(content)))

    entries: list[RecordEntry] = []
    for each in news:
        assert each.offset == len(entries)
        entries += each.entries
    assert sum(isinstance(each, TurnResolved) for each in entries) == 120
    assert any(isinstance(each, Ended) for each in entries)
    assert news[-1].status == b""


async def test_who_takes_no_news_delays_no_game() -> None:
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


@asynccontextmanager
async def run_page(
    cup: Path, *, is_local: bool
) -> AsyncIterator[tuple[RunPage, Visitor]]:
    """Serve the page of a run that is about to begin."""
    errors: list[Exception] = []
    settings = settings_with(web="127.0.0.1:0")
    shown = ShownRun(folder=cup, store="", is_local=is_local)
    page = RunPage(settings, shown, errors.append)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await nursery.start(page.run)
            async with visitor(page.line.removeprefix("web on http://")) as found:
                yield page, found
            nursery.cancel_scope.cancel()
    assert not errors


def slow_cup(folder: Path) -> Path:
    """Return a tournament with a bot that never orders, so that deadlines pass."""
    silent = foreign_bot(folder, "stream = join(port)\nwhile True: receive(stream)")
    settings = cup_settings(
        games=7,
        policy=evolve(
            TOURNAMENT_DEFAULTS.policy, year_limit=1901, post_game_seconds=0.0
        ),
        options=evolve(TOURNAMENT_DEFAULTS.options, movement_limit=1),
    )
    bots = [*hold_bots(6), BotSettings(name="silent", command=silent.command)]
    (folder / "cup").mkdir()
    (folder / "cup" / "tournament.toml").write_text(match_file(settings, bots))
    return folder / "cup"


@pytest.mark.end_to_end
async def test_a_game_is_followed_while_a_worker_plays_it(tmp_path: Path) -> None:
    """From a worker's pipe to a browser, and then from its record."""
    cup = slow_cup(tmp_path)
    async with run_page(cup, is_local=True) as (page, found):
        stream = await Stream.open(found, "/api/events")
        with playing(cup) as (state, _), open_executor("local", 1, cup) as opened:
            run = Scheduler(state, opened, page.reporting(lambda _: None), page.play)
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

    assert {game["id"] for game in seen} == {"cup-000001"}
    assert seen[0]["running"]
    assert len({game["last"]["id"] for game in seen}) > 1
    assert view["ending"]
    assert table["status"]["played"] == 1


async def test_games_elsewhere_appear_when_they_are_finished(tmp_path: Path) -> None:
    """And the page says so as long as any are played."""
    cup = write_cup(tmp_path / "cup", design=DesignSettings(games=7))
    executor = Waiting()
    async with run_page(cup, is_local=False) as (page, found):
        with playing(cup) as (state, _):
            opened = OpenExecutor(executor, 2)
            run = Scheduler(state, opened, page.reporting(lambda _: None), page.play)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run.run)
                await found.until("/tournaments/cup", GAMES_ELSEWHERE)
                for game in range(1, 8):
                    while game not in executor.begun:  # noqa: ASYNC110
                        await trio.sleep(0.01)
                    executor.finish(game)
            await found.until("/api/tournaments/cup", '"played":7')
        assert GAMES_ELSEWHERE not in await found.until("/tournaments/cup", "7 of 7")


class SlowFeeder:
    """A `GameFeeder` whose worker takes a while, and shows press with a delay."""

    def __init__(self) -> None:
        self.closed: list[str] = []

    async def run(self) -> None:
        await trio.sleep_forever()

    async def update(self, game: FedGame) -> bool:
        game.public = game.public or Feed().open_game(game.name, after=0)
        game.public.channel.join(0)
        await trio.sleep(5)
        game.due = 0.0
        return True

    def show_status(self, game: FedGame, status: bytes) -> None:
        pass

    def end(self, game: FedGame) -> None:
        pass

    async def close_when_indexed(self, name: str) -> None:
        await trio.sleep(5)
        self.closed.append(name)


async def test_a_game_that_is_over_is_left_to_the_index_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Though delayed press of it falls due while its end is drawn."""
    del autojump_clock
    slow: Any = SlowFeeder()
    live = LiveGames("cup", slow, lambda: None)
    news = GameNews(
        attempt=Attempt(1, 1),
        board="standard",
        started=0.0,
        metadata={},
        offset=0,
        entries=(),
        seconds=0.0,
        status=b"{}",
    )
    over = PlayedGame(1, 1, SimpleNamespace(), ())  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(live.run)
        live.take(news)
        await trio.sleep(10)
        live.note(GameOver(over, 1.0, counts=True))
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert slow.closed == ["cup-000001"]


def test_a_broken_off_game_disappears() -> None:
    """Its card says to the first page that it does not run any more."""
    feed = Feed()
    feeder = GameFeeder(feed, *[SimpleNamespace()] * 3)  # type: ignore[arg-type]
    fed = FedGame(
        name="cup-000001",
        board="standard",
        started=0.0,
        metadata={},
        entries=list,
        seconds=float,
    )
    feeder.withdraw(fed)
    fed.public = feed.open_game(fed.name, after=0)
    summary = GameSummary("cup-000001", "standard", "", "", 1, (), 0.0, running=True)
    fed.public.card = msgspec.json.encode(summary)
    feeder.withdraw(fed)

    assert not feed.games
    assert fed.public.channel.is_closed
