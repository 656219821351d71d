"""Whatever a bot sends is answered or sent on, and never stops the bridge."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daide_server.bots.lines.line_session import BotStage
from daide_server.bots.lines.line_types import MAX_LINE_BYTES, Fault, FromBot, read_line
from tests.lines.conftest import Begin, now
from tools.write_lines import lines_schema

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


def test_a_line_that_is_too_long_is_a_fault() -> None:
    line = b'{"type": "wait", "x": "' + b"a" * MAX_LINE_BYTES + b'"}'

    assert isinstance(read_line(line), Fault)


def test_brackets_in_brackets_are_a_fault() -> None:
    """Also where a field is ignored."""
    line = b'{"type": "wait", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"

    assert isinstance(read_line(line), Fault)


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
