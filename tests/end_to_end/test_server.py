"""A real server on a real port, and clients that behave well, badly, or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from daide_server.board.variant import Variant
from daide_server.wire.errors import ErrorCode
from tests.support.peers import FM, IM, POWERS, RM, Peer, holds, running

pytestmark = pytest.mark.end_to_end


def recorded(folder: Path) -> list[dict[str, Any]]:
    """Return the records in *folder*."""
    return [json.loads(path.read_text()) for path in folder.glob("*.json")]


async def test_a_game_is_played_and_its_record_written(
    tmp_path: Path, standard: Variant
) -> None:
    """Seven clients hold through two years; the survivors share a draw."""
    async with running(tmp_path, year_limit=1901, linger=0.1, games=1) as house:
        seats = await house.players()
        for _ in range(2):
            for power, peer in seats.items():
                await peer.say(holds(standard.start, power))
            for peer in seats.values():
                heard = await peer.hear_until("NOW")
                assert sum(text.startswith("ORD") for text in heard) == 22
        assert [text[:3] for text in heard[-4:]] == ["SCO", "DRW", "SMR", "NOW"]
        for peer in seats.values():
            await peer.hears("OFF")
            assert await peer.frame() == FM
            await peer.is_closed()
    (record,) = recorded(tmp_path)
    phases = record["phases"]
    assert [phase["name"] for phase in phases] == ["S1901M", "F1901M", "COMPLETED"]


async def test_the_next_table_opens_at_once(tmp_path: Path) -> None:
    """Fourteen players are two games, which do not hear of each other."""
    async with running(tmp_path) as house:
        first, second = await house.players(), await house.players()
        await first["FRA"].say("ADM ('a') ('first')")
        await first["TUR"].hears("ADM ('a') ('first')")
        await second["FRA"].say("ADM ('a') ('second')")
        await second["TUR"].hears("ADM ('a') ('second')")


async def test_messages_may_come_with_the_initial_message(tmp_path: Path) -> None:
    """Many clients send IM and NME together, and pad with anything."""
    async with running(tmp_path) as house:
        peer = await house.connected()
        await peer.send(
            bytes.fromhex("0077 0004 0001 DA10") + bytes.fromhex("02FF 0002 4809")
        )
        assert await peer.frame() == RM
        await peer.hears("MAP ('standard')")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("0200 0002 4809", ErrorCode.INITIAL_MESSAGE_NOT_FIRST),
        ("0000 0400 0100 10DA", ErrorCode.WRONG_BYTE_ORDER),
        ("0000 0004 0001 DA11", ErrorCode.WRONG_MAGIC_NUMBER),
        ("0000 0004 0002 DA10", ErrorCode.WRONG_VERSION),
        ("0000 0004 0001 DA10 0000 0004 0001 DA10", ErrorCode.SECOND_INITIAL_MESSAGE),
        ("0000 0004 0001 DA10 0900 0000", ErrorCode.UNKNOWN_MESSAGE_TYPE),
        ("0000 0004 0001 DA10 0200 0000", ErrorCode.WRONG_LENGTH),
        ("0000 0004 0001 DA10 0100 0000", ErrorCode.REPRESENTATION_BY_CLIENT),
    ],
)
async def test_a_framing_fault_is_named_and_ends_the_connection(
    tmp_path: Path, sent: str, code: ErrorCode
) -> None:
    """EM with the document's code; nobody else notices."""
    async with running(tmp_path) as house:
        peer = await house.connected()
        await peer.send(bytes.fromhex(sent))
        frame = await peer.frame()
        if frame == RM:
            frame = await peer.frame()
        assert frame == bytes.fromhex("0400 0002") + code.value.to_bytes(2, "big")
        await peer.is_closed()
        await (await house.introduced()).join()


async def test_a_client_that_says_nothing_is_closed(tmp_path: Path) -> None:
    """The initial message has its timer; so has joining."""
    async with running(tmp_path, im_seconds=0.1, join_seconds=0.2) as house:
        silent = await house.connected()
        assert await silent.frame() == bytes.fromhex("0400 0002 0001")
        await silent.is_closed()
        idle = await house.introduced()
        assert await idle.frame() == FM
        await idle.is_closed()
        joined = await house.introduced()
        await joined.join()
        await trio.sleep(0.4)
        await joined.say("MAP")
        await joined.hears("MAP ('standard')")


async def test_a_client_that_does_not_read_is_closed_and_nobody_waits(
    tmp_path: Path, standard: Variant
) -> None:
    """Its outbox overflows; its power is announced in disorder."""
    async with running(tmp_path, outbox_bytes=100_000) as house:
        seats = await house.players()
        deaf = seats.pop("TUR")
        for _ in range(3000):
            await deaf.say("MDF")
            if await _left(seats["FRA"], "TUR"):
                break
        for power, peer in seats.items():
            await peer.say(holds(standard.start, power))
        await seats["FRA"].hear_until("NOW")


