"""What the page shows of a game: boards, press, lists."""

from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.library.pictures import load_picture
from daide_server.library.variants import load_variant
from daide_server.pictures.board_layout import board_layout
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.record import Ending, GameRecord, PlayedTurn, PlayerTally
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.text import game_views
from daide_server.text.headlines import game_headline, headlines
from daide_server.text.turn_views import GameViewer, first_numbers, next_numbers
from daide_server.text.views import GameView, OrderView, PromiseView, TurnView
from daide_server.text.words import game_name
from tests.judge.scenes import orders_in, scene
from tests.promises.test_study import XDO_KEPT, agreed
from tests.promises.test_study import game as promised_game
from tests.records.test_replay import resolved
from tests.support.data import GAMES, record_of_game
from tests.support.random_games import Recorded

# What the page needs of a board has a place for everything that views mention


def viewed(name: str) -> game_views.BoardView:
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    return game_views.board_view(variant, board_layout(load_picture(variant), labels))


@pytest.mark.parametrize("name", ["standard", "colonial", "pure"])
def test_every_location_has_a_spot_inside_the_picture(name: str) -> None:
    view, board = viewed(name), load_variant(name).map
    names = names_of(board)

    assert set(view.spots) == {
        names.location_text(at) for at in board.locations.values()
    }
    assert all(
        0 <= x <= view.width and 0 <= y <= view.height for x, y in view.spots.values()
    )
    assert set(view.provinces) == set(names.provinces.values())


def test_provinces_are_called_as_in_orders() -> None:
    view = viewed("standard")

    assert view.provinces["ENG"] == "English Channel"
    assert "ENG" in view.seas
    assert "STP/SC" in view.spots


def test_neighbours_around_the_world_are_listed_both_ways() -> None:
    view = viewed("world")

    assert ("BRS", "NWP") in view.far
    assert ("NWP", "BRS") in view.far
    assert viewed("standard").far == ()


# What the page shows of a game: its turns, orders with reasons, press, scores


def turn_view(variant: Variant, units: str, orders: str) -> TurnView:
    """Return the view of a spring in which these orders were given."""
    position = scene(variant, "SPR 1901", units)
    given = tuple(orders_in(variant, position, orders))
    result = adjudicate(variant, position, given)
    turn = PlayedTurn(position, given, result.reports, 0.0)
    return GameViewer(variant, "daide").add(turn, result.next)


def order(turn: TurnView, text: str) -> OrderView:
    """Return the view of the order that is written so."""
    return next(each for each in turn.orders if each.text == text)


BURGUNDY = "FRA: A BUR, A MAR; GER: A RUH, A MUN, A KIE"


def test_an_order_has_its_result_its_reason_and_its_supporters(
    standard: Variant,
) -> None:
    german = "GER: A RUH - BUR, A MUN S A RUH - BUR, A KIE - HEL"
    turn = turn_view(standard, BURGUNDY, f"FRA: A BUR - PAR, A MAR S A BUR; {german}")
    ids = {unit.at: unit.id for unit in turn.units}
    move = order(turn, "A RUH - BUR")

    assert (move.result, move.supporters) == ("succeeded", (ids["MUN"],))
    assert order(turn, "A MAR S A BUR").result == "void"
    assert order(turn, "A MAR S A BUR").why == "void: the order is A BUR - PAR"
    assert order(turn, "A KIE - HEL").result == "illegal"
    assert order(turn, "A MUN S A RUH - BUR").target == ids["RUH"]
    assert turn.after.moved == {ids["RUH"]: "BUR", ids["BUR"]: "PAR"}


def test_a_dislodged_unit_has_its_retreats(standard: Variant) -> None:
    turn = turn_view(standard, BURGUNDY, "GER: A RUH - BUR, A MUN S A RUH - BUR")
    ids = {unit.at: unit.id for unit in turn.units}
    held = order(turn, "A BUR H")

    assert set(turn.after.dislodged[ids["BUR"]]) == {"BEL", "GAS", "PAR", "PIC"}
    assert (held.result, held.given) == ("dislodged", False)
    assert held.why == "no order: holds; dislodged by A RUH of Germany"


def test_an_army_goes_by_the_fleets_that_carry_it(standard: Variant) -> None:
    orders = "ENG: A LON - POR VIA, F ECH C A LON - POR, F MAO C A LON - POR"
    turn = turn_view(standard, "ENG: A LON, F ECH, F MAO", orders)

    assert order(turn, "A LON - POR VIA").via == ("ENG", "MAO")


