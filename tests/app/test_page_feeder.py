"""What the page has of games that run, and of those that have just ended."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import trio
import trio.testing

from daide_server.app.page_feeder import FeederParts, PageChanges, PageFeeder
from daide_server.board.variant import Variant
from daide_server.game.directory import GameId
from daide_server.records.entries import Began
from daide_server.server.events import RecordStored
from daide_server.web.game_feeder import FedGame

GAME = GameId(1)


class SlowFeeder:
    """A `GameFeeder` whose worker answers when it is let."""

    def __init__(self) -> None:
        self.updated: list[str] = []
        self.closed: list[str] = []
        self.may_answer = trio.Event()

    async def run(self) -> None:
        await trio.sleep_forever()

    async def update(self, game: FedGame) -> bool:
        self.updated.append(game.name)
        await self.may_answer.wait()
        return True

    def show_status(self, game: FedGame, status: bytes) -> None:
        pass

    async def close_when_indexed(self, name: str) -> None:
        self.closed.append(name)


def ended_game(standard: Variant) -> Any:  # noqa: ANN401 - as much of a runner as the page looks at
    return SimpleNamespace(
        number=GAME,
        header=SimpleNamespace(record="x", opened=0.0, metadata={}),
        entries=[Began("standard", "2000", 0, standard.start, 0.0)],
        seconds=0.0,
        game=SimpleNamespace(state=SimpleNamespace(ending="draw", is_running=False)),
    )


async def test_a_game_that_was_left_to_the_index_does_not_come_back(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Its record may be found while a late change is still drawn: it ended once."""
    del autojump_clock
    slow: Any = SlowFeeder()
    changes, indexed = PageChanges(), list[bool]()
    parts = FeederParts(
        feeder=slow,
        board="standard",
        runners=lambda: [ended_game(standard)],
        records_changed=lambda: indexed.append(True),
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(PageFeeder(parts, changes).run)
        changes.note(GAME)
        await trio.testing.wait_all_tasks_blocked()
        changes(RecordStored(GAME, Path("x.json")))
        slow.may_answer.set()
        await trio.sleep(10)
        changes.note(GAME)
        await trio.sleep(10)
        nursery.cancel_scope.cancel()

    assert slow.updated == slow.closed == ["x"]
    assert indexed == [True]