async def _left(peer: Peer, power: str) -> bool:
    with trio.move_on_after(0.001):
        return (await peer.hear()) == f"CCD ( {power} )"
    return False


async def test_a_killed_client_is_announced_and_returns(
    tmp_path: Path, standard: Variant
) -> None:
    """CCD, the turn goes on, IAM brings it back."""
    async with running(tmp_path) as house:
        seats = await house.players()
        lost = seats.pop("ENG")
        await lost.say("HLO")
        hello = await lost.hear()
        passcode = hello.split()[5]
        await lost.close()
        for peer in seats.values():
            await peer.hears("CCD (ENG)")
        for power, peer in seats.items():
            await peer.say(holds(standard.start, power))
        for peer in seats.values():
            await peer.hear_until("NOW")
        back = await house.introduced()
        await back.say(f"IAM (ENG) ({passcode})", "HLO")
        await back.hears(f"YES (IAM (ENG) ({passcode}))", "NOT (CCD (ENG))", hello)
        await seats["FRA"].hears("NOT (CCD (ENG))")


@pytest.mark.parametrize("limits", [{}, {"mtl": 1}])
async def test_all_clients_vanish_and_other_games_do_not_notice(
    tmp_path: Path, standard: Variant, limits: dict[str, int]
) -> None:
    """The abandoned game is ended and recorded; the other plays on."""
    async with running(tmp_path, abandoned_after=0.2, **limits) as house:
        doomed, alive = await house.players(), await house.players()
        for peer in doomed.values():
            await peer.close()
        for power, peer in alive.items():
            await peer.say(holds(standard.start, power))
        for peer in alive.values():
            heard = await peer.hear_until("NOW")
            assert not any(text.startswith("CCD") for text in heard)
        await trio.sleep(0.5)
    (ending,) = (record["daide"]["ending"] for record in recorded(tmp_path))
    assert ending == "aborted"


async def test_connections_are_limited(tmp_path: Path) -> None:
    """One too many is closed at once, and one less lets the next in."""
    async with running(tmp_path, connections=2) as house:
        first = await house.introduced()
        await house.introduced()
        refused = await house.connected()
        await refused.is_closed()
        await first.close()
        await trio.sleep(0.1)
        await house.introduced()


async def test_loopback_is_exempt_unless_it_is_not(tmp_path: Path) -> None:
    """Bots of one machine share its address."""
    limits = {"connections_per_address": 1, "loopback_exempt": False}
    async with running(tmp_path, **limits) as house:
        await house.introduced()
        refused = await house.connected()
        await refused.is_closed()
    async with running(tmp_path, connections_per_address=1) as house:
        await house.introduced()
        await house.introduced()


async def test_stopping_says_off_to_everybody(tmp_path: Path) -> None:
    """Players, observers and those who have not joined; then the end."""
    async with running(tmp_path) as house:
        seats = await house.players()
        fresh = await house.introduced()
        house.server.stop()
        for peer in (*seats.values(), fresh):
            await peer.hears("OFF")
            assert await peer.frame() == FM
            await peer.is_closed()


async def test_each_game_has_a_port_of_its_own(tmp_path: Path) -> None:
    """Announced as it opens; who joins there is in that game."""
    ports = "17960-17969"
    async with running(tmp_path, game_ports=ports) as house:
        await trio.testing.wait_all_tasks_blocked()
        assert house.lines[0] == f"listening on {house.address}"
        assert house.lines[1].endswith(" game 1")
        address = house.lines[1].split()[2]
        peers = [await house.introduced(address) for _ in POWERS]
        for peer in peers:
            await peer.join()
        for peer in peers:
            await peer.hear_until("HLO")
        late = await house.introduced(address)
        await late.say("NME ('late') ('1')")
        await late.hears("REJ (NME ('late') ('1'))")
        assert house.lines[2].endswith(" game 2")


async def test_one_that_floods_is_slowed_and_others_are_not(tmp_path: Path) -> None:
    """The messages of a flood are answered late, those of others at once."""
    limits = {"read_bytes_per_second": 2000, "read_burst_bytes": 1000}
    async with running(tmp_path, **limits) as house:
        flood = await house.introduced()
        other = await house.introduced()
        started = trio.current_time()
        await flood.say(*["MAP"] * 600)
        await other.say("MAP")
        await other.hears("MAP ('standard')")
        assert trio.current_time() - started < 1
        await flood.say("NOW")
        await flood.hear_until("NOW")
        assert trio.current_time() - started > 1


async def test_half_a_message_hurts_nobody(tmp_path: Path) -> None:
    """It is waited for, and lost with its connection."""
    async with running(tmp_path) as house:
        half = await house.introduced()
        await half.send(bytes.fromhex("0200 0010 4809"))
        other = await house.connected()
        await other.send(IM)
        assert await other.frame() == RM
        await half.close()
        await other.join()


