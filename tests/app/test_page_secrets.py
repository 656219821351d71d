"""What the page of a running game never shows, by any address and by its streams."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from daide_server.board.map import Variant
from daide_server.formats.registry import FORMATS
from daide_server.web.api import OPERATIONS
from tests.app.test_page import game_of
from tests.end_to_end.playing import all_hold
from tests.support.peers import Peer
from tests.support.web_pages import Served, Stream, running_page

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


def test_a_number_of_its_own_is_found_and_a_part_of_one_is_not() -> None:
    for text in ('"passcode":7919', "HLO ( FRA ) ( 7919 )", "at 7919.", "A-7919,"):
        assert leaked(text, CODES) == [7919]
    for text in ("17919", "1.7919", "7919.5", "c7919", "7919px"):
        assert leaked(text, CODES) == []


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
        assert {await passcode_of(peer) for peer in seats.values()} == set(CODES)
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


async def passcode_of(peer: Peer) -> int:
    await peer.say("HLO")
    return int((await peer.hear_until("HLO"))[-1].split()[5])
