"""How each power stood at the end of a game, and after each year."""

from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.records.record import Ending
from daide_server.records.standings import centres_by_year, eliminations, game_result
from tests.support.random_games import Recorded


def test_a_soloist_shares_nothing(record_of: Recorded) -> None:
    record = record_of(turns=3)
    won = replace(record, ending=Ending.SOLO, winners=record.winners[:1])

    assert game_result(won).soloist == "AUS"
    assert game_result(won).draw == frozenset()


def test_a_power_is_eliminated_in_the_fall_that_takes_its_last_centre(
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
