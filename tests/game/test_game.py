"""Properties of a game, whatever its clients send."""

import typing
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Phase, Variant
from daide_server.board.names import Power
from daide_server.daide.messages import ClientMessage
from daide_server.game.clock import Clock
from daide_server.game.events import ClientId, ClientRole, ClockTicked, Record, Stage
from daide_server.game.game import ANSWERS, Game, ignore, reject
from daide_server.records.entries import TurnResolved
from tests.support.data import table
from tests.support.scripts import Script, options_of

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
SAYINGS = (
    "GOF",
    "NOT (GOF)",
    "DRW",
    "NOT (DRW)",
    "NOT (SUB)",
    "NOT (SUB ((FRA AMY PAR) MTO BUR))",
    "SND (ENG) (PRP (PCE (FRA ENG)))",
    "MIS",
    "NOW",
    "SCO",
    "ORD",
    "HLO",
    "MAP",
    "HST (SPR 1901)",
    "HST",
    "TME",
    "TME (10)",
    "TME (5)",
    "NOT (TME)",
    "NOT (TME (5))",
    "ADM ('a') ('b')",
    "OBS",
    "NME ('x') ('y')",
    "SUB ((FRA AMY PAR) MTO BUR)",
    "SUB (ENG WVE)",
    "SUB ((RUS FLT SEV) HLD) ((RUS FLT SEV) DSB) ((RUS FLT SEV) REM)",
    "REJ (MAP ('standard'))",
    "YES (MAP ('standard'))",
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("says"), st.sampled_from(POWERS), st.sampled_from(SAYINGS)),
        st.tuples(st.just("holds"), st.sampled_from(POWERS), st.just("")),
        st.tuples(st.just("leaves"), st.sampled_from(POWERS), st.just("")),
        st.tuples(st.just("returns"), st.sampled_from(POWERS), st.just("")),
        st.tuples(st.just("waits"), st.just(""), st.sampled_from(("1", "7", "30"))),
    ),
    max_size=60,
)
options = st.lists(
    st.sampled_from(("mtl=20", "rtl=10", "btl=10", "dsd", "late_is_disorder", "aoa")),
    unique=True,
)


Step = tuple[str, str, str]


def script_of(variant: Variant, story: list[Step], words: Sequence[str] = ()) -> Script:
    """Return a game in which all of *story* has happened."""
    script = Script(variant, *words)
    for step in story:
        take(script, step)
    return script


def take(script: Script, step: Step) -> None:
    """Let one random thing happen."""
    what, power, text = step
    seat = script.game.state.seating[Power(power)] if power else None
    match what:
        case "says" if power in script.names:
            script.hears(power, text)
        case "holds" if power in script.names and script.game.state.is_running:
            script.holds(power)
        case "leaves" if power in script.names:
            script.loses(power)
        case "returns" if power not in script.names and seat is not None:
            script.hears(power, f"IAM ({power}) ({seat.passcode})")
        case "waits":
            script.waits(float(text))
        case _:
            pass  # not possible now


@settings(max_examples=60, deadline=None)
@given(words=options, story=steps)
def test_the_same_events_have_the_same_effects(
    standard: Variant, words: list[str], story: list[Step]
) -> None:
    """A game is a function of its seat assignment and its events."""
    script = script_of(standard, story, words)
    game = script.game
    again = Game(standard, game.state.options, game.state.policy, game.state.assignment)
    effects = [again.handle(event, now) for event, now in script.events]

    assert effects == script.effects
    assert again.state.stage is game.state.stage
    assert again.state.position == game.state.position


@settings(max_examples=60, deadline=None)
@given(words=options, story=steps)
def test_a_game_can_be_played_again_from_its_journal(
    standard: Variant, words: list[str], story: list[Step]
) -> None:
    """It continues with other connections; `loads` compares what there was."""
    script = script_of(standard, story, words)
    if script.game.state.is_running:
        script.loads("game")
        assert not script.game.state.joined()
        assert script.game.state.stage is Stage.LOADING


