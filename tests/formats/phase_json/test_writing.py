"""A strict checker of what dipcc's reader and the `diplomacy` package demand.

dipcc refuses or misreads what breaks these rules, each found by trying; the package
is asked itself where it is installed.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase, Season, Turn
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord
from tests.support.needed import need_package

Recorded = Callable[..., GameRecord]
File = dict[str, Any]

POWERS = {"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"}
PROVINCES = set(
    """
    ADR AEG ALB ANK APU ARM BAL BAR BEL BER BLA BOH BRE BUD BUL BUR CLY CON DEN EAS
    ENG EDI FIN GAL GAS BOT LYO GRE HEL HOL ION IRI KIE LON LVN LVP MAO MAR MOS MUN
    NAF NAO NAP NTH NWG NWY PAR PIC PIE POR PRU ROM RUH RUM SER SEV SIL SKA SMY SPA
    STP SWE SYR TRI TUN TUS TYR TYS UKR VEN VIE WAL WAR WES YOR
    """.split()  # noqa: SIM905 - a list of 75 strings is not easier to read
)
COASTS = {"BUL/EC", "BUL/SC", "SPA/NC", "SPA/SC", "STP/NC", "STP/SC"}
UNIT = r"[AF] [A-Z]{3}(?:/[NES]C)?"
PLACE = r"[A-Z]{3}(?:/[NES]C)?"
ORDER = {
    "M": rf"{UNIT} (H|- {PLACE}|- {PLACE} VIA|S {UNIT}|S {UNIT} - {PLACE}"
    rf"|C A {PLACE} - {PLACE})",
    "R": rf"{UNIT} (R {PLACE}|D)",
    "A": rf"{UNIT} (B|D)",
}
WORDS = {"", "bounce", "cut", "void", "no convoy", "disrupted", "dislodged", "disband"}


def faults(file: File) -> Iterator[str]:
    """Yield what a reader would refuse or misread."""
    if file["scoring_system"] not in {"sum_of_squares", "draw_size"}:
        yield "scoring system"
    if not all(isinstance(value, str) for value in file["metadata"].values()):
        yield "metadata that is not text"
    if not isinstance(file["id"], str) or not isinstance(file["is_full_press"], bool):
        yield "type of id or press"
    if not isinstance(file["rules"], list):
        yield "no rules"
    names = [phase["name"] for phase in file["phases"]]
    if len(set(names)) != len(names) or names[-1] != "COMPLETED":
        yield f"phases {names}"
    for phase in file["phases"]:
        for fault in phase_faults(phase):
            yield f"{phase['name']}: {fault}"


def phase_faults(phase: File) -> Iterator[str]:
    name, state = phase["name"], phase["state"]
    if not re.fullmatch(r"[SF]\d{4}[MR]|W\d{4}A|COMPLETED", name):
        yield "name"
    if state["name"] != name:
        yield "the state has another name"
    for table in ("units", "centers", "retreats", "builds", "homes"):
        if state[table].keys() != POWERS:
            yield f"powers of {table}"
    if phase["orders"].keys() != POWERS:
        yield "powers of the orders"
    yield from unit_faults(state)
    yield from order_faults(phase)
    yield from message_faults(phase["messages"])
    for unit, words in phase["results"].items():
        if not re.fullmatch(UNIT, unit) or not set(words) <= WORDS:
            yield f"result {unit} {words}"


def unit_faults(state: File) -> Iterator[str]:
    units = [unit for units in state["units"].values() for unit in units]
    starred = {unit[1:] for unit in units if unit.startswith("*")}
    retreating = {unit for table in state["retreats"].values() for unit in table}
    if starred != retreating:
        yield f"starred {starred}, retreating {retreating}"
    for unit in units:
        place = unit.split()[1]
        if place not in PROVINCES | COASTS or unit.lstrip("*")[0] not in "AF":
            yield f"unit {unit}"
        if "/" in place and "A" in unit.split()[0]:
            yield f"army with a coast {unit}"
    places = {place for places in state["centers"].values() for place in places}
    if not places <= PROVINCES:
        yield f"centers {places - PROVINCES}"


def order_faults(phase: File) -> Iterator[str]:
    pattern = ORDER.get(phase["name"][-1], "")
    for power, orders in phase["orders"].items():
        if len({order[:5] for order in orders}) != len(orders):
            yield f"{power} has two orders for a unit"
        own = {unit.lstrip("*") for unit in phase["state"]["units"][power]}
        for order in orders:
            if not re.fullmatch(pattern, order):
                yield f"order {order}"
            places = set(re.findall(r"\b[A-Z]{3}(?:/\w+)?\b", order)) - {"VIA"}
            if not places <= PROVINCES | COASTS:
                yield f"places of {order}"
            unit = " ".join(order.split()[:2])
            if unit not in own and not order.endswith(" B"):
                yield f"{power} does not have {unit}"


def message_faults(messages: list[File]) -> Iterator[str]:
    stamps = [message["time_sent"] for message in messages]
    if sorted(set(stamps)) != stamps:
        yield f"time stamps {stamps}"
    for message in messages:
        if not isinstance(message["time_sent"], int):
            yield f"time stamp {message['time_sent']}"
        if message["sender"] not in POWERS:
            yield f"sender {message['sender']}"
        if message["recipient"] not in POWERS | {"ALL"}:
            yield f"recipient {message['recipient']}"
        if not re.fullmatch(r".{6}|COMPLETED", message["phase"]):
            yield f"phase {message['phase']}"


def file_of(record: GameRecord) -> File:
    loaded: File = json.loads(DIPCC.write(record))
    return loaded


@pytest.mark.parametrize("seed", range(6))
def test_other_readers_take_the_file(record_of: Recorded, seed: int) -> None:
    assert list(faults(file_of(record_of(seed, turns=40)))) == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("begins", [None, *Phase])
def test_the_diplomacy_package_loads_the_same_history(
    record_of: Recorded, seed: int, begins: Phase | None
) -> None:
    """Also if it begins in the middle of another game."""
    export = need_package("diplomacy.utils.export")
    record = record_of(seed, turns=40)
    if begins is not None:
        phases = [turn.position.turn.phase for turn in record.turns]
        later = record.turns[phases.index(begins, 5) :]
        record = replace(record, turns=later, metadata={"daide_start": "x.json:X"})
    file = file_of(record)

    history = export.from_saved_game_format(file).get_phase_history()

    assert [phase.name for phase in history] == [
        phase["name"] for phase in file["phases"][:-1]
    ]
    for theirs, ours in zip(history, file["phases"], strict=False):
        assert theirs.orders == ours["orders"]
        for table in ("units", "centers", "retreats"):
            assert theirs.state[table] == ours["state"][table]


@pytest.mark.parametrize(
    ("ending", "before_the_end"),
    [
        (Ending.SOLO, "W1902A"),
        (Ending.YEAR_LIMIT, "W1902A"),
        (Ending.DRAW, "S1903M"),
        (Ending.ABORTED, "S1903M"),
    ],
)
def test_a_turn_that_was_not_finished_has_a_phase_before_the_end(
    record_of: Recorded, ending: Ending, before_the_end: str
) -> None:
    """A solo and the year limit end a game between two turns."""
    record = record_of(1)
    count = sum(turn.position.turn < Turn(Season.SPRING, 1903) for turn in record.turns)
    position = record.turns[count].position
    short = replace(
        record, turns=record.turns[:count], votes=(), last=position, ending=ending
    )

    names = [phase["name"] for phase in file_of(short)["phases"]]

    assert names[-2:] == [before_the_end, "COMPLETED"]


def test_a_game_that_goes_on_ends_with_its_current_phase(record_of: Recorded) -> None:
    record = replace(record_of(turns=3), ending=None)

    file = file_of(record)

    assert file["phases"][-1]["name"] != "COMPLETED"
    assert not any(file["phases"][-1]["orders"].values())


def test_builds_and_ordered_removals_succeed_in_the_words_of_the_package(
    record_of: Recorded,
) -> None:
    phases = file_of(record_of(5, turns=40))["phases"]
    winters = [phase for phase in phases if phase["name"].startswith("W")]

    built = 0
    for phase in winters:
        for orders in phase["orders"].values():
            for order in orders:
                built += 1
                assert phase["results"][" ".join(order.split()[:2])] == [""]
    assert built > 0


def test_a_year_without_four_digits_cannot_be_written(record_of: Recorded) -> None:
    record = record_of(turns=1)
    turn = record.turns[0]
    late = replace(
        turn, position=replace(turn.position, turn=Turn(Season.SPRING, 10000))
    )

    with pytest.raises(FormatError, match="year 10000"):
        DIPCC.write(replace(record, turns=(late,)))
