"""What a terminal shows of a tournament."""

from io import StringIO

from rich.console import Console, RenderableType

from daide_server.cli.tournament_table import standings_table
from daide_server.tournament.game_outcomes import Ledger
from daide_server.tournament.standings import standings
from tests.support.tournaments import forfeited, ladder_ledger, played_ledger


def printed(shown: RenderableType) -> list[list[str]]:
    file = StringIO()
    Console(file=file, width=200).print(shown, highlight=False)
    return [line.split() for line in file.getvalue().splitlines()]


def table_of(ledger: Ledger) -> list[list[str]]:
    kind = ledger.plan.description.design.kind
    return printed(standings_table(standings(ledger), kind))


def test_the_best_bot_is_first_with_its_score_and_interval() -> None:
    head, first, *others = table_of(played_ledger(games=27, strengths=(1, 1, 5)))

    assert head[:5] == ["bot", "games", "score", "any", "time"]
    assert first[:4] == ["1", "bot2", "1.0", "27"]
    low, high = map(float, first[5].split("-"))
    assert low < float(first[4]) < high
    assert len(others) == 2


def test_the_fixed_interval_has_a_column_when_there_is_one() -> None:
    few, many = played_ledger(games=27), played_ledger(games=30)

    assert "fixed" not in table_of(few)[0]
    assert "fixed" in table_of(many)[0]


def test_troubles_have_columns_when_there_are_any() -> None:
    ledger = played_ledger(games=42)
    assert "forfeits" not in table_of(ledger)[0]

    ledger = played_ledger(games=42, change=forfeited(7, "exit code 1"))
    assert table_of(ledger)[0][-1] == "forfeits"


def test_before_the_first_block_the_table_is_there() -> None:
    first = table_of(played_ledger(games=42, played=2))[1]

    assert first[:6] == ["1", "bot0", "1.0", "0", "-", "0.000-1.000"]


def test_a_ladder_is_a_table_of_ratings() -> None:
    ledger = ladder_ledger(games=40, strengths=(1, 1.3, 4), anchors={0: -100})
    head, first, *others = table_of(ledger)

    assert head[:6] == ["bot", "games", "rating", "95", "%", "score"]
    assert first[:4] == ["1", "bot2", "1.0", "40"]
    low, to, high = first[5:8]
    assert (int(low) < int(first[4]) < int(high), to) == (True, "to")
    anchor = next(row for row in others if row[1] == "bot0")
    assert anchor[4:6] == ["-100", "anchor"]


def test_a_ladder_of_few_games_has_no_intervals() -> None:
    first = table_of(ladder_ledger(games=9, strengths=(1, 1.3, 4)))[1]

    assert first[5] == "-"
    assert table_of(ladder_ledger(games=0, strengths=(1, 2)))[1][4] == "-"