@settings(max_examples=60, deadline=None)
@given(words=options, story=steps)
def test_a_tick_moves_or_clears_the_alarm(
    standard: Variant, words: list[str], story: list[Step]
) -> None:
    """Unless the next turn is complete immediately, which is one more turn played."""
    script = script_of(standard, story, words)
    game = script.game
    for _ in range(200):
        alarm, played = game.state.clock.alarm, len(game.state.history.turns)
        if alarm is None:
            return
        game.handle(ClockTicked(), max(script.now, alarm))
        assert game.state.clock.alarm != alarm or len(game.state.history.turns) > played


@settings(max_examples=40, deadline=None)
@given(story=steps)
def test_one_event_processes_at_most_one_turn(
    standard: Variant, story: list[Step]
) -> None:
    """So that nobody has to wait for a chain of turns."""
    script = script_of(standard, story)
    for effects in script.effects:
        entries = [effect.entry for effect in effects if isinstance(effect, Record)]
        assert sum(isinstance(entry, TurnResolved) for entry in entries) <= 1


FRESH_DEPARTURES = {"ADM": "REJ"}
"""What we answer to strangers otherwise: ADM would reach all players."""
WORDS = {reject: "REJ", ignore: "silent"}
ROWS = {
    "NME": "Name",
    "OBS": "Observe",
    "IAM": "Rejoin",
    "HST (turn)": "AskHistory",
    "ORD": "AskResults",
    "GOF, NOT (GOF)": "Go Wait",
    "TME, TME (n)": "AskTime RequestTime",
    "MAP, MDF, SCO, NOW": "AskMap AskMapDefinition AskOwnership AskPosition",
    "SUB, NOT (SUB)": "SubmitOrders CancelOrders CancelOrder",
    "MIS": "AskMissing",
    "DRW, NOT (DRW)": "VoteDraw WithdrawDraw",
    "NOT (TME...)": "CancelTime",
    "SND": "SendPress",
    "ADM": "Admin",
    "PRN, HUH": "Complaint",
}


def test_every_message_has_an_answer_for_every_role() -> None:
    """No client can say anything that the table does not know."""
    assert set(ANSWERS) == set(typing.get_args(ClientMessage))
    assert all(len(row) == len(ClientRole) for row in ANSWERS.values())


def test_every_row_of_the_document_is_compared() -> None:
    assert {command for command, *_ in table("answers")} == set(ROWS)


@pytest.mark.parametrize("command", ROWS)
def test_the_table_is_that_of_the_document(command: str) -> None:
    """Where it says plainly ok, REJ or silent, so do we."""
    [cells] = [cells for each, *cells in table("answers") if each == command]
    cells[0] = FRESH_DEPARTURES.get(command, cells[0])
    rows = {message.__name__: row for message, row in ANSWERS.items()}
    for name in ROWS[command].split():
        # The document has no column for those who are offered a loaded game.
        for cell, answer in zip(cells, rows[name][: len(cells)], strict=True):
            if cell:  # an empty one depends on more than the role
                said = "ok" if cell == "bare MIS" else cell
                assert WORDS.get(answer, "ok") == said, (name, cells)


@given(
    limit=st.integers(1, 8191),
    wanted=st.lists(st.integers(0, 8191), max_size=8),
    begin=st.floats(0, 1e6),
)
def test_each_alarm_serves_a_request_or_is_the_deadline(
    limit: int, wanted: list[int], begin: float
) -> None:
    """However the sums are rounded, the alarm moves on."""
    clock = Clock(*options_of([f"mtl={limit}", "btl=8191"]))
    for seconds in wanted:
        clock.request(ClientId(1), seconds, begin)
    clock.begin_turn(Phase.MOVEMENT, begin)
    served: list[int] = []
    for _ in range(20):
        alarm = clock.alarm
        assert alarm is not None
        if clock.passed(alarm) and not [s for s in wanted if s == 0]:
            break
        due = clock.due(alarm)
        if not due:
            assert clock.passed(alarm)
            break
        served += [seconds for _, seconds in due]
    assert served == sorted({s for s in wanted if s < limit}, reverse=True)
