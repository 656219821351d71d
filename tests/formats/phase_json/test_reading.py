import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.orders import Convoy, ConvoyedMove, Waive
from daide_server.library.variants import load_variant
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.records.formats.registry import FORMATS
from tests.formats.phase_json.files import File, file_of, foreign, reading
from tests.support.data import GAMES, game
from tests.support.random_games import Recorded


def small(**phase: object) -> File:
    """Return the smallest file that readers take, with *phase* in its only phase."""
    state = {"name": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {}}
    return {"phases": [{"name": "S1901M", "state": state, **phase}]}


def played(**phase: object) -> File:
    """Return `small` with a phase after it, so that the first one was played."""
    last: File = {**small()["phases"][0], "name": "F1901M"}
    return {"phases": [*small(**phase)["phases"], last]}


def test_random_games_have_everything_that_round_trips_test(
    record_of: Recorded,
) -> None:
    """Guards the other tests against games in which nothing happens."""
    orders = [
        order
        for seed in range(6)
        for turn in record_of(seed, turns=40).turns
        for order in turn.orders
    ]

    assert any(isinstance(order, ConvoyedMove) and order.route for order in orders)
    assert any(isinstance(order, Convoy) for order in orders)


def test_a_foreign_file_is_replayed_under_the_edition_of_dipcc(
    record_of: Recorded,
) -> None:
    record = reading(foreign(file_of(record_of(turns=5))))

    assert record.foreign
    assert record.edition == "dipcc"
    assert DIPCC.read(DIPCC.write(record), load_variant) == record


def test_a_file_of_the_package_is_replayed_under_its_own_edition(
    record_of: Recorded,
) -> None:
    file = foreign(file_of(record_of(turns=5)))
    for phase in file["phases"]:
        phase["state"]["zobrist_hash"] = "1919110489198082658"

    record = reading(file)

    assert record.edition == "diplomacy"
    assert DIPCC.read(DIPCC.write(record), load_variant).edition == "diplomacy"


def test_keys_that_nobody_reads_may_be_anything() -> None:
    state = {"units": {}, "centers": {}, "builds": "none", "homes": [1]}
    file = {**small(state=state, logs=3), "version": 1.0, "viz": {"a": None}}

    assert reading(file).last == reading(small(state=state)).last


@pytest.mark.parametrize("factor", [1, 100, 10_000])
def test_time_stamps_are_read_in_any_unit(factor: float) -> None:
    """Centiseconds, those times a hundred, and microseconds."""
    message = {"sender": "FRANCE", "recipient": "ALL", "message": "hello"}
    sent = [
        {**message, "time_sent": round(stamp * factor)}
        for stamp in (179525386000, 179525386300)
    ]

    record = reading(small(messages=sent))

    assert record.started == 1795253860
    assert [message.seconds for message in record.messages] == [0, 3]


@pytest.mark.parametrize(
    ("named", "kept"),
    [("S1901M", "S1901M"), ("F1901M", "F1901M"), ("W1950A", "F1901M")],
)
@pytest.mark.parametrize("form", ["dipcc", "diplomacy", "transcript"])
def test_a_message_keeps_the_phase_that_it_names(
    form: str, named: str, kept: str
) -> None:
    """If the file has that phase; else it is of the phase that holds it."""
    message = {
        "sender": "FRANCE",
        "recipient": "ALL",
        "message": "hello",
        "phase": named,
    }
    file = played()
    file["phases"][1]["messages"] = [{**message, "time_sent": 179525386001}]

    record = reading(file)
    again = FORMATS[form].read(FORMATS[form].write(record), load_variant)

    for found in (record, again):
        [sent] = found.messages
        assert file_of(found)["phases"][kept == "F1901M"]["messages"]
        assert sent.turn == found.positions[kept == "F1901M"].turn


def test_messages_of_the_server_are_no_press() -> None:
    message = {"sender": "SYSTEM", "recipient": "GLOBAL", "message": "", "time_sent": 1}
    assert reading(small(messages=[message])).messages == ()


def test_null_orders_and_waives_are_read(record_of: Recorded) -> None:
    file = foreign(file_of(record_of(5, turns=8)))
    winter = next(each for each in file["phases"] if each["name"].startswith("W"))
    winter["orders"]["TURKEY"] = None
    winter["orders"]["ITALY"] = ["WAIVE"]

    record = reading(file)

    orders = [order for turn in record.turns for order in turn.orders]
    assert [order for order in orders if isinstance(order, Waive)] == [
        Waive(record.variant.map.powers[4])
    ]


def test_phases_are_put_in_order(record_of: Recorded) -> None:
    file = file_of(record_of(turns=9))
    shuffled = {**file, "phases": file["phases"][::-1]}

    assert reading(shuffled) == reading(file)


