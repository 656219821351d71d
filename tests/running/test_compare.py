"""Two tournaments with the same bots are compared."""

from pathlib import Path

from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.running.tournament_settings import DesignSettings
from daide_server.running.tournament_state import playing
from tests.running.cups import cup_settings, scheduler, write_cup


def compare(one: Path, other: Path) -> Result:
    return CliRunner().invoke(main, ["tournament", "compare", str(one), str(other)])


async def play(folder: Path) -> Path:
    with playing(folder) as (state, _):
        await scheduler(state)[0].run()
    return folder


async def test_scores_of_two_tournaments_are_compared(tmp_path: Path) -> None:
    one = await play(write_cup(tmp_path / "one", games=70))
    names = cup_settings().names
    other = write_cup(tmp_path / "other", games=70, bots=6)
    text = (other / "tournament.toml").read_text()
    (other / "tournament.toml").write_text(text.replace("seed = 7", "seed = 8"))
    await play(other)

    done = compare(one, other)
    same = compare(one, one)

    assert names.seed == 7
    assert done.exit_code == 0, done.output
    assert "differs: bot 7 name: bot6 -> nothing" in done.output
    assert "seed" not in done.output
    rows = [line.split() for line in done.output.splitlines()]
    assert {row[0] for row in rows if row} >= {f"bot{at}" for at in range(6)}
    assert not any(row[0] == "bot6" for row in rows if row)
    assert "+0.000" in same.output
    assert "differs" not in same.output
    assert " to " in same.output


def test_ladders_do_not_compare_by_scores(tmp_path: Path) -> None:
    ladder = write_cup(tmp_path, design=DesignSettings(kind="ladder"))

    done = compare(ladder, ladder)

    assert done.exit_code == 1
    assert "found a ladder" in done.output
