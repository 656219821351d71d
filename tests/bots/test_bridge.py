"""Bots on lines play whole games on our server."""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.bots.bot_pipes import PIPE_READ_BYTES, BridgeSettings, RawBridge
from daide_server.bots.entering import UNREPORTED
from daide_server.bots.line_bridge import Bridge
from daide_server.bots.lines.line_game import LineEffect
from daide_server.bots.lines.line_session import LineSession
from daide_server.bots.lines.line_types import MAX_LINE_BYTES
from tests.support.line_bots import (
    NO_RETURN,
    Line,
    ScriptedBot,
    bridged,
    dial_to,
    six_others,
    two_pipes,
)
from tests.support.needed import need_package

pytestmark = pytest.mark.end_to_end

TOP = Path(__file__).parents[2]
EXAMPLES = TOP / "examples" / "lines"
SCHEMA = TOP / "docs" / "lines.schema.json"


def ready(name: str, *wants: str, **more: object) -> Mapping[str, Any]:
    return {"type": "ready", "name": name, "wants": [*wants], **more}


def ready_alone(name: str, *wants: str, **more: object) -> ScriptedBot:
    """Return a bot that says ready, and nothing after that."""
    said = [ready(name, *wants, **more)]
    return ScriptedBot(lambda line: said if line["type"] == "hello" else [])


def first_orders(line: Line) -> list[Mapping[str, Any]]:
    """Say ready, and the first possible order for every unit."""
    if line["type"] == "hello":
        return [ready("First", "possible", "results", "board")]
    if line["type"] == "turn":
        orders = [each[0] for each in line["possible"].values()][: line["due"]]
        phase = line["phase"]
        return [{"type": "orders", "phase": phase, "orders": orders, "id": phase}]
    return []


