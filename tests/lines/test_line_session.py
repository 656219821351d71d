"""Conversations of a bot on lines; docs/lines.md has more; whatever it sends."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daide_server.bots.lines.line_session import BotStage
from daide_server.bots.lines.line_types import MAX_LINE_BYTES, Fault, FromBot, read_line
from tests.lines.conftest import START, Begin, Played, now
from tools.write_lines import lines_schema

FOUR = START.replace("MAR PAR", "MAR PAR SPA").replace("SER SPA", "SER")
FIVE = FOUR.replace("PAR SPA", "PAR SPA POR").replace("NWY POR", "NWY")
HOLDS = ["F BRE H", "A MAR H", "A PAR H"]


def refused(line: object) -> str:
    """Return the code of an answer that refuses."""
    assert isinstance(line, dict)
    assert not line["ok"]
    return str(line["code"])


def test_a_game_begins_with_start_and_turn(begin: Begin) -> None:
    """What the bot must know stands in two lines."""
    start, turn = begin("(LVL 20) (MTL 60) (DSD)").to_bot

    assert start["level"] == 20
    limits = {"movement": 60, "retreats": None, "builds": None, "press": None}
    assert start["limits"] == limits
    assert start["options"] == ["DSD"]
    assert (turn["phase"], turn["due"], turn["seconds"]) == ("S1901M", 3, 60)
    assert turn["state"]["units"]["FRANCE"] == ["A MAR", "A PAR", "F BRE"]
    assert turn["state"]["homes"]["FRANCE"] == ["BRE", "MAR", "PAR"]
    assert "possible" not in turn


def test_orders_are_noted_by_their_texts(begin: Begin) -> None:
    """Each with its note; what is no order is not sent."""
    played = begin()
    orders = ["A PAR - BUR", "F BRE - PAR", "A MAR dances", "A MAR - LON"]

    assert played.bot_says(type="orders", phase="S1901M", orders=orders, id=3) == []
    (sub,) = played.sent()
    assert sub.startswith("SUB ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR )")
    heard = played.server_says(
        "THX ((FRA AMY PAR) MTO BUR) (MBV)", "THX ((FRA FLT BRE) MTO PAR) (FAR)"
    )

    (noted,) = heard
    assert (noted["type"], noted["phase"], noted["id"]) == ("noted", "S1901M", 3)
    assert not noted["late"]
    notes = noted["orders"]
    assert notes["A PAR - BUR"] == {"ok": True}
    assert refused(notes["F BRE - PAR"]) == "FAR"
    assert refused(notes["A MAR dances"]) == "HUH"
    assert refused(notes["A MAR - LON"]) == "NSF"


def test_orders_that_the_turn_overtook_are_late(begin: Begin) -> None:
    """The server refuses them when its next turn has begun."""
    played = begin()
    played.bot_says(type="orders", orders=["A PAR H"])
    (sub,) = played.sent()

    _, noted = played.server_says(now("FAL 1901"), f"REJ ({sub})")

    assert noted["late"]
    assert refused(noted["orders"]["A PAR H"]) == "LATE"


def test_builds_are_offered_by_site(begin: Begin) -> None:
    """With a waive, and the rest is dropped and noted."""
    played = begin(
        turn=now("WIN 1901", "FRA FLT BRE", "FRA AMY BUR", "FRA AMY SPA"),
        owners=FOUR,
        ready={"wants": ["possible"]},
    )
    turn = played.to_bot[-1]
    assert turn["due"] == 1
    assert turn["possible"]["PAR"] == ["A PAR B", "WAIVE"]
    assert turn["possible"]["MAR"] == ["A MAR B", "F MAR B", "WAIVE"]

    played.bot_says(type="orders", orders=["A PAR B", "A MAR B"])
    assert played.sent() == ["SUB ( WIN 1901 ) ( ( FRA AMY PAR ) BLD )"]
    (noted,) = played.server_says("THX ((FRA AMY PAR) BLD) (MBV)")

    assert noted["orders"]["A PAR B"]["ok"]
    assert refused(noted["orders"]["A MAR B"]) == "NMB"


def test_builds_without_a_site_are_waived(begin: Begin) -> None:
    """Two builds are due, and one home is free: the bot owes one order."""
    units = "FRA FLT BRE", "FRA AMY MAR", "FRA AMY SPA"
    played = begin(turn=now("WIN 1901", *units), owners=FIVE)
    assert played.to_bot[-1]["due"] == 1

    played.bot_says(type="orders", orders=["A PAR B"])
    assert played.sent() == ["SUB ( WIN 1901 ) ( ( FRA AMY PAR ) BLD ) ( FRA WVE )"]
    (noted,) = played.server_says(
        "THX ((FRA AMY PAR) BLD) (MBV)", "THX (FRA WVE) (MBV)"
    )

    assert noted["orders"] == {"A PAR B": {"ok": True}}


def test_a_turn_in_which_nothing_can_be_built_is_waived_at_once(begin: Begin) -> None:
    units = "FRA FLT BRE", "FRA AMY MAR", "FRA AMY PAR"
    played = begin(turn=now("WIN 1901", *units), owners=FOUR)

    assert played.to_bot[-1]["due"] == 0
    assert played.sent() == ["SUB ( WIN 1901 ) ( FRA WVE )"]
    assert played.server_says("THX (FRA WVE) (MBV)") == []


def test_press_that_is_no_press_is_answered(begin: Begin) -> None:
    played = begin("(LVL 10)")
    played.bot_says(type="press", to=["ENGLAND"], daide="PCE", id="c")

    (answer,) = played.server_says("HUH (SND (ENG) (ERR PCE))")

    assert (answer["code"], answer["id"]) == ("HUH", "c")
    assert "ERR PCE" in answer["message"]


# Other requests


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"type": "draw"}, "DRW"),
        ({"type": "draw", "on": False}, "NOT ( DRW )"),
        ({"type": "draw", "powers": ["FRANCE", "ENGLAND"]}, "DRW ( FRA ENG )"),
        ({"type": "wait"}, "NOT ( GOF )"),
        ({"type": "go"}, "GOF"),
        ({"type": "time", "at": 30}, "TME ( 30 )"),
        ({"type": "time", "on": False}, "NOT ( TME )"),
        ({"type": "undo"}, "NOT ( SUB )"),
        (
            {"type": "undo", "orders": ["A PAR H"]},
            "NOT ( SUB ( ( FRA AMY PAR ) HLD ) )",
        ),
        ({"type": "daide", "text": "NOT (TME (3))"}, "NOT ( TME ( 3 ) )"),
    ],
)
def test_requests_are_answered(
    begin: Begin, line: dict[str, object], message: str
) -> None:
    """YES and REJ quote the message."""
    for answer, ok in (("YES", True), ("REJ", False)):
        played = begin()
        played.bot_says(**line, id=1)
        assert played.sent() == [message]

        (heard,) = played.server_says(f"{answer} ({message})")

        assert (heard["type"], heard["to"]) == ("answer", line["type"])
        assert (heard["ok"], heard["id"]) == (ok, 1)


def test_each_turn_has_its_whole_limit(begin: Begin) -> None:
    """What TME said in the turn before plays no role."""
    played = begin("(LVL 0) (MTL 60)")
    played.server_says("TME (41)")

    *_, turn = played.server_says(now("FAL 1901"))

    assert (turn["phase"], turn["seconds"]) == ("F1901M", 60)


def test_a_turn_of_the_past_is_no_news(begin: Begin) -> None:
    """HST of the last turn is answered by the position that is current anyway."""
    results = "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)"
    played = begin()
    played.server_says(results, now("FAL 1901"))
    played.bot_says(type="ask", what="history", phase="S1901M", id=5)
    assert played.sent() == ["HST ( SPR 1901 )"]

    (answer,) = played.server_says(results, START, now("FAL 1901"))

    assert (answer["ok"], answer["id"]) == (True, 5)
    assert answer["data"]["phase"] == "S1901M"
    assert answer["data"]["results"] == {"A PAR": []}
    assert answer["data"]["after"]["name"] == "F1901M"
    (turn,) = played.server_says(START, now("SPR 1902"))
    assert turn["phase"] == "S1902M"


def test_what_is_not_known_or_not_wanted_is_not_told(begin: Begin) -> None:
    """There are no results before the second turn."""
    played = begin()

    (results,) = played.bot_says(type="ask", what="results")

    assert refused(results) == "REJ"
    assert played.server_says("MAP ('standard')") == []


# The end


@pytest.mark.parametrize(
    ("messages", "result", "winners"),
    [
        (["SLO (ENG)", "SMR (FAL 1901)"], "solo", ["ENGLAND"]),
        (
            ["DRW", "SMR (FAL 1901) (FRA ('B') ('1') 3) (ENG ('C') ('2') 0 1905)"],
            "draw",
            ["FRANCE"],
        ),
        (["DRW (ENG FRA)", "SMR (FAL 1901)"], "draw", ["ENGLAND", "FRANCE"]),
        (["OFF"], "stopped", []),
    ],
)
def test_the_end_is_told_once(
    begin: Begin, messages: list[str], result: str, winners: list[str]
) -> None:
    """Nothing comes after it."""
    played = begin()

    (over,) = played.server_says(*messages, "OFF")

    assert (over["result"], over["winners"]) == (result, winners)
    assert played.bot_says(type="orders", orders=["A PAR H"]) == []


def test_unknown_fields_are_ignored(begin: Begin) -> None:
    played = begin()

    assert played.bot_says(type="orders", orders=["A PAR H"], mood="good") == []
    assert len(played.sent()) == 1


# Orders that the bot forgot


def accepted(played: Played, *orders: str) -> None:
    """Let the server accept *orders*."""
    played.server_says(*(f"THX ({order}) (MBV)" for order in orders))


def test_forgotten_orders_are_completed(begin: Begin) -> None:
    """Some seconds after the last ones, without a deadline."""
    played = begin()
    played.bot_says(type="orders", orders=["A PAR - BUR"])
    accepted(played, "(FRA AMY PAR) MTO BUR")
    played.sent()

    played.waits(4.9)
    assert played.sent() == []
    played.waits(0.2)

    assert played.sent() == [
        "SUB ( SPR 1901 ) ( ( FRA FLT BRE ) HLD ) ( ( FRA AMY MAR ) HLD )"
    ]
    assert played.remarks == ["completed orders of S1901M: F BRE H, A MAR H"]


def test_a_bot_that_thinks_is_left_alone(begin: Begin) -> None:
    """It has said nothing in this movement turn, and there is no deadline."""
    played = begin()

    played.waits(10_000)

    assert played.sent() == []


def test_before_a_deadline_orders_are_completed(begin: Begin) -> None:
    played = begin("(LVL 0) (MTL 60)")
    played.bot_says(type="orders", orders=HOLDS[:2])
    accepted(played, "(FRA FLT BRE) HLD", "(FRA AMY MAR) HLD")
    played.sent()

    played.waits(58.9)
    assert played.sent() == []
    played.waits(0.2)

    assert played.sent() == ["SUB ( SPR 1901 ) ( ( FRA AMY PAR ) HLD )"]
    assert played.session.alarm is None


def test_late_orders_are_no_orders_of_this_turn(begin: Begin) -> None:
    """The bot may still think about it."""
    played = begin()
    played.server_says(now("FAL 1901"))
    played.bot_says(type="orders", phase="S1901M", orders=HOLDS)

    assert played.session.alarm is None


def test_a_bot_that_forgets_builds_stalls_the_game_once(begin: Begin) -> None:
    """The first time it may be thinking."""
    played = begin(
        turn=now("WIN 1901", "FRA FLT BRE", "FRA AMY BUR", "FRA AMY SPA"), owners=FOUR
    )
    played.waits(59)
    assert played.sent() == []
    played.waits(2)
    assert played.sent() == ["SUB ( WIN 1901 ) ( FRA WVE )"]

    played.server_says(now("WIN 1902", "FRA FLT BRE", "FRA AMY BUR"))
    played.waits(5.1)

    assert played.sent() == ["SUB ( WIN 1902 ) ( FRA WVE ) ( FRA WVE )"]


def test_filling_can_be_switched_off(begin: Begin) -> None:
    played = begin(fill_seconds=None)
    played.bot_says(type="orders", orders=["A PAR H"])
    accepted(played, "(FRA AMY PAR) HLD")
    played.sent()

    played.waits(10_000)

    assert played.sent() == []


# A connection that was lost


def test_a_seat_that_was_taken_again_has_its_turn_again(begin: Begin) -> None:
    """Builds that the server may have are taken back before new ones."""
    played = begin(
        turn=now("WIN 1901", "FRA FLT BRE", "FRA AMY BUR", "FRA AMY SPA"), owners=FOUR
    )
    played.bot_says(type="orders", orders=["A PAR B"])
    played.sent()
    played.to_bot.clear()

    played.take(played.session.returned(played.facts, played.words, played.now))
    returned, turn = played.to_bot
    played.bot_says(type="orders", orders=["A MAR B"])

    assert returned == {"type": "returned"}
    assert (turn["phase"], turn["seconds"]) == ("W1901A", None)
    cancelled, sub = played.sent()
    assert cancelled == "NOT ( SUB )"
    assert sub == "SUB ( WIN 1901 ) ( ( FRA AMY MAR ) BLD )"
    assert played.server_says("YES (NOT (SUB))") == []


SCHEMA = lines_schema()
TYPES = [
    SCHEMA["$defs"][each["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"][0]
    for each in SCHEMA["$defs"]["FromBot"]["anyOf"]
]
WORDS = st.sampled_from(
    [
        *("A PAR H", "A PAR - BUR", "F BRE S A PAR - PIC", "A PAR - LON VIA", "WAIVE"),
        *("A PAR - LON VIA ECH", "F STP/SC - GOB", "F LON C A PAR - X", "A PAR D"),
        *("S1901M", "W1901A", "S9999M", "S0000M", "FRANCE", "ENGLAND", "UNO", "FRA"),
        *("PRP (PCE (ENG FRA))", "SUB", "NOT (SUB)", "(", "'x", "HST (SPR 1901)"),
        *("SND (ENG) (0x5801)", "history", "results", "missing", "position", ""),
        *("NME ('a') ('b')", "HUH (ERR)", "OFF", "1" * 30000, "IAM (FRA) (99999)"),
    ]
)
TEXTS = WORDS | st.text(max_size=20)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = ("orders", "phase", "to", "daide", "text", "powers", "on", "at", "what", "id")
SAID = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        **dict.fromkeys(KEYS, TEXTS | VALUES),
        "orders": st.lists(TEXTS, max_size=6),
        "to": st.lists(st.sampled_from(["FRANCE", "ENGLAND", "MARS"]), max_size=3),
    },
)
LINES = (
    SAID.map(lambda said: json.dumps(said).encode())
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=60)
)
SERVER = st.sampled_from(
    [
        *(
            "CCD (ENG)",
            "NOT (CCD (ENG))",
            "OUT (ENG)",
            "MIS (2)",
            "TME (5)",
            "HUH (ERR)",
        ),
        *("FRM (ENG) (FRA) (YES (PRP (PCE (FRA ENG))))", "ADM ('x') ('y')", "DRW"),
        *("THX ((FRA AMY PAR) HLD) (MBV)", "YES (GOF)", "REJ (GOF)", "PRN (GOF ()"),
        *("SVE ('x')", "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)", "MAP ('x')"),
        *("SCO (FRA PAR)", now("SPR 1901"), now("WIN 1901"), now("FAL 1902")),
        *("NOT (TME (3))", "MIS (FRA AMY PAR)", "HLO (FRA) (1) ((LVL 0))", "SLO (ENG)"),
        *("SMR (FAL 1901)", "OFF"),
    ]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    level=st.sampled_from([0, 20, 8000]), heard=st.lists(LINES | SERVER, max_size=12)
)
def test_everything_is_answered(begin: Begin, level: int, heard: list[Any]) -> None:
    """A request is answered, sent on, or an error; nothing raises."""
    played = begin(f"(LVL {level})", ready={"wants": ["daide", "results", "possible"]})
    played.sent()
    for each in heard:
        if isinstance(each, str):
            played.server_says(each)
            continue
        answers = played.bot_sends(each)
        sent = played.to_server[:]
        played.sent()
        is_quiet = not each.strip() or b'"leave"' in each
        is_over = played.session.stage is BotStage.OVER
        assert answers or sent or is_quiet or is_over
        played.waits(3.0)


@settings(max_examples=300)
@given(st.binary(max_size=200) | LINES)
def test_any_bytes_are_a_line_or_a_fault(line: bytes) -> None:
    """Faults say why, in words."""
    read = read_line(line)

    assert isinstance(read, Fault | FromBot)
    assert not isinstance(read, Fault) or read.message


@pytest.mark.parametrize(
    "value",
    [b'"%s"' % (b"a" * MAX_LINE_BYTES), b"[" * 100_000 + b"]" * 100_000],
    ids=["too long", "brackets in brackets"],
)
def test_a_value_without_measure_is_a_fault(value: bytes) -> None:
    """Also where a field is ignored."""
    assert isinstance(read_line(b'{"type": "wait", "x": %s}' % value), Fault)


def test_what_is_too_long_for_daide_is_not_sent(begin: Begin) -> None:
    """The server would close the connection."""
    played = begin("(LVL 8000)")
    orders = [f"A PAR - BUR{' ' * number}" for number in range(20_000)]
    played.bot_says(type="orders", orders=orders)
    played.bot_says(type="press", to=["ENGLAND"], text="a" * 100_000)
    played.bot_says(type="admin", text="a" * 100_000)

    effects = played.session.from_bot(b'{"type":"daide","text":"MAP MAP"}', 0.0)
    played.take(effects)

    assert played.sent() == ["MAP MAP"]
