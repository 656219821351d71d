"""Games that begin at a phase of a record; their seats, and passcodes that are new."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from daide_server.board.map import Variant
from daide_server.game.directory import Directory, GameId
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.library.game_files import GameStart
from daide_server.server import making
from daide_server.server.game_host import SeatsUnavailableError
from tests.end_to_end.playing import passcode, recorded
from tests.support.boards import position
from tests.support.peers import running
from tests.support.settings import settings_with

UNITS = {"ENGLAND": ["F NTH"], "FRANCE": ["A BUR", "F BRE"], "GERMANY": ["A MUN"]}
CENTRES = {"ENGLAND": ["LON"], "FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"]}
HOLDS = {
    "ENG": "SUB ((ENG FLT NTH) HLD)",
    "FRA": "SUB ((FRA FLT BRE) HLD)",
    "GER": "SUB ((GER AMY MUN) HLD)",
}
"""What each orders, but for the army in Burgundy."""
DISLODGED = {"GERMANY": {"A BUR": ["RUH", "GAS"]}}


def line(variant: Variant, phase: str, source: str = "old.json:X") -> str:
    """Return a start as a line of JSON."""
    retreats = DISLODGED if phase.endswith("R") else {}
    start = GameStart(position(variant, phase, UNITS, CENTRES, retreats), source)
    return start.as_line(variant)


@pytest.mark.parametrize(
    ("phase", "turn"),
    [("F1905M", "FAL 1905"), ("F1905R", "AUT 1905"), ("W1905A", "WIN 1905")],
)
async def test_a_game_begins_at_the_phase(
    tmp_path: Path, standard: Variant, phase: str, turn: str
) -> None:
    """SCO and NOW are of the start, and so is HST; there is no history before."""
    start = line(standard, phase)
    async with running(tmp_path, start=start, year_limit=1905) as server:
        peers = [await server.introduced() for _ in standard.map.powers]
        for peer in peers:
            await peer.join()
        said = await peers[0].hear_until("NOW")
        assert said[-2].startswith("SCO (")
        assert "( ENG LON )" in said[-2]
        assert said[-1].startswith(f"NOW ( {turn} )")
        await peers[0].say("HST", "HST (SPR 1901)", "HST (SUM 1905)", "ORD")
        assert (await peers[0].hear()).startswith("SCO (")
        assert await peers[0].hear() == said[-1]
        await peers[0].hears("REJ (HST (SPR 1901))", "REJ (HST (SUM 1905))")
        await peers[0].hears("REJ (ORD)")


async def test_the_record_says_where_it_began(
    tmp_path: Path, standard: Variant
) -> None:
    """The year limit is the year itself, not a number of years."""
    given: dict[str, Any] = {"start": line(standard, "W1905A"), "year_limit": 1905}
    settings = {"post_game_seconds": 0.1, "games": 1, **given}
    async with running(tmp_path, **settings) as server:
        seats = await server.players()
        await seats["FRA"].say("SUB (FRA WVE)")
        winners = (await seats["FRA"].hear_until("SMR"))[-1]
        assert winners.count(" 0 1905 )") == 4
        await seats["FRA"].hear_until("OFF")
    (record,) = recorded(tmp_path)
    assert record["metadata"]["daide_start"] == "old.json:X"
    assert [each["name"] for each in record["phases"]] == ["W1905A", "COMPLETED"]


async def test_a_saved_game_keeps_its_start_and_its_orders(
    tmp_path: Path, standard: Variant
) -> None:
    """SVE and OFF; then, on another server, LOD and IAM; it needs no other file."""
    path = tmp_path / "start.json"
    path.write_text(line(standard, "F1905M"))
    folder = str(tmp_path / "saves")
    given = {"save": folder, "start": f"{path}:F1905M", "mtl": 1000, "level": 10}
    async with running(tmp_path / "a", **given) as server:
        seats = await server.players()
        codes = {power: await passcode(seats[power]) for power in HOLDS}
        await seats["FRA"].say("SUB ((FRA AMY BUR) MTO PAR)")
        await seats["FRA"].hear_until("MIS")
        server.server.stop()
        name = (await seats["FRA"].hear()).removeprefix("SVE ( ").removesuffix(" )")
        await seats["FRA"].hears("OFF")
    assert name.strip("'").isalnum()
    assert len(name) <= 10
    path.unlink()
    async with running(tmp_path / "b", load=folder) as server:
        peers = {power: await server.introduced() for power in codes}
        for power, peer in peers.items():
            await peer.join(power)
            await peer.hears(f"LOD ({name})")
            await peer.say(f"IAM ({power}) ({codes[power]})")
            await peer.hears(f"YES (IAM ({power}) ({codes[power]}))")
        await peers["ENG"].hears("TME (...")
        await peers["ENG"].say("HLO", "HST", "HST (SPR 1901)")
        assert (await peers["ENG"].hear()).endswith("( ( LVL 10 ) ( MTL 1000 ) )")
        assert (await peers["ENG"].hear_until("NOW"))[-1].startswith("NOW ( FAL 1905 )")
        await peers["ENG"].hear_until("REJ")
        for power, peer in peers.items():
            await peer.say(HOLDS[power])
        told = await peers["ENG"].hear_until("NOW")
        assert "ORD ( FAL 1905 ) ( ( FRA AMY BUR ) MTO PAR ) ( SUC )" in told


def test_a_start_after_the_year_limit_is_refused(standard: Variant) -> None:
    settings = settings_with(start=line(standard, "F1905M"), year_limit=1904)
    with pytest.raises(
        making.StartError, match=r"old\.json:X: begins after the year limit 19"
    ):
        making.resolve_start(settings, standard)


# Seats that a seed repeats; passcodes that nobody can foresee


def in_order() -> making.PasscodeSource:
    """Return a source of the numbers from 0 on."""
    numbers = count()
    return lambda below: next(numbers) % below


def test_a_seed_repeats_the_seats_and_not_the_passcodes(standard: Variant) -> None:
    """It stands in every record."""

    def drawn(**given: object) -> SeatAssignment:
        return making.SeatAssigner(settings_with(**given), standard).draw(Directory())

    assert drawn(seed=7).seats == drawn(seed=7).seats
    assert drawn(seed=7).seats != drawn(seed=8).seats
    assert drawn(seed=7, seats="arrival").seats == standard.map.powers
    codes = [drawn(seed=7).passcodes for _ in range(2)]
    assert codes[0] != codes[1]


def test_a_passcode_is_drawn_again_while_a_game_has_it(standard: Variant) -> None:
    """From 1 to 8191; when its game is closed it may be drawn again."""
    settings, directory = settings_with(), Directory()
    for number in (1, 2):
        seats = making.SeatAssigner(settings, standard, in_order())
        assignment = seats.draw(directory)
        codes = assignment.passcodes.values()
        # The source begins at 0 again: what is taken is passed over.
        assert sorted(codes) == sorted(set(codes))
        assert min(codes) == number
        game = Game(standard, GameOptions(), ServerPolicy(), assignment)
        directory.add(GameId(number), game)
    directory.remove(GameId(1))
    again = making.SeatAssigner(settings, standard, in_order()).draw(directory)
    assert 1 in again.passcodes.values()


class Full(Directory):
    """A directory of as many games as there are passcodes."""

    def passcodes(self, power: object) -> range:
        del power
        return range(1, making.MAX_PASSCODE + 1)


def test_more_games_than_passcodes_are_refused(standard: Variant) -> None:
    """Not drawn for without end."""
    seats = making.SeatAssigner(settings_with(), standard)
    with pytest.raises(SeatsUnavailableError, match="found 8191 games, expected fewer"):
        seats.draw(Full())