def validate(lines: Iterable[object], direction: str) -> None:
    """Check that every line fits the published schema."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = need_package("jsonschema").Draft202012Validator(
        {"$ref": f"#/$defs/{direction}", "$defs": schema["$defs"]}
    )
    for line in lines:
        validator.validate(line)


async def test_a_bot_hears_the_whole_game(tmp_path: Path) -> None:
    """Start, board, then turns with notes and results, and the end."""
    bot = ScriptedBot(first_orders)

    async with six_others(tmp_path) as server:
        bridge = await bridged(bot, server, session=LineSession(seed=7))

    assert bridge.reason is None
    kinds = [line["type"] for line in bot.heard]
    assert kinds[:4] == ["hello", "start", "board", "turn"]
    assert kinds[-1] == "over"
    (start,) = bot.of("start")
    assert start["seed"] == 7
    assert start["power"] in start["powers"]
    phases = [line["phase"] for line in bot.of("turn")]
    assert phases[0] == "S1901M"
    assert [line["phase"] for line in bot.of("results")][: len(phases)] == phases
    for noted in bot.of("noted"):
        assert noted["id"] == noted["phase"]
        assert not (noted["late"] and noted["orders"])
        assert all(each["ok"] for each in noted["orders"].values())
    validate(bot.heard, "ToBot")
    validate(bot.said, "FromBot")
    (over,) = bot.of("over")
    assert over["result"] == "draw"
    assert len(over["summary"]) == 7


async def test_a_lost_connection_is_taken_up_again(tmp_path: Path) -> None:
    """The bot hears it, has its turn once more, and plays on to the end."""
    streams: list[trio.SocketStream] = []

    def cut(line: Line) -> list[Mapping[str, Any]]:
        if line["type"] == "turn" and len(bot.of("turn")) == 3:
            streams[0].socket.shutdown(trio.socket.SHUT_RDWR)
        return first_orders(line)

    bot = ScriptedBot(cut)

    async with six_others(tmp_path, mtl=30, rtl=30, btl=30) as server:
        dial = dial_to(server)

        async def remembered() -> trio.SocketStream:
            streams.append(await dial())
            return streams[-1]

        bridge = await bridged(bot, server, dial=remembered, retries=UNREPORTED)

    assert bridge.reason is None
    assert len(streams) == 2
    kinds = [line["type"] for line in bot.heard]
    place = kinds.index("returned")
    assert "turn" in kinds[place : place + 3]
    assert kinds.count("start") == 1
    assert kinds[-1] == "over"


async def test_a_map_that_the_bot_does_not_play_is_refused(tmp_path: Path) -> None:
    """REJ (MAP), and an exit with the reason."""
    bot = ready_alone("Choosy", maps=["pure", "Hundred3"])
    async with six_others(tmp_path, bots=0) as server:
        bridge = await bridged(bot, server)

    assert bridge.reason is not None
    assert "'standard'" in bridge.reason


async def test_a_game_that_is_broken_off_is_no_success(tmp_path: Path) -> None:
    """The server stops in the second turn."""
    async with six_others(tmp_path, year_limit=1950) as server:

        def stop(line: Line) -> list[Mapping[str, Any]]:
            if len(bot.of("turn")) == 2:
                server.server.stop()
            return first_orders(line)

        bot = ScriptedBot(stop)
        bridge = await bridged(bot, server)

    assert bridge.reason == "the game was broken off"
    assert bot.of("over")[0]["result"] == "stopped"


async def test_an_observer_watches(tmp_path: Path) -> None:
    """It has no power and owes nothing."""
    bot = ready_alone("Watcher", "results")
    async with six_others(tmp_path) as server, trio.open_nursery() as nursery:
        nursery.start_soon(partial(bridged, bot, server, observes=True))
        await bridged(ScriptedBot(first_orders), server)

    assert bot.of("start")[0]["power"] is None
    assert {turn["due"] for turn in bot.of("turn")} == {0}
    assert bot.of("results")
    assert bot.of("over")[0]["result"] == "draw"


async def test_bots_that_want_it_play_again(tmp_path: Path) -> None:
    """A second game of the same processes, until there is no more."""

    def again(line: Line) -> list[Mapping[str, Any]]:
        if line["type"] == "hello":
            return [ready("First", "possible", "again")]
        return first_orders(line)

    bots = [ScriptedBot(again) for _ in range(7)]
    retries = evolve(UNREPORTED, return_seconds=0.3)
    given = {"bots": 0, "games": 2, "year_limit": 1901}
    async with six_others(tmp_path, **given) as server, trio.open_nursery() as nursery:
        for bot in bots:
            nursery.start_soon(partial(bridged, bot, server, retries=retries))

    for bot in bots:
        assert len(bot.of("start")) == len(bot.of("over")) == 2
        assert len(bot.of("hello")) == 1


async def test_a_bot_that_never_ends_a_line_is_ended() -> None:
    """Its author is told why; without a limit it would be played with for ever."""
    ours, theirs = trio.testing.memory_stream_pair()

    async def write_for_ever() -> None:
        with suppress(trio.BrokenResourceError):
            while True:
                await theirs.send_all(b"x" * PIPE_READ_BYTES)

    settings = BridgeSettings(refuse_to_dial, retries=NO_RETURN)
    bridge = Bridge(two_pipes(ours), LineSession(), settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(write_for_ever)
        await bridge.run()
        await ours.aclose()

    assert bridge.reason == "the bot wrote 16 MiB without an end of line"


class Repeating(LineSession):
    """Takes each line two thousand times, as from a bot in an endless loop."""

    def from_bot(self, line: bytes, now: float) -> list[LineEffect]:
        return super().from_bot(line, now) * 2000


async def test_a_bot_that_floods_the_server_is_ended(tmp_path: Path) -> None:
    """The server takes so many ADM a second; the rest waits, but not without end."""

    def shout(line: Line) -> list[Mapping[str, Any]]:
        if line["type"] == "hello":
            return [ready("Loud")]
        is_turn = line["type"] == "turn"
        return [{"type": "admin", "text": "x" * 15_000}] if is_turn else []

    async with six_others(tmp_path) as server:
        bridge = await bridged(ScriptedBot(shout), server, session=Repeating())

    assert bridge.reason == "the bot sends more than the server takes"


async def refuse_to_dial() -> trio.SocketStream:
    raise OSError


async def test_lines_that_are_too_long_are_counted_one_by_one() -> None:
    """Each is answered by an error; only one without an end is too much."""
    ours, theirs = trio.testing.memory_stream_pair()
    pipes = two_pipes(ours)

    async def write() -> None:
        for _ in range(20):
            await theirs.send_all(b"x" * (MAX_LINE_BYTES + 2) + b"\n")
        await theirs.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(write)
        sizes = [len(line) async for line in pipes.lines()]

    assert len(sizes) == 20
    assert min(sizes) > MAX_LINE_BYTES


# DAIDE as text


async def raw_bot(stream: trio.abc.Stream, heard: list[str]) -> None:
    """Hold with all units, as text."""
    power, rest = "", b""
    await stream.send_all(b"# a remark\nNME ('Raw') ('1')\nNONSENSE\n")
    while data := await stream.receive_some():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            text = line.decode()
            heard.append(text)
            if text.startswith("MAP"):
                await stream.send_all(f"YES ({text})\n".encode())
            elif text.startswith("HLO"):
                power = text.split()[2]
            elif text.startswith("NOW"):
                place = r"(?:\w+|\( \w+ \w+ \))"
                units = re.findall(rf"\( ({power} \w+ {place}) \)", text)
                orders = "".join(f" (({unit}) HLD)" for unit in units)
                await stream.send_all(f"SUB{orders}\n".encode())
    await stream.aclose()


async def test_a_raw_bot_speaks_daide_itself(tmp_path: Path) -> None:
    """The bridge does IM and RM, and says which line is no message."""
    heard: list[str] = []
    ours, theirs = trio.testing.memory_stream_pair()

    async with six_others(tmp_path, year_limit=1901, rtl=1, btl=1) as server:
        pipes = two_pipes(ours)
        bridge = RawBridge(pipes, dial_to(server), NO_RETURN)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(raw_bot, theirs, heard)
            await bridge.run()

    assert bridge.reason is None
    assert "# line 3: no word is called 'NONSENSE'" in heard
    assert "YES ( NME ( 'Raw' ) ( '1' ) )" in heard
    assert any(line.startswith("SMR") for line in heard)
