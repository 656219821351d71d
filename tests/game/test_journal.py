"""The journal: what is kept, how its lines are written, and old saves."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.game.game import Game
from daide_server.game.journal import Journal, replay
from daide_server.game.journal_lines import (
    BrokenOffLine,
    ClientLeftLine,
    JournalLine,
    LoadedLine,
    MessageLine,
    RecoveredLine,
    SavedLine,
    SeatPortLine,
    SilenceLine,
    TickLine,
    decode,
    encode,
    pack,
)
from daide_server.game.options import SeatAssignment
from daide_server.game.stages import Stage
from daide_server.language.client_reader import ClientReader
from daide_server.language.text import from_text
from daide_server.language.tokens import Token
from daide_server.language.vocabulary import Vocabulary
from tests.support.options import options_of
from tests.support.scripts import Script

SAVES = Path(__file__).parents[1] / "data" / "saves"
WORDS = Vocabulary.standard()
seconds = st.floats(0, 1e6)
clients = st.integers(0, 1000).map(ClientId)
numbered = st.integers(1, 1000).map(ClientId)
names = st.text("abc", min_size=1)
SAID = ("GOF", "NME ('a (\\\\ b') ('')", "SUB ((FRA AMY PAR) HLD)")
messages = st.sampled_from(SAID).map(lambda text: pack(from_text(text, WORDS)))
lines: st.SearchStrategy[JournalLine] = st.one_of(
    st.builds(MessageLine, seconds, clients, messages),
    st.builds(SeatPortLine, seconds, numbered, st.sampled_from([Power("FRA")])),
    st.builds(ClientLeftLine, seconds, clients),
    st.builds(SilenceLine, seconds, clients, st.booleans()),
    st.builds(TickLine, seconds),
    st.builds(SavedLine, seconds, names),
    st.builds(LoadedLine, seconds, names),
    st.builds(RecoveredLine, seconds, seconds, seconds),
    st.builds(BrokenOffLine, seconds),
)


@given(lines)
def test_a_line_is_read_as_it_was_written(line: JournalLine) -> None:
    row = json.loads(json.dumps(encode(line, WORDS)))
    assert decode(row, WORDS) == line


def test_lines_are_written_in_the_format_of_saves() -> None:
    """Seconds, who, what; files of earlier versions stay readable."""
    message = MessageLine(1.5, ClientId(3), pack(from_text("GOF", WORDS)))
    assert encode(message, WORDS) == [1.5, 3, "GOF"]
    port = SeatPortLine(1.5, ClientId(3), Power("FRA"))
    assert encode(port, WORDS) == [1.5, "port", "3 FRA"]
    assert encode(ClientLeftLine(1.5, ClientId(3)), WORDS) == [1.5, 3, None]
    assert encode(TickLine(1.5), WORDS) == [1.5, None, None]
    assert encode(SavedLine(1.5, "x"), WORDS) == [1.5, "saved", "x"]
    assert encode(LoadedLine(1.5, "x"), WORDS) == [1.5, "loaded", "x"]


@pytest.mark.parametrize(
    "row",
    [
        [],
        None,
        {},
        [1.0],
        [1.0, None, "GOF"],
        ["x", 1, "GOF"],
        [1, 2, 3, 4],
        [1, "port", "FRA"],
        [1, "port", "3 XYZ"],
    ],
)
def test_what_is_no_line_is_named(row: object) -> None:
    with pytest.raises(ValueError, match=r"found .*, expected seconds"):
        decode(row, WORDS)


def test_tokens_are_kept_to_the_bit() -> None:
    tokens = tuple(map(Token, (0, 0x4000, 0xFFFF)))
    assert MessageLine(0.0, ClientId(1), pack(tokens)).tokens == tokens


def client_of(script: Script, power: str) -> ClientId:
    client = script.game.state.seating[Power(power)].client
    assert client is not None
    return client


def replayed(script: Script) -> Game:
    """Return the game that the journal of *script* makes."""
    game = script.new_game()
    replay(game, script.journal.lines(), script.reader, Journal())
    return game


def state_of(game: Game) -> list[object]:
    """Return all that a client can rely on, whatever the order of sets."""
    state = game.state
    seats = [
        (seat.power, seat.client, seat.name, seat.passcode, seat.in_disorder)
        for seat in state.seating
    ]
    orders = set(map(str, state.turn.orders.accepted()))
    return [game.stage, game.alarm, state.position, seats, orders, {*state.observers}]


REFUSED = ("NOW", "SUB ((ENG FLT LON) HLD)", "ADM ('x') ('y')", "IAM (FRA) (6334)")


@pytest.mark.parametrize(
    "words",
    [(), ("late_is_disorder", "mtl=60"), ("takeover_after=9.0",), ("hung_after=9.0",)],
)
def test_what_changes_nothing_is_left_out(
    standard: Variant, words: tuple[str, ...]
) -> None:
    """Also where silence counts: it has lines of its own."""
    script = Script(standard, *words)
    before = len(script.journal.lines())
    for said in REFUSED:
        script.hears("FRA", said)
        script.hears("stranger", said)
    assert len(script.journal.lines()) == before


def test_the_silence_by_which_a_seat_is_lost_is_a_line(standard: Variant) -> None:
    """A client that asked meanwhile has not been silent, though nothing says so."""
    script = Script(standard, "takeover_after=9.0")
    silent = client_of(script, "FRA")
    script.waits(5)
    script.hears("ENG", "NOW")
    script.waits(5)
    before = len(script.journal.lines())
    code = script.game.state.seating[Power("ENG")].passcode
    script.hears("e", f"IAM (ENG) ({code})")
    assert len(script.journal.lines()) == before
    script.hears("f", "IAM (FRA) (6334)")
    assert script.journal.lines()[before] == SilenceLine(10.0, silent, is_over=False)
    assert state_of(replayed(script)) == state_of(script.game)


@pytest.mark.parametrize("said", REFUSED[:2])
def test_who_was_late_and_is_there_again_is_a_line(
    standard: Variant, said: str
) -> None:
    """Not the message, which may be long, if it changes nothing else."""
    script = Script(standard, "late_is_disorder", "mtl=60")
    script.waits(60)
    before = len(script.journal.lines())
    script.hears("FRA", said)
    script.hears("FRA", said)
    back = SilenceLine(60.0, client_of(script, "FRA"), is_over=True)
    assert script.journal.lines()[before:] == (back,)
    assert not script.game.state.seating[Power("FRA")].in_disorder
    assert state_of(replayed(script)) == state_of(script.game)


@pytest.mark.parametrize(
    "path", sorted(SAVES.glob("*.save")), ids=lambda path: path.stem
)
def test_a_journal_of_an_earlier_version_is_replayed(
    path: Path, standard: Variant
) -> None:
    """It is read, written again byte for byte, and leads to where the game was."""
    first, *rest = path.read_text().splitlines()
    header = json.loads(first)
    lines = tuple(decode(json.loads(line), WORDS) for line in rest)
    assert [json.dumps(encode(line, WORDS)) for line in lines] == rest
    options, policy = options_of(header["settings"]["words"])
    assignment = SeatAssignment(header["seats"], header["passcodes"])
    game, journal = Game(standard, options, policy, assignment), Journal()
    replay(game, lines, ClientReader(WORDS, standard.map, options.level), journal)
    assert journal.lines() == lines
    assert game.stage is Stage[header["settings"]["stage"]]
    assert str(game.state.position.turn) == header["settings"]["turn"]


def test_there_are_saves_of_an_earlier_version() -> None:
    assert list(SAVES.glob("*.save"))


def test_a_vote_that_is_repeated_leaves_one_line(standard: Variant) -> None:
    """And one that is refused, or a withdrawal without a vote, none."""
    script = Script(standard)
    before = len(script.journal.lines())
    for _ in range(50):
        script.hears("FRA", "DRW")
    for _ in range(50):
        script.hears("FRA", "NOT (DRW)")
    for said in ("DRW (FRA ENG)", "ADM ('x') ('y')", "SUB ((ENG FLT LON) HLD)"):
        script.hears("FRA", said)
        script.hears("stranger", said)
    assert len(script.journal.lines()) == before + 2