def test_retreats_by_unit_only_are_read_as_the_document_shows_them() -> None:
    state = {
        "units": {"FRANCE": ["*F LYO"], "TURKEY": ["F LYO"]},
        "centers": {},
        "retreats": {"F LYO": ["MAR"]},
    }
    record = reading({"phases": [{"name": "F1904R", "state": state}]})

    [(unit, places)] = record.last.dislodged.items()
    assert (unit.power, str(unit), [str(at) for at in places]) == (
        "FRA",
        "F GOL",
        ["MAR"],
    )


BAD: list[tuple[Any, str]] = [
    ("", "Input data was truncated"),
    ("[]", "Expected `object`, got `array`"),
    ({}, "missing required field `phases`"),
    ({"phases": []}, "phases: found none, expected one at least"),
    ({"phases": 3}, "$.phases: Expected `array`, got `int`"),
    (small(name="S1901X"), "phases[0].name: found 'S1901X', expected a phase"),
    (
        played(orders={"FRANCE": ["A PAR - BUR"], "NARNIA": []}),
        "S1901M: unknown power 'NARNIA'",
    ),
    (
        played(orders={"austria": ["A VIE H"]}),
        "unknown power 'austria', expected one of AUSTRIA",
    ),
    (played(orders={"FRANCE": ["A PAR flies"]}), "S1901M: order 'A PAR flies': found"),
    (played(orders={"FRANCE": ["A PAR - XYZ"]}), "S1901M: order 'A PAR - XYZ': found"),
    (small(state={"units": {"FRANCE": ["A NTH"]}, "centers": {}}), "S1901M: unit"),
    (
        small(state={"units": {}, "centers": {"FRANCE": ["BUR"]}}),
        "S1901M: centers of 'FRANCE': not a supply centre: 'BUR'",
    ),
    (small(state={"units": {}, "centers": {"FRANCE": ["STP/NCS"]}}), "'STP/NCS'"),
    ({**small(), "map": "atlantis"}, "map: no variant is called 'atlantis'"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_a_bad_file_is_refused_with_what_was_found_and_where(
    content: object, message: str
) -> None:
    text = content if isinstance(content, str) else json.dumps(content)

    with pytest.raises(FormatError, match=re.escape(message)):
        DIPCC.read(text, load_variant)


@pytest.mark.parametrize("place", ["S1901M", '["PAR', "a note"])
def test_invalid_utf8_is_refused_wherever_it_is(place: str) -> None:
    file = small()
    file["phases"][0]["state"]["centers"] = {"FRANCE": ["PAR"]}
    file["phases"][0]["state"]["note"] = "a note"
    data = json.dumps(file).encode()
    at = data.index(place.encode()) + len(place) - 1
    broken = data[:at] + b"\xff" + data[at + 1 :]

    with pytest.raises(FormatError, match=rf"^byte {at}: invalid UTF-8"):
        DIPCC.read(broken, load_variant)


def test_nothing_may_change_in_a_turn_that_was_not_played(record_of: Recorded) -> None:
    file = file_of(record_of(turns=3))
    file["phases"][-1]["state"]["units"]["TURKEY"].pop()

    with pytest.raises(FormatError, match="COMPLETED: other units or centers found"):
        reading(file)


def test_of_two_phases_with_one_name_the_last_counts(record_of: Recorded) -> None:
    """The last one counts, as for dipcc."""
    record = record_of(turns=4)
    file = file_of(record)
    double = {**file["phases"][1], "orders": {}, "results": {}, "messages": []}
    file["phases"].insert(1, double)

    assert reading(file) == record
    file["phases"].append(double)
    assert reading(file).turns[1].orders == ()
    assert reading(file).turns[2:] == record.turns[2:]


def test_two_ends_are_refused(record_of: Recorded) -> None:
    file = file_of(record_of(turns=1))
    file["phases"].append(file["phases"][-1])

    with pytest.raises(FormatError, match="found 2 called COMPLETED, expected one"):
        reading(file)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(
            st.sampled_from(["phases", "state", "units", "name", "FRANCE", "orders"]),
            each,
        )
    ),
    max_leaves=12,
)


@given(content=JSON)
def test_any_json_is_read_or_refused(content: object) -> None:
    try:
        record = DIPCC.read(json.dumps(content), load_variant)
    except FormatError:
        return
    assert DIPCC.read(DIPCC.write(record), load_variant) == record


@given(content=st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with pytest.raises(FormatError):
        DIPCC.read(content, load_variant)


@pytest.mark.parametrize("name", GAMES)
def test_real_games_are_read_and_written_without_a_loss(name: str) -> None:
    content = game(name)
    said = sum(len(phase["messages"]) for phase in json.loads(content)["phases"])

    record = DIPCC.read(content, load_variant)

    assert len(record.messages) == said
    assert DIPCC.read(DIPCC.write(record), load_variant) == record
