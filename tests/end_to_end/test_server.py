"""A real server on a real port: games to their record, on every board."""

import errno
import runpy
from pathlib import Path

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from daide_server.board.map import Variant
from daide_server.bots.built_in import BOTS, BotResult, play_bot
from daide_server.cli import main
from daide_server.library import journal_file
from daide_server.library.variants import load_variant, variant_names
from daide_server.records.replay import replay
from tests.end_to_end.playing import all_hold, record_in, recorded
from tests.support.peers import FM, POWERS, Running, running

pytestmark = pytest.mark.end_to_end


async def test_a_game_is_played_and_its_record_written(
    tmp_path: Path, standard: Variant
) -> None:
    """Seven clients hold through two years; the survivors share a draw."""
    async with running(
        tmp_path, year_limit=1901, post_game_seconds=0.1, games=1
    ) as server:
        seats = await server.players()
        for _ in range(2):
            told = await all_hold(seats, standard.start)
            for heard in told.values():
                assert sum(text.startswith("ORD") for text in heard) == 22
        assert [text[:3] for text in heard[-4:]] == ["SCO", "DRW", "SMR", "NOW"]
        for peer in seats.values():
            await peer.hears("OFF")
            assert await peer.frame() == FM
            await peer.is_closed()
    (record,) = recorded(tmp_path)
    assert record["metadata"]["seed"] == "random"
    phases = record["phases"]
    assert [phase["name"] for phase in phases] == ["S1901M", "F1901M", "COMPLETED"]


async def test_each_game_has_a_port_of_its_own(tmp_path: Path) -> None:
    """Announced as it opens; who joins there is in that game."""
    ports = "17960-17969"
    async with running(tmp_path, game_ports=ports) as server:
        await trio.testing.wait_all_tasks_blocked()
        assert server.lines[0] == f"listening on {server.address}"
        assert server.lines[1].endswith(" game 1")
        address = server.lines[1].split()[2]
        peers = [await server.introduced(address) for _ in POWERS]
        for peer in peers:
            await peer.join()
        for peer in peers:
            await peer.hear_until("HLO")
        late = await server.introduced(address)
        await late.say("NME ('late') ('1')")
        await late.hears("REJ (NME ('late') ('1'))")
        assert server.lines[2].endswith(" game 2")


async def health(server: Running, *words: str) -> tuple[int, str]:
    """Return the exit code of a check, and what it says of a failure."""
    command = ["health", server.address, *words]
    done = await trio.to_thread.run_sync(CliRunner().invoke, main, command)
    return done.exit_code, done.stderr


async def test_a_server_is_ready_when_its_journal_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk makes it wait, and it goes on when there is room again."""

    def full(fd: int, data: bytes) -> None:
        del fd, data
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = str(tmp_path / "journal")
    async with running(tmp_path, durability="process", journal=journal) as server:
        assert await health(server, "--ready") == (0, "")
        seats = await server.players()
        with monkeypatch.context() as disk:
            disk.setattr(journal_file, "write_all", full)
            await seats["FRA"].say("NOT (GOF)")
            for words in ((), ("--ready",)):
                code, reason = await health(server, *words, "--timeout", "0.3")
                assert code == 1
                assert reason == "daide-server: no RM from the server: timed out\n"
        assert await health(server, "--ready", "--timeout", "10") == (0, "")
        await seats["FRA"].hears("YES (NOT (GOF))")


# Our bots play games to their end on every board, and as the examples do


YEARS = 3


async def play(name: str, folder: Path) -> list[BotResult]:
    """Return how a game of as many bots as there are powers ended for each."""
    start, played = load_variant(name).start, list[BotResult]()
    given = {"variant": name, "year_limit": start.turn.year + YEARS, "seed": 1}
    given |= {"durability": "process", "journal": str(folder / "journal")}

    async def join(address: str, seed: int) -> None:
        host, port = address.split(":")
        bot = list(BOTS)[seed % len(BOTS)]
        played.append(await play_bot(bot, host, int(port), seed=seed))

    async with (
        running(folder, games=1, post_game_seconds=0.1, **given) as server,
        trio.open_nursery() as nursery,
    ):
        for seed, _ in enumerate(load_variant(name).map.powers):
            nursery.start_soon(join, server.address, seed)
    return played


@pytest.mark.parametrize("name", variant_names())
async def test_a_game_ends_properly_on_every_variant(name: str, tmp_path: Path) -> None:
    """Every power plays, is told the end, and every order it gave was possible.

    The record tells what happened, and is adjudicated again without a difference.
    """
    variant = load_variant(name)

    played = await play(name, tmp_path)

    assert {each.power for each in played} == set(variant.map.powers)
    assert all(each.ending is not None for each in played)
    assert all(each.summary is not None for each in played)
    assert [each.refused for each in played if each.refused] == []
    record = record_in(tmp_path)
    assert record.variant is variant
    assert len(record.turns) > YEARS
    assert list(replay(record)) == []


EXAMPLES = Path(__file__).parents[2] / "examples"


async def test_negotiators_agree_on_a_draw(tmp_path: Path) -> None:
    """By press, votes and events."""
    example = runpy.run_path(str(EXAMPLES / "negotiator.py"))
    async with running(tmp_path, games=1, level=20) as server:
        host, port = server.address.split(":")
        async with trio.open_nursery() as nursery:
            for _ in POWERS:
                nursery.start_soon(example["main"], host, int(port))
    (record,) = recorded(tmp_path)
    press = [
        message["message"]
        for phase in record["phases"]
        for message in phase["messages"]
    ]
    assert record["daide"]["ending"] == "draw"
    assert sum(text.startswith("YES ( PRP ( PCE") for text in press) == 42
