"""Games of other programs keep their data in each format."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase
from daide_server.board.orders import Order
from daide_server.library.variants import load_variant
from daide_server.records.entries import Began, fold
from daide_server.records.formats.diplobn import DIPLOBN
from daide_server.records.formats.phase_json.dialects import DIPCC, DIPLOMACY
from daide_server.records.formats.phase_json.package_names import OUR_BOARDS
from daide_server.records.formats.transcript import TRANSCRIPT
from daide_server.records.record import GameRecord, PlayedTurn
from tests.formats.phase_json.files import file_of, foreign, reading
from tests.support.data import GAMES, game, record_of_game

SAVED = [name for name in GAMES if name.startswith("selfplay")]
"""Games of the `diplomacy` package; the others are dipcc's."""


def seasons(record: GameRecord) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DIPLOBN.write(record))["GamePhases"]
    return found


def ordered(turn: PlayedTurn) -> set[Order]:
    return set(turn.orders)


@pytest.mark.parametrize("name", GAMES)
def test_diplobn_keeps_positions_retreats_and_orders(name: str) -> None:
    """Retreats that only the recorder allowed are among the positions."""
    record = record_of_game(name)

    found = DIPLOBN.read(DIPLOBN.write(record), load_variant)

    assert found.positions == record.positions
    assert list(map(ordered, found.turns)) == list(map(ordered, record.turns))


@pytest.mark.parametrize("name", GAMES)
def test_diplobn_names_the_dislodged_units_of_every_season(name: str) -> None:
    record = record_of_game(name)
    dislodged = {
        (position.turn.year, position.turn.season.value): len(position.dislodged)
        for position in record.positions
        if position.turn.phase is Phase.RETREATS
    }
    named = {
        season["Phase"]: len(season["DislodgedUnits"])
        for season in seasons(record)
        if "DislodgedUnits" in season
    }

    assert dislodged
    for (year, word), count in dislodged.items():
        assert named[year * 10 + {"SUM": 1, "AUT": 2}[word]] >= count


def units_of(lines: Mapping[str, list[list[object]]]) -> set[tuple[str, object]]:
    return {(country, line[0]) for country, own in lines.items() for line in own}


@pytest.mark.parametrize("name", GAMES)
def test_diplobn_has_nobody_disbanded_by_an_order_that_was_not_given(name: str) -> None:
    """Those lost in civil disorder are under our own key, and read from there."""
    record = record_of_game(name)
    adjusted = {
        (turn.position.turn.year): len(turn.orders)
        for turn in record.turns
        if turn.position.turn.phase is Phase.ADJUSTMENTS
    }

    for season in seasons(record):
        year, part = divmod(season["Phase"], 10)
        if part == 3 and year in adjusted and "Orders" in season:
            lines = [line for own in season["Orders"].values() for line in own]
            assert len(lines) == adjusted[year]
        disorder = season.get("daide", {}).get("disorder", {})
        given = season.get("RetreatOrders", season.get("Orders", {}))
        assert not units_of(disorder) & units_of(given)


@pytest.mark.parametrize("name", GAMES)
def test_no_key_of_others_has_a_computed_result(name: str) -> None:
    """Their results stay as they were: in dipcc's files there are none."""
    phases = json.loads(game(name))["phases"]
    record = record_of_game(name)

    for form in (DIPCC, DIPLOMACY):
        written = json.loads(form.write(record))["phases"]
        for theirs, ours in zip(phases, written, strict=False):
            if not theirs["results"]:
                assert ours["results"] == {}
    if name in SAVED:
        return
    for season in seasons(record):
        lines = [line for own in season.get("Orders", {}).values() for line in own]
        assert {len(line) for line in lines} <= {2}
        if lines:
            assert season["daide"]["results"]["source"] == "computed"


@pytest.mark.parametrize("name", GAMES)
def test_a_transcript_gives_press_back_as_it_was(name: str) -> None:
    record = record_of_game(name)

    found = TRANSCRIPT.read(TRANSCRIPT.write(record), load_variant)

    assert found.positions == record.positions
    assert [(m.turn, m.sender, m.recipients, m.text) for m in found.messages] == [
        (m.turn, m.sender, m.recipients, m.text) for m in record.messages
    ]
    for theirs, ours in zip(found.messages, record.messages, strict=True):
        assert theirs.seconds == pytest.approx(ours.seconds, abs=0.001)
    for again, turn in zip(found.turns, record.turns, strict=True):
        assert (again.since is None) == (turn.since is None)


def test_a_transcript_keeps_lines_and_letters_of_press() -> None:
    record = record_of_game("game_433761_ENGLAND_AG.json")
    texts = [
        "two\nlines",
        "na\u00efve \u2192 'quoted'",
        "PRP (PCE (AUS ENG))",
        "\u2028",
        "",
    ]
    said = tuple(replace(record.messages[0], text=text) for text in texts)
    written = TRANSCRIPT.write(replace(record, messages=said))

    found = TRANSCRIPT.read(written, load_variant)

    assert [message.text for message in found.messages] == texts


def test_retreats_of_other_files_count_though_the_rules_forbid_them() -> None:
    """A file without our key: the unit went there, so it was let go there."""
    attack = [["Mun", ["m", "Bur"], "s"], ["Ruh", ["sm", "Mun", "Bur"], "s"]]
    season = {
        "Phase": 19011,
        "Status": "Completed",
        "CenterCounts": {},
        "Units": {"France": [["A", "Bur"]], "Germany": [["A", "Mun"], ["A", "Ruh"]]},
        "SupplyCenters": {},
        "Orders": {"Germany": attack},
        "DislodgedUnits": ["Bur"],
        "RetreatOrders": {"France": [["Bur", ["m", "Mun"], "s"]]},
    }

    record = DIPLOBN.read(json.dumps({"GamePhases": [season]}), load_variant)

    [_, retreats] = record.turns
    [(unit, places)] = retreats.position.dislodged.items()
    assert unit.province == "BUR"
    assert "MUN" in {place.province for place in places}
    assert {f"{u.power} {u.province}" for u in record.last.units} == {
        "FRA MUN",
        "GER BUR",
        "GER RUH",
    }


@pytest.mark.parametrize("form", ["dipcc", "diplomacy"])
@pytest.mark.parametrize(("name", "board"), OUR_BOARDS.items())
def test_boards_with_another_name_in_the_package(
    form: str, name: str, board: str
) -> None:
    """The package opens a file only if its states name the same map."""
    variant = load_variant(board)
    began = Began(variant.name, "daide", 0, variant.start, 0.0)
    file = foreign(file_of(fold([began], variant, game="two", started=1.0)))
    file["map"] = file["phases"][0]["state"]["map"] = name

    record = reading(file)
    written = file_of(record, form)

    assert (record.variant, record.last) == (variant, variant.start)
    assert written["phases"][0]["state"]["map"] == written["map"]
    assert reading(written).variant == variant
