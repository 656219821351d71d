"""The journal of a game: which events it keeps, and its replay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.messages import Go
from daide_server.daide.tokens import Token
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game import journal
from daide_server.game.events import ClientId, MessageReceived, SilenceNoted
from daide_server.game.game import Game
from daide_server.game.turn_tally import TurnTally
from daide_server.records.entries import TurnTallied
from tests.support.scripts import Script

WORDS = Vocabulary.standard()


@given(st.lists(st.integers(0, 0xFFFF).map(Token), max_size=30).map(tuple))
def test_tokens_are_kept_exactly(tokens: tuple[Token, ...]) -> None:
    """As text that UTF-8 can encode."""
    (entry,) = journal.entries_of(MessageReceived(ClientId(3), Go(), tokens), ())
    line = journal.written(entry, WORDS)
    assert isinstance(line, journal.MessageEntry)
    assert from_text(line.text.encode().decode(), WORDS) == tokens


def test_each_turn_has_a_digest(standard: Variant) -> None:
    """Hash, turn, centres and owners, so that lists need no replay."""
    script = Script(standard)
    script.holds()
    first, second = (
        line.entry
        for line in script.lines
        if isinstance(line.entry, journal.TurnDigest)
    )
    position = script.game.state.position
    assert (first.turn, second.turn) == ("SPR 1901", "FAL 1901")
    assert second.hash == journal.digest_of(position)
    assert second.owners == dict(position.owners)
    assert second.centres[Power("RUS")] == 4
    assert first.hash != second.hash
    for power in script.game.state.seating.occupied:
        script.hears(power, "DRW")
    last = script.lines[-1].entry
    assert isinstance(last, journal.TurnDigest)
    assert last.ending == "draw"


def test_a_tally_in_the_journal_wins_over_a_new_count(standard: Variant) -> None:
    """It has refused messages, which leave no other line."""
    script = Script(standard)
    turn = script.game.state.position.turn
    script.holds()
    kept = TurnTallied(turn, {}, 99.0)
    game = script.new_game()
    lines = [*script.lines, journal.JournalLine(0.0, journal.TallyEntry(kept))]
    entries = journal.replay(game, lines, script.reader, TurnTally(game.state))
    assert [each for each in entries if isinstance(each, TurnTallied)] == [kept]


def client_of(script: Script, power: str) -> ClientId:
    client = script.game.state.seating[Power(power)].client
    assert client is not None
    return client


def replayed(script: Script) -> Game:
    """Return the game that the journal of *script* makes."""
    game = script.new_game()
    journal.replay(game, script.lines, script.reader)
    return game


def state_of(game: Game) -> list[object]:
    """Return all that a client can rely on, whatever the order of sets."""
    state = game.state
    seats = [
        (seat.power, seat.client, seat.name, seat.passcode, seat.in_disorder)
        for seat in state.seating
    ]
    orders = set(map(str, state.turn.accepted()))
    return [
        game.state.stage,
        game.state.clock.alarm,
        state.position,
        seats,
        orders,
        {*state.observers},
    ]


REFUSED = (
    *("NOW", "SUB ((ENG FLT LON) HLD)", "ADM ('x') ('y')", "IAM (FRA) (6334)"),
    *("SUB ((FRA AMY PAR) MTO EDI)", "SUB (SPR 1950) ((FRA AMY PAR) HLD)", "TME"),
    *("NOT (SUB ((FRA AMY PAR) HLD))", "SND (FRA) (PRP (PCE (FRA ENG)))", "MIS"),
    "YES (MAP ('standard'))",
)


@pytest.mark.parametrize(
    "words",
    [(), ("late_is_disorder", "mtl=60"), ("takeover_after=9.0",), ("hung_after=9.0",)],
)
def test_messages_that_change_nothing_are_omitted(
    standard: Variant, words: tuple[str, ...]
) -> None:
    """Also where silence counts: it has lines of its own."""
    script = Script(standard, *words)
    before = len(script.lines)
    for said in REFUSED:
        script.hears("FRA", said)
        script.hears("stranger", said)
    assert len(script.lines) == before


def test_the_silence_by_which_a_seat_is_lost_is_a_line(standard: Variant) -> None:
    """A client that asked meanwhile has not been silent, though nothing says so."""
    script = Script(standard, "takeover_after=9.0")
    silent = client_of(script, "FRA")
    script.waits(5)
    script.hears("ENG", "NOW")
    script.waits(5)
    before = len(script.lines)
    code = script.game.state.seating[Power("ENG")].passcode
    script.hears("e", f"IAM (ENG) ({code})")
    assert len(script.lines) == before
    script.hears("f", "IAM (FRA) (6334)")
    assert script.lines[before] == journal.JournalLine(
        10.0, SilenceNoted(silent, is_over=False)
    )
    assert state_of(replayed(script)) == state_of(script.game)


@pytest.mark.parametrize("said", REFUSED[:2])
def test_the_return_of_a_late_player_is_a_line(standard: Variant, said: str) -> None:
    """Not the message, which may be long, if it changes nothing else."""
    script = Script(standard, "late_is_disorder", "mtl=60")
    script.waits(60)
    before = len(script.lines)
    script.hears("FRA", said)
    script.hears("FRA", said)
    back = SilenceNoted(client_of(script, "FRA"), is_over=True)
    assert script.lines[before:] == [journal.JournalLine(60.0, back)]
    assert not script.game.state.seating[Power("FRA")].in_disorder
    assert state_of(replayed(script)) == state_of(script.game)


def test_a_vote_that_is_repeated_leaves_one_line(standard: Variant) -> None:
    """And one that is refused, or a withdrawal without a vote, none."""
    script = Script(standard)
    before = len(script.lines)
    for _ in range(50):
        script.hears("FRA", "DRW")
    for _ in range(50):
        script.hears("FRA", "NOT (DRW)")
    for said in ("DRW (FRA ENG)", "ADM ('x') ('y')", "SUB ((ENG FLT LON) HLD)"):
        script.hears("FRA", said)
        script.hears("stranger", said)
    assert len(script.lines) == before + 2
