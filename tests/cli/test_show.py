from pathlib import Path

from click.testing import CliRunner, Result

from daide_server.cli import main

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))
STORY = Path(__file__).with_name("year_limit_story.txt")


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["show", *map(str, args)])


def test_a_game_is_told_turn_by_turn() -> None:
    result = run(GAMES[0])

    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert lines[:3] == [
        f"== {GAMES[0]}",
        "Game draw, standard",
        "Rules: daide; level 20",
    ]
    assert "  ENGLAND  Second 2.1" in lines
    assert "Spring 1901" in lines
    assert "Fall 1901" in lines
    assert any(line.startswith("    A ") and "moves" in line for line in lines)
    assert "Ended: draw AUSTRIA, FRANCE" in lines


def test_press_is_shown_if_it_is_asked_for() -> None:
    said = "  AUSTRIA to ENGLAND: PRP (PCE (AUS ENG))"

    assert said not in run(GAMES[0]).output
    assert said in run(GAMES[0], "--press").output


def test_the_story_is_a_headline_for_each_turn_with_news() -> None:
    lines = run(GAMES[1], "--story").output.splitlines()

    assert lines[1:] == STORY.read_text(encoding="utf-8").splitlines()


def test_the_story_has_press_in_plain_english_if_it_is_asked_for() -> None:
    lines = run(GAMES[0], "--story", "--press").output.splitlines()

    place = lines.index(" " * 23 + "- Austria proposes to England: peace")
    assert lines[place - 1].startswith("Spring 1901 ")


def test_the_table_has_a_line_per_year() -> None:
    lines = run(GAMES[0], "--centres").output.splitlines()

    assert lines[1].split() == ["year", "AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert lines[2].split() == ["start", "3", "3", "3", "3", "3", "4", "3"]
    assert lines[3].split()[0] == "1901"


def test_what_is_no_game_is_told(tmp_path: Path) -> None:
    result = run(tmp_path)

    assert result.exit_code == 1
    assert "Is a directory" in result.stderr
