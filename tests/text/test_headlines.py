"""The story of a game: what its headlines tell, and what they never tell."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Phase, Variant
from daide_server.board.names import Power
from daide_server.records.promises.study import promises
from daide_server.records.record import Ending, GameRecord
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.text.headlines import MAX_CHARACTERS, game_headline, headlines
from tests.promises.test_study import Said, game
from tests.support.data import GAMES, record_of_game
from tests.support.random_games import Recorded

PEACE = "PRP ( PCE ( TUR RUS ) )"
AGREED: list[Said] = [("TUR", "RUS", PEACE), ("RUS", "TUR", f"YES ( {PEACE} )")]
BETRAYAL = (
    "TUR: A CON - BUL, F ANK - BLA; RUS: F SEV - RUM",
    "TUR: A SMY - CON; RUS: F RUM H",
    "TUR: A SMY B; RUS: A SEV B",
    "TUR: A BUL - RUM, F BLA S A BUL - RUM; RUS: F RUM H",
    "RUS: F RUM D",
    "TUR: A RUM H",
)


def texts(record: GameRecord) -> list[str]:
    return [each.text for each in headlines(record)]


@pytest.fixture
def betrayal(standard: Variant) -> GameRecord:
    """Return a game in which Turkey takes a centre from Russia after their peace."""
    return game(standard, {0: AGREED}, *BETRAYAL)


def test_a_broken_peace_is_the_story(betrayal: GameRecord) -> None:
    assert texts(betrayal) == [
        "Russia and Turkey make peace; Russia enters Rumania; Turkey enters Bulgaria",
        "Russia takes Rumania; Turkey takes Bulgaria",
        "Russia and Turkey build one",
        "Turkey breaks its peace with Russia; Turkey drives Russia out of Rumania",
        "Russia loses its unit in Rumania",
        "Turkey takes Rumania from Russia, two turns after their peace",
    ]


def test_hidden_press_is_in_no_headline(betrayal: GameRecord) -> None:
    hidden = visible(betrayal, PressPolicy(PressShown.NEVER), 1e9, running=True)

    assert texts(hidden) == texts(replace(betrayal, messages=()))
    assert not any("peace" in text for text in texts(hidden))


def test_an_attack_in_the_turn_of_the_peace_breaks_it(standard: Variant) -> None:
    said = {3: AGREED}

    assert texts(game(standard, said, *BETRAYAL))[-1] == (
        "Turkey takes Rumania from Russia, in the very turn of their peace"
    )


@pytest.mark.parametrize(
    ("proposal", "order", "told"),
    [
        ("XDO ( ( FRA AMY PAR ) MTO PIC )", "A PAR - PIC", "keeps its word to England"),
        (
            "XDO ( ( FRA AMY PAR ) MTO PIC )",
            "A PAR - BUR",
            "France fails to give England one promised order",
        ),
        (
            "DMZ ( FRA ENG ) ( BUR )",
            "A PAR - BUR",
            "France breaks its word to England to stay out of Burgundy",
        ),
        (
            "ALY ( FRA ENG ) VSS ( GER )",
            "A PAR - BUR",
            "England and France ally against Germany",
        ),
    ],
)
def test_what_became_of_a_promise(
    standard: Variant, proposal: str, order: str, told: str
) -> None:
    asked = f"PRP ( {proposal} )"
    said = [("FRA", "ENG", asked), ("ENG", "FRA", f"YES ( {asked} )")]

    assert told in texts(game(standard, {0: said}, f"FRA: {order}"))[0]


def test_the_same_peace_is_news_once(standard: Variant) -> None:
    record = game(standard, {0: AGREED, 1: AGREED}, *BETRAYAL[:2])

    assert [("make peace" in text) for text in texts(record)] == [True, False]


def test_a_power_without_centres_is_eliminated(recorded_solo: GameRecord) -> None:
    found = [text for text in texts(recorded_solo) if "eliminated" in text]

    assert found[0] == (
        "France takes Edinburgh and London from England, which is eliminated"
    )


@pytest.fixture(scope="module")
def recorded_solo() -> GameRecord:
    return record_of_game("selfplay_game_TUR.55.json")


def test_the_last_headline_says_who_won(recorded_solo: GameRecord) -> None:
    assert texts(recorded_solo)[-1].startswith("France wins with 18 centres; ")
    assert game_headline(recorded_solo) == ("France wins with 18, Fall 1911, retreats")


@pytest.mark.parametrize(
    ("ending", "winners", "told"),
    [
        (Ending.DRAW, "ENG FRA", "England and France draw, Russia led with 4, "),
        (Ending.DRAW, "AUS ENG FRA GER", "Four powers draw, Russia led with 4, "),
        (Ending.YEAR_LIMIT, "AUS ENG", "Russia led with 4 at the year limit, "),
        (Ending.ABORTED, "", "Aborted, Russia led with 4, "),
        (None, "", "Not finished, Russia led with 4, "),
    ],
)
def test_the_headline_of_a_game_says_how_it_ended(
    standard: Variant, ending: Ending | None, winners: str, told: str
) -> None:
    record = replace(
        game(standard, {}, "", ending=ending),
        winners=tuple(map(Power, winners.split())),
    )

    assert game_headline(record) == f"{told}Spring 1901"


def test_the_headline_of_a_running_game_says_who_leads(betrayal: GameRecord) -> None:
    assert game_headline(betrayal, running=True) == "Turkey leads with 5, Winter 1902"
    first = replace(betrayal, turns=betrayal.turns[:2], last=betrayal.positions[2])
    assert game_headline(first, running=True) == "Russia leads with 5, Winter 1901"


def test_a_tie_names_who_leads(standard: Variant) -> None:
    record = game(standard, {}, "TUR: A CON - BUL", "")
    assert game_headline(record, running=True) == (
        "Russia and Turkey lead with 4, Winter 1901"
    )


def test_a_turn_without_news_is_quiet(standard: Variant) -> None:
    (held,) = headlines(game(standard, {}, ""))
    (met,) = headlines(game(standard, {}, "AUS: A VIE - GAL; RUS: A WAR - GAL"))

    assert (held.text, held.quiet) == ("No unit moves", True)
    assert (met.text, met.quiet) == ("Austria and Russia bounce in Galicia", True)


def test_a_game_that_ended_in_an_open_turn_says_so_there(standard: Variant) -> None:
    drawn = game(standard, {}, "", ending=Ending.DRAW)
    record = replace(drawn, winners=(Power("ENG"),))
    *_, last = headlines(record)

    assert (last.turn, last.text) == (record.last.turn, "England draws")


@pytest.mark.parametrize("name", GAMES)
def test_real_games_have_a_bounded_headline_for_each_turn(name: str) -> None:
    record = record_of_game(name)
    found = headlines(record)

    played = [turn.position.turn for turn in record.turns]
    assert [each.turn for each in found][: len(played)] == played
    assert found == headlines(record, promises(record))
    for each in found:
        assert each.text[0].isupper() or each.text[0].isdigit()
        assert len(each.text) <= MAX_CHARACTERS + 40


@pytest.mark.parametrize("seed", range(6))
def test_later_turns_do_not_change_a_headline(record_of: Recorded, seed: int) -> None:
    whole = replace(record_of(seed), ending=None, winners=())
    found = headlines(whole)

    for count in range(len(whole.turns)):
        now = whole.positions[count].turn
        cut = replace(
            whole,
            turns=whole.turns[:count],
            last=whole.positions[count],
            messages=tuple(
                each for each in whole.messages if each.turn and each.turn <= now
            ),
        )
        assert headlines(cut) == found[:count]


@pytest.mark.parametrize("seed", range(6))
def test_centres_that_change_hands_are_all_told_or_counted(
    record_of: Recorded, seed: int
) -> None:
    record = record_of(seed)
    for played, after, told in zip(
        record.turns, record.positions[1:], headlines(record), strict=False
    ):
        before = played.position.owners
        changed = sum(before.get(at) != power for at, power in after.owners.items())
        assert bool(changed) == ("takes" in told.text or "change" in told.text)
        if played.position.turn.phase is not Phase.ADJUSTMENTS and changed:
            assert not told.quiet