async def test_passcodes_cannot_be_guessed_fast(tmp_path: Path) -> None:
    """After some wrong ones from here even the right one is refused for a while."""
    async with running(
        tmp_path, guesses_per_seat=4, guess_seconds=0.5, abandoned_after=60
    ) as house:
        players = await house.players()
        await players["ENG"].say("HLO")
        code = int((await players["ENG"].hear_until("HLO"))[-1].split()[5])
        await players["ENG"].close()
        await players["FRA"].hear_until("CCD")
        for number in range(4):
            thief = await house.introduced()
            wrong = code % 8191 + 1 + number
            await thief.say(f"IAM (ENG) ({wrong})")
            await thief.hears(f"REJ (IAM (ENG) ({wrong}))")
        owner = await house.introduced()
        await owner.say(f"IAM (ENG) ({code})")
        await owner.hears(f"REJ (IAM (ENG) ({code}))")
        answer = "REJ"
        while answer.startswith("REJ"):
            await owner.say(f"IAM (ENG) ({code})")
            answer = await owner.hear()
        assert answer == f"YES ( IAM ( ENG ) ( {code} ) )"


async def test_a_stale_return_spoils_nothing(tmp_path: Path) -> None:
    """IAM from another day, refused; then NME on the same connection."""
    async with running(tmp_path) as house:
        client = await house.introduced()
        for _ in range(5):
            await client.say("IAM (TUR) (132)")
            await client.hears("REJ (IAM (TUR) (132))")
        await client.say("NME ('a') ('1')")
        await client.hears("YES (NME ('a') ('1'))", "MAP ('standard')")


async def test_a_game_is_saved_and_goes_on(tmp_path: Path, standard: Variant) -> None:
    """SVE and OFF; then, on another server, LOD and IAM, and the orders are there."""
    folder = str(tmp_path / "saves")
    codes = {}
    async with running(tmp_path / "a", save=folder, level=10, mtl=1000) as house:
        seats = await house.players()
        for power, peer in seats.items():
            await peer.say("HLO")
            codes[power] = (await peer.hear_until("HLO"))[-1].split()[5]
        await seats["FRA"].say("SUB ((FRA AMY PAR) MTO BUR)")
        await seats["FRA"].hear_until("MIS")
        house.server.stop()
        name = (await seats["FRA"].hear()).removeprefix("SVE ( ").removesuffix(" )")
        await seats["FRA"].hears("OFF")
    assert name.strip("'").isalnum()
    assert len(name) <= 10
    async with running(tmp_path / "b", load=folder) as house:
        peers = [await house.introduced() for _ in codes]
        for peer, (power, code) in zip(peers, codes.items(), strict=True):
            await peer.join(power)
            await peer.hears(f"LOD ({name})")
            await peer.say(f"IAM ({power}) ({code})")
            await peer.hears(f"YES (IAM ({power}) ({code}))")
        for peer in peers:
            await peer.hears("TME (...")
            await peer.say("HLO")
            assert (await peer.hear()).endswith("( ( LVL 10 ) ( MTL 1000 ) )")
        for peer, power in zip(peers, codes, strict=True):
            done = "SUB ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)"
            await peer.say(done if power == "FRA" else holds(standard.start, power))
        told = await peers[0].hear_until("NOW ( FAL 1901 )")
        assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in told


async def test_a_game_that_is_over_is_not_loaded_again(tmp_path: Path) -> None:
    """Its save goes when its record is written."""
    folder = tmp_path / "saves"
    async with running(tmp_path, save=str(folder), linger=0.1, games=1) as house:
        seats = await house.players()
        await house.server.save()
        assert len(list(folder.glob("*.save"))) == 1
        for peer in seats.values():
            await peer.say("DRW")
        for peer in seats.values():
            await peer.hear_until("OFF")
    assert not list(folder.glob("*.save"))
    assert len(recorded(tmp_path)) == 1


async def test_all_see_press_in_one_order(tmp_path: Path) -> None:
    """Two send at the same time; two that both write to hear the same sequence."""
    count = 40
    async with running(tmp_path, level=10) as house:
        seats = await house.players()
        async with trio.open_nursery() as nursery:
            for sender in ("FRA", "GER"):
                press = f"SND (ENG ITA) (PRP (SLO ({sender})))"
                nursery.start_soon(seats[sender].say, *[press] * count)
        england = [await seats["ENG"].hear() for _ in range(2 * count)]
        italy = [await seats["ITA"].hear() for _ in range(2 * count)]
        assert england == italy
        assert {text[:11] for text in england} == {"FRM ( FRA )", "FRM ( GER )"}
        for sender in ("FRA", "GER"):
            answers = [await seats[sender].hear() for _ in range(count)]
            assert all(answer.startswith("YES ( SND") for answer in answers)


async def test_the_log_has_a_limit_for_each_client(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A client may complain for ever; a disk is not for ever."""
    async with running(tmp_path) as house:
        client = await house.introduced()
        await client.say(*["HUH (ERR NOW)"] * 300, "MAP")
        await client.hears("MAP ('standard')")
    assert 0 < capsys.readouterr().out.count("client.complained") < 100
