"""Plays games from one position to their ends, between built-in bots of one process.

Each game has a server of its own and is played on its own; functions here block.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import trio
from attrs import evolve, frozen

from daide_server import __version__
from daide_server.app.server import Server
from daide_server.app.settings import ServerSettings
from daide_server.board.names import Power
from daide_server.bots.built_in import BOTS, play
from daide_server.bots.client import join
from daide_server.bots.errors import UNREPORTED
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord
from daide_server.records.turn_results import game_result
from daide_server.scoring.systems import points, score
from daide_server.server.events import (
    Events,
    RecordRefused,
    RecordStored,
    ServerEvent,
)
from daide_server.storage.game_files import games_in, read_game
from daide_server.storage.variants import find_variant
from daide_server.tournament.spread import Continuation


@frozen
class Branching:
    """What the games from one position have in common."""

    settings: ServerSettings
    """Of each server: with the start, one game, and `seats` by name."""
    bots: Mapping[Power, str]
    seed: int
    """The game *n* is played with this seed and *n*."""
    system: str
    """The scoring system."""
    keeps_records: bool = False
    """Whether records stay in the folder of the settings."""


class ContinuationError(Exception):
    """A game was broken off; the message says why."""


def play_on(branching: Branching, number: int) -> Continuation:
    """Play game *number*. Raises `ContinuationError` if it did not end."""
    if branching.keeps_records:
        return continuation(_record(branching, number), branching.system)
    with TemporaryDirectory() as folder:
        service = evolve(branching.settings.service, records=folder)
        settings = evolve(branching.settings, service=service)
        record = _record(evolve(branching, settings=settings), number)
        return continuation(record, branching.system)


def continuation(record: GameRecord, system: str) -> Continuation:
    """Return how the game of *record* ended. Raises `ContinuationError`."""
    if record.ending is None or record.ending is Ending.ABORTED:
        message = f"{record.id}: was broken off"
        raise ContinuationError(message)
    shares = score(points(system, game_result(record)))
    powers = record.variant.map.powers
    return Continuation(
        record.ending,
        record.winners,
        {power: len(record.last.centres_of(power)) for power in powers},
        {power: float(shares[power]) for power in powers},
    )


class _RecordPath:
    """Remembers where the record of the only game is, or why it is not."""

    path: Path | None = None
    problem: str = "has no record"

    def __init__(self) -> None:
        self.refused: Final = trio.Event()

    def __call__(self, event: ServerEvent) -> None:
        """Keep the path or the reason, as nobody watches who could make room."""
        match event:
            case RecordStored(path=path):
                self.path = path
            case RecordRefused(reason=reason):
                self.problem = reason
                self.refused.set()
            case _:
                pass


def _record(branching: Branching, number: int) -> GameRecord:
    found = _RecordPath()
    trio.run(_play, branching, number, found)
    if found.path is None:
        message = f"game {number}: {found.problem}"
        raise ContinuationError(message)
    (file,) = games_in(found.path)
    variant = find_variant(branching.settings.board.variant)
    return read_game(file, lambda _: variant)


async def _play(branching: Branching, number: int, found: _RecordPath) -> None:
    server = Server(branching.settings, lambda _: None, Events(found))
    async with trio.open_nursery() as nursery:
        for power, bot in branching.bots.items():
            seed = f"{branching.seed} {number} {power}"
            nursery.start_soon(_play_bot, server.address, (power, bot), seed)
        nursery.start_soon(_stop_when_refused, server, found)
        await server.run()
        nursery.cancel_scope.cancel()


async def _stop_when_refused(server: Server, found: _RecordPath) -> None:
    await found.refused.wait()
    server.stop()


async def _play_bot(address: str, seat: tuple[Power, str], seed: str) -> None:
    power, bot = seat
    host, _, port = address.rpartition(":")
    strategy = BOTS[bot](Random(seed))  # noqa: S311 - a game, not a secret
    name = f"{power}:{bot}"
    async with join(
        host, int(port), name=name, version=__version__, retries=UNREPORTED
    ) as game:
        await play(game, strategy)
