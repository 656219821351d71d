from pathlib import Path

from tests.support.commands import printed, refusal

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))
STORY = Path(__file__).with_name("year_limit_story.txt")


def shown(*words: object) -> list[str]:
    return printed("show", *words).splitlines()


def test_a_game_is_told_turn_by_turn() -> None:
    lines = shown(GAMES[0])

    assert lines[:3] == [
        f"== {GAMES[0]}",
        "Game draw, standard",
        "Rules: daide; level 20",
    ]
    assert "  ENGLAND  Second 2.1" in lines
    assert {"Spring 1901", "Fall 1901", "Ended: draw AUSTRIA, FRANCE"} <= {*lines}
    assert any(line.startswith("    A ") and "moves" in line for line in lines)


def test_press_is_shown_if_it_is_asked_for() -> None:
    said = "  AUSTRIA to ENGLAND: PRP (PCE (AUS ENG))"

    assert said not in shown(GAMES[0])
    assert said in shown(GAMES[0], "--press")


def test_the_story_is_a_headline_for_each_turn_with_news() -> None:
    """With press in plain English if it is asked for."""
    assert shown(GAMES[1], "--story")[1:] == STORY.read_text("utf-8").splitlines()

    lines = shown(GAMES[0], "--story", "--press")
    place = lines.index(" " * 23 + "- Austria proposes to England: peace")
    assert lines[place - 1].startswith("Spring 1901 ")


def test_the_table_has_a_line_per_year() -> None:
    lines = shown(GAMES[0], "--centres")

    assert lines[1].split() == ["year", "AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert lines[2].split() == ["start", "3", "3", "3", "3", "3", "4", "3"]
    assert lines[3].split()[0] == "1901"


def test_what_is_no_game_is_told(tmp_path: Path) -> None:
    assert "Is a directory" in refusal("show", tmp_path)