def test_a_recorded_result_wins_over_the_adjudicated_one(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", "FRA: A PAR")
    given = tuple(orders_in(standard, position, "FRA: A PAR - BUR"))
    result = adjudicate(standard, position, given)
    bounced = tuple(
        replace(report, result=OrderResult.BOUNCED) for report in result.reports
    )
    turn = GameViewer(standard, "daide").add(
        PlayedTurn(position, given, bounced, 0.0), position
    )

    assert turn.orders[0].result == "bounced"
    assert turn.orders[0].why == "recorded as bounced; adjudicated again: moves"
    assert turn.after.moved == {}


def test_a_player_who_was_late_or_refused_has_a_row(record_of: Recorded) -> None:
    record = record_of()
    fra, eng = record.variant.map.powers[2], record.variant.map.powers[1]
    tallies = {fra: PlayerTally(refused=2, think_median=0.5), eng: PlayerTally()}
    first = replace(record.turns[0], tallies=tallies)
    turn = game_views.game_view(
        replace(record, turns=(first, *record.turns[1:]))
    ).turns[0]

    assert list(turn.players) == ["FRA"]
    assert (turn.players["FRA"].refused, turn.players["FRA"].think_median) == (2, 0.5)


@pytest.mark.parametrize("name", GAMES[:4])
def test_each_turn_goes_on_from_the_last_one(name: str) -> None:
    """Units and owners after a turn are those before the next, by their ids."""
    turns = game_views.game_view(record_of_game(name)).turns
    for turn, following in pairwise(turns):
        places = {unit.id: unit.at for unit in turn.units} | turn.after.moved
        places |= {unit.id: unit.at for unit in turn.after.built}
        for unit in turn.after.gone:
            del places[unit]
        assert places == {unit.id: unit.at for unit in following.units}
        assert turn.after.dislodged == following.dislodged


def test_a_turn_is_small() -> None:
    """A turn with reasons is less than 3.5 kB on average."""
    turns = game_views.game_view(record_of_game(GAMES[0])).turns
    sizes = [len(msgspec.json.encode(turn)) for turn in turns]

    assert sum(sizes) / len(sizes) < 3500


def test_json_gives_the_view_again(record_of: Recorded) -> None:
    view = game_views.game_view(record_of())

    assert msgspec.json.decode(msgspec.json.encode(view), type=GameView) == view


def test_what_a_unit_could_have_done(record_of: Recorded) -> None:
    record = record_of()
    found = game_views.choices_view(record, "S1901M", "STP/SC")

    assert set(found.orders["move"]) == {
        "F STP/SC - FIN",
        "F STP/SC - LVN",
        "F STP/SC - BOT",
    }
    for turn, at in (("S1901M", "BUR"), ("S1850M", "PAR")):
        with pytest.raises(LookupError):
            game_views.choices_view(record, turn, at)


def test_a_summary_has_the_last_position_if_it_is_wanted(record_of: Recorded) -> None:
    record = record_of()

    assert game_views.game_summary(record).last is None
    found = game_views.game_summary(record, with_board=True)
    assert found.last is not None
    assert len(found.last.units) == len((*record.last.units, *record.last.dislodged))


def test_a_turn_has_its_headline_and_an_open_one_that_of_the_game(
    record_of: Recorded,
) -> None:
    record = replace(record_of(), ending=None, winners=())
    view = game_views.game_view(record, running=True)

    *played, last = view.turns
    found = headlines(record)
    assert [turn.headline for turn in played] == [each.text for each in found]
    assert [turn.quiet for turn in played] == [each.quiet for each in found]
    assert last.open
    assert last.headline == view.headline


def test_a_game_has_one_name_and_headline_everywhere(record_of: Recorded) -> None:
    record = record_of()
    view, summary = game_views.game_view(record), game_views.game_summary(record)

    assert view.name == summary.name == game_name(record.id)
    assert view.headline == summary.headline == game_headline(record)


def test_press_has_numbers_that_promises_name(record_of: Recorded) -> None:
    view = game_views.game_view(record_of())
    messages = [each for each in view.press if not each.vote]

    assert [each.number for each in messages] == [1, 2, 3]
    assert messages[0].words == "Austria proposes to England: peace"
    assert {each.message for each in view.promises} == {1}
    votes = [each for each in view.press if each.vote]
    assert votes
    assert {each.number for each in votes} == {0}


@pytest.mark.parametrize(
    ("ending", "winners", "won"),
    [
        (Ending.DRAW, "AUS FRA", ["AUS", "FRA"]),
        (Ending.YEAR_LIMIT, "AUS FRA RUS", []),
        (None, "", []),
    ],
)
def test_places_are_by_result_and_then_by_centres(
    record_of: Recorded, ending: Ending | None, winners: str, won: list[str]
) -> None:
    record = replace(
        record_of(), ending=ending, winners=tuple(map(Power, winners.split()))
    )
    places = game_views.game_view(record).places

    assert [each.power for each in places if each.won] == won
    assert {each.place for each in places[: len(won)]} <= {1}
    rest = [each.centres for each in places[len(won) :]]
    assert rest == sorted(rest, reverse=True)
    seats = {seat.id: seat for seat in game_views.game_summary(record).seats}
    assert all(seats[each.power].place == each.place for each in places)
    assert [seat.id for seat in seats.values() if seat.won] == won


# The promises of a game on the page: what was agreed on, if press is shown


@pytest.fixture
def talked(standard: Variant) -> GameRecord:
    """Return a game in which powers agreed on an order that was not given."""
    return promised_game(standard, {0: agreed(XDO_KEPT)}, "FRA: A PAR - BUR")


def test_a_promise_has_its_turn_its_verdict_and_why(talked: GameRecord) -> None:
    assert game_views.game_view(talked).promises == (
        PromiseView(
            turn="S1901M",
            power="FRA",
            to=("ENG",),
            text="XDO ( ( FRA AMY PAR ) MTO PIC )",
            message=1,
            verdict="broken",
            decided="S1901M",
            why="another order was given",
        ),
    )


@pytest.mark.parametrize("shown", [PressShown.AFTER, PressShown.NEVER])
def test_press_that_is_not_shown_has_no_promises(
    talked: GameRecord, shown: PressShown
) -> None:
    hidden = visible(talked, PressPolicy(shown), 1e9, running=True)

    view = game_views.game_view(hidden, running=True)
    assert view.promises == ()
    assert view.press == ()
    assert all(each.headline for each in view.turns)
    assert view == game_views.game_view(replace(hidden, messages=()), running=True)


# Names of games


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


# Numbers of units


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
