import json
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.formats.phase_json.dialects import DIPCC
from daide_server.records.record import DrawVote, GameRecord, Message
from daide_server.storage.variants import load_variant
from tests.support.random_games import Recorded

AUS, ENG, FRA, GER = map(Power, ("AUS", "ENG", "FRA", "GER"))


def with_messages(record: GameRecord, *messages: Message | DrawVote) -> GameRecord:
    return replace(
        record,
        messages=tuple(each for each in messages if isinstance(each, Message)),
        votes=tuple(each for each in messages if isinstance(each, DrawVote)),
    )


def written(record: GameRecord) -> list[dict[str, Any]]:
    file = json.loads(DIPCC.write(record))
    assert DIPCC.read(DIPCC.write(record), load_variant).messages == record.messages
    assert DIPCC.read(DIPCC.write(record), load_variant).votes == record.votes
    return [message for phase in file["phases"] for message in phase["messages"]]


def said(record: GameRecord, to: Sequence[Power], seconds: float = 1.0) -> Message:
    turn = record.positions[0].turn
    return Message(turn, AUS, tuple(to), "PRP (PCE (AUS ENG))", seconds)


def test_press_is_one_message_for_each_recipient_or_for_all(
    record_of: Recorded,
) -> None:
    record = record_of(turns=1)
    others = [power for power in record.variant.map.powers if power != AUS]

    both = written(with_messages(record, said(record, [ENG, FRA])))
    [everybody] = written(with_messages(record, said(record, others)))

    assert [each["recipient"] for each in both] == ["ENGLAND", "FRANCE"]
    assert both[1]["time_sent"] == both[0]["time_sent"] + 1
    assert [each["daide"]["to"] for each in both] == [["ENGLAND", "FRANCE"]] * 2
    assert everybody["recipient"] == "ALL"


def test_the_dead_need_not_be_told(record_of: Recorded) -> None:
    record = record_of(turns=1)
    first = record.turns[0].position
    alive = {AUS, ENG, FRA}
    few = replace(
        first,
        units=tuple(unit for unit in first.units if unit.power in alive),
        owners={at: power for at, power in first.owners.items() if power in alive},
    )
    short = replace(record, turns=(replace(record.turns[0], position=few),))

    [message] = written(with_messages(short, said(record, [ENG, FRA])))

    assert message["recipient"] == "ALL"


def test_stamps_are_centiseconds_and_differ(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), started=1795253860.0)
    at_once = [said(record, [ENG], seconds) for seconds in (1.0, 1.0, 1.001, 2.0)]

    stamps = [each["time_sent"] for each in written(with_messages(record, *at_once))]

    assert stamps == [179525386100, 179525386101, 179525386102, 179525386200]


def test_a_vote_for_a_draw_is_a_message_to_all(record_of: Recorded) -> None:
    record = record_of(turns=1)
    turn = record.last.turn
    votes = (
        DrawVote(turn, AUS, None, withdrawn=False, seconds=3.0),
        DrawVote(turn, AUS, None, withdrawn=True, seconds=4.0),
        DrawVote(turn, ENG, (ENG, FRA), withdrawn=False, seconds=5.0),
    )

    messages = written(with_messages(record, *votes))

    assert [each["message"] for each in messages] == ["<DRAW>", "<NODRAW>", "<DRAW>"]
    assert {each["recipient"] for each in messages} == {"ALL"}
    assert messages[-1]["daide"]["powers"] == ["ENGLAND", "FRANCE"]


def test_what_is_said_after_the_end_is_in_the_last_phase(record_of: Recorded) -> None:
    record = record_of(turns=1)

    [message] = written(
        with_messages(record, Message(None, GER, (AUS,), "YES (DRW)", 9.0))
    )

    assert message["phase"] == "COMPLETED"
