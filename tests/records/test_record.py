"""A record: its conventions, names, results and times."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Position, Turn, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Convoy
from daide_server.judge.adjudication import adjudicate
from daide_server.records import entries
from daide_server.records.consequences import Consequence
from daide_server.records.formats.tables.game_rows import TurnTime, turn_times
from daide_server.records.record import (
    Ending,
    GameRecord,
    Message,
    PlayedTurn,
    RecordError,
    Sitting,
)
from daide_server.records.replay import ConsequencesDiffer, is_convention
from daide_server.records.turn_results import centres_by_year, eliminations, game_result
from daide_server.text.turn_views import first_numbers, next_numbers
from daide_server.text.words import game_name
from tests.judge.scenes import orders_in, scene
from tests.support.random_games import Recorded


def folded(variant: Variant, *told: entries.RecordEntry) -> GameRecord:
    return entries.fold(told, variant, game="g", started=0.0)


def beginning(variant: Variant) -> entries.Began:
    return entries.Began(variant.name, "daide", 0, variant.start, 0.0)


def test_press_and_votes_are_told_in_order_of_time(record_of: Recorded) -> None:
    record = record_of(turns=3)
    votes = tuple(replace(each, seconds=0.6) for each in record.votes)

    found = replace(record, votes=votes).press_and_votes

    assert sorted(found, key=lambda each: each.seconds or 0) == [*found]
    assert {*found} == {*record.messages, *votes}


def test_who_stays_to_the_end_has_the_seat_to_the_end(standard: Variant) -> None:
    power = standard.map.powers[0]
    record = folded(
        standard,
        beginning(standard),
        entries.Seated(power, "Bot", "1", 0.0),
        entries.Ended(Ending.ABORTED, (), standard.start, 5.0),
        entries.Vacated(power, 6.0),
    )

    assert record.sittings == (Sitting(power, "Bot", "1", 0.0, None),)


def test_time_is_counted_from_the_beginning_of_the_game(standard: Variant) -> None:
    """Entries count from when a table was opened, which may be hours before."""
    power = standard.map.powers[0]
    told: list[entries.RecordEntry] = [
        entries.Seated(power, "Bot", "1", 3590.0),
        entries.Began(standard.name, "daide", 0, standard.start, 3600.0),
        entries.Ended(Ending.ABORTED, (), standard.start, 3605.12345),
    ]

    record = entries.fold(told, standard, game="g", started=1000.0)

    assert record.started == 4600.0
    assert record.last_since == 0.0
    assert record.ended == 5.123
    assert record.sittings[0].since == 0.0


def test_entries_without_a_beginning_tell_no_game(standard: Variant) -> None:
    with pytest.raises(RecordError, match="game g: no entry says that the game began"):
        folded(standard, entries.Ended(Ending.ABORTED, (), standard.start, 5.0))


# Which recorded results are only another program's words


def resolved(variant: Variant, units: str, orders: str) -> tuple[PlayedTurn, Position]:
    """Return a spring in which units that stand so had these orders, and its end."""
    before = scene(variant, "SPR 1901", units)
    given = tuple(orders_in(variant, before, orders))
    found = adjudicate(variant, before, given)
    return PlayedTurn(before, given, found.reports, 0.0), found.next


@pytest.mark.parametrize(
    ("support", "known"),
    [("F RUM S F BLA", True), ("F RUM S F BUL/EC - BLA", True), ("F RUM H", False)],
)
def test_support_of_a_convoying_fleet_is_not_cut_by_a_convoyed_army(
    standard: Variant, support: str, *, known: bool
) -> None:
    convoy = "TUR: F BLA C A ANK - RUM, A ANK - RUM VIA"
    turn, following = resolved(
        standard,
        "TUR: F BLA, A ANK; RUS: F RUM; AUS: F BUL/EC",
        f"{convoy}; RUS: {support}; AUS: F BUL/EC - BLA",
    )
    [fleet] = turn.position.units_of(Power("RUS"))
    contrast = ConsequencesDiffer(fleet, [], [Consequence.CUT])

    assert is_convention(contrast, turn, following) is known


@pytest.mark.parametrize(
    ("army", "known"),
    [("A BUL - GRE", True), ("A BUL - SER", False), ("A BUL H", False)],
)
def test_a_convoy_of_an_army_that_goes_there_by_land_may_have_no_fault(
    standard: Variant, army: str, *, known: bool
) -> None:
    orders = f"TUR: F AEG C A BUL - GRE, {army}"
    turn, following = resolved(standard, "TUR: F AEG, A BUL", orders)
    fleet = next(each.unit for each in turn.orders if isinstance(each, Convoy))
    contrast = ConsequencesDiffer(fleet, [], [Consequence.VOID])

    assert is_convention(contrast, turn, following) is known


def test_a_name_is_the_same_for_ever() -> None:
    assert game_name("20261124T152044Z-df4a-0001") == "ample-egret-1"
    assert game_name("cup-000086") == "plucky-hawk-86"
    assert game_name("no number at all") == "misty-curlew-18"


def test_only_the_numbers_of_games_are_in_their_names() -> None:
    """Not the digits of a hash; any id has a name."""
    names = [game_name(f"cup-{number:06}") for number in range(1, 200)]

    assert [int(name.rpartition("-")[2]) for name in names] == [*range(1, 200)]
    assert len({name.rpartition("-")[0] for name in names}) > 150
    assert not game_name("0a1b2c3d999999").endswith("999999")
    assert game_name("\udcff") != game_name("")


def test_a_soloist_shares_nothing(record_of: Recorded) -> None:
    record = record_of(turns=3)
    won = replace(record, ending=Ending.SOLO, winners=record.winners[:1])

    assert game_result(won).soloist == "AUS"
    assert game_result(won).draw == frozenset()


def test_a_power_dies_in_the_fall_in_which_it_has_no_centre_left(
    record_of: Recorded,
) -> None:
    """The owners after a fall that loses the last Turkish centre tell the year."""
    record = record_of(turns=6)
    lost = {at: power for at, power in record.last.owners.items() if power != "TUR"}
    played = [
        replace(turn, position=replace(turn.position, owners=lost))
        if turn.position.turn.year == 1902
        else turn
        for turn in record.turns
    ]
    dead = replace(record, turns=tuple(played), last=replace(record.last, owners=lost))

    assert eliminations(record) == {}
    # Without centres in spring 1902: the last owners were counted in fall 1901.
    assert eliminations(dead)[Power("TUR")] == 1901


def test_centres_are_counted_at_the_start_and_after_each_year(
    record_of: Recorded,
) -> None:
    """What a spring starts with is what the year before ended with."""
    record = record_of(3, turns=30)
    springs = {at.turn.year: at for at in reversed(record.positions)}

    found = centres_by_year(record)[Power("FRA")]

    assert found[0] == 3
    for year in range(1901, record.last.turn.year):
        after = springs[year + 1].centres_of(Power("FRA"))
        assert found[year - 1900] == len(after)
    assert found[-1] == len(record.last.centres_of(Power("FRA")))


def test_a_year_that_was_not_played_is_not_counted(record_of: Recorded) -> None:
    """A record that ends with the first spring of 1902 has one year."""
    record = record_of(3, turns=30)
    end = next(at for at, each in enumerate(record.positions) if each.turn.year == 1902)
    cut = replace(record, turns=record.turns[:end], last=record.positions[end])

    assert {len(of) for of in centres_by_year(cut).values()} == {2}


# When turns began, if the record says so, and what press shows if it does not


def untimed(record: GameRecord, *said: tuple[int, float]) -> GameRecord:
    """Return *record* without times, but for messages in the turns of positions."""
    powers = record.variant.map.powers
    positions = record.positions

    def message(turn: Turn, seconds: float) -> Message:
        return Message(turn, powers[0], powers[1:2], "hello", seconds)

    return replace(
        record,
        turns=tuple(replace(turn, since=None) for turn in record.turns),
        last_since=None,
        messages=tuple(message(positions[at].turn, seconds) for at, seconds in said),
        votes=(),
    )


def test_recorded_times_are_their_own_bounds(record_of: Recorded) -> None:
    record = record_of(turns=4)
    found = turn_times(record)

    assert [each.began for each in found] == [
        *(turn.since for turn in record.turns),
        record.last_since,
    ]
    assert all(each.after == each.before == each.began for each in found)


@pytest.mark.parametrize(
    ("said", "times"),
    [
        ((), [(None, None), (None, None), (None, None)]),
        (((0, 5.0), (1, 7.0), (1, 9.0)), [(None, 5.0), (5.0, 7.0), (9.0, None)]),
        # Bounds that contradict each other are none.
        (((0, 9.0), (1, 7.0)), [(None, 7.0), (None, None), (9.0, None)]),
    ],
)
def test_press_bounds_the_beginning_of_its_turn(
    record_of: Recorded,
    said: tuple[tuple[int, float], ...],
    times: list[tuple[float | None, float | None]],
) -> None:
    record = untimed(record_of(turns=2), *said)

    assert turn_times(record) == [TurnTime(None, *bounds) for bounds in times]


def test_a_known_turn_bounds_others(record_of: Recorded) -> None:
    record = untimed(record_of(turns=2))
    first, second = record.turns
    record = replace(record, turns=(first, replace(second, since=60.0)))

    assert turn_times(record) == [
        TurnTime(None, None, 60.0),
        TurnTime(60.0, 60.0, 60.0),
        TurnTime(None, 60.0, None),
    ]


@pytest.mark.parametrize(
    ("units", "orders", "places"),
    [
        # Units that take each other's places are not taken for each other.
        (
            "FRA: A PAR, A BUR, A GAS",
            "FRA: A PAR - BUR, A BUR - GAS, A GAS - PAR",
            {"A PAR": "A BUR", "A BUR": "A GAS", "A GAS": "A PAR"},
        ),
        # A dislodged unit and its attacker.
        (
            "FRA: A BUR; GER: A RUH, A MUN",
            "GER: A RUH - BUR, A MUN S A RUH - BUR",
            {"A RUH": "A BUR", "A BUR": "A BUR", "A MUN": "A MUN"},
        ),
    ],
)
def test_units_keep_their_numbers(
    standard: Variant, units: str, orders: str, places: dict[str, str]
) -> None:
    turn, following = resolved(standard, units, orders)
    before = first_numbers(turn.position)
    after = next_numbers(before, turn.reports, following)

    was = {number: unit for unit, number in before.numbers.items()}
    found = {str(was[number]): str(unit) for unit, number in after.numbers.items()}
    assert found == places


@pytest.mark.parametrize("seed", range(8))
def test_a_number_changes_its_place_by_a_report_only(
    record_of: Recorded, seed: int
) -> None:
    """In a game of chance, all units have numbers, no two alike, and keep them."""
    record = record_of(seed)
    numbers = first_numbers(record.positions[0])
    for turn, after in zip(record.turns, record.positions[1:], strict=True):
        later = next_numbers(numbers, turn.reports, after)
        assert set(later.numbers) == {*after.units, *after.dislodged}
        assert len(set(later.numbers.values())) == len(later.numbers)
        for unit, number in numbers.numbers.items():
            where = {at: unit for unit, at in later.numbers.items()}.get(number)
            still_stands = unit in later.numbers and later.numbers[unit] != number
            assert where is None or where.type is unit.type
            if still_stands:
                assert where is not None, f"{unit} left its place to another"
        numbers = later
