import re

from daide_server.records.record import game_name


def test_a_name_can_be_said() -> None:
    assert re.fullmatch(r"[a-z]+-[a-z]+-\d+", game_name("any game"))


def test_a_name_is_the_same_for_ever() -> None:
    assert game_name("20261124T152044Z-df4a-0001") == "ample-egret-1"
    assert game_name("cup-000086") == "plucky-hawk-86"
    assert game_name("no number at all") == "misty-curlew-18"


def test_games_of_a_tournament_have_their_numbers() -> None:
    names = [game_name(f"cup-{number:06}") for number in range(1, 200)]

    assert [int(name.rpartition("-")[2]) for name in names] == [*range(1, 200)]
    assert len({name.rpartition("-")[0] for name in names}) > 150


def test_hashes_that_end_with_digits_are_no_numbers() -> None:
    assert not game_name("0a1b2c3d999999").endswith("999999")


def test_an_id_from_a_strange_file_has_a_name() -> None:
    assert game_name("\udcff") != game_name("")
