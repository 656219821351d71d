"""Seats: who holds which, and who gets which next."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.game.options import SeatAssignment
from daide_server.game.seating import Seating
from daide_server.language.messages import Name, Rejoin

A, B, C = POWERS = Power("AUS"), Power("BUL"), Power("CRE")
CODES = {A: 1, B: 2, C: 3}
BOT = Name("bot", "1.0")


def seating() -> Seating:
    """Return three free seats, offered in the order B, C, A."""
    return Seating(SeatAssignment((B, C, A), CODES))


def test_seats_are_offered_in_the_order_that_was_drawn() -> None:
    """Unless a client asks for one that is free."""
    seats = seating()
    for number, power in enumerate((B, C, A)):
        seat = seats.open_seat()
        assert seat is not None
        assert seat.power == power
        seats.take(seat, ClientId(number), BOT)
    assert seats.open_seat() is None
    seats = seating()
    wanted = seats.open_seat("AUS")
    assert wanted is seats[A]
    seats.take(seats[A], ClientId(1), BOT)
    assert seats.open_seat("AUS") is seats[B]
    assert seats.open_seat("XYZ") is seats[B]


def test_a_game_is_full_when_all_have_the_map() -> None:
    """A client that returns needs none."""
    seats = seating()
    for number, seat in enumerate(seats):
        seats.take(seat, ClientId(number), BOT)
        assert not seats.is_full()
        seat.accept_map()
    assert seats.is_full()
    assert seats.leave(ClientId(0)) is seats[B]
    assert not seats.is_full()
    seats.retake(seats[B], ClientId(9))
    assert seats.is_full()


def test_a_seat_keeps_the_name_of_its_client() -> None:
    """IAM brings none, and SMR lists all."""
    seats = seating()
    seats.take(seats[A], ClientId(1), BOT)
    seats.leave(ClientId(1))
    seats.retake(seats[A], ClientId(2))
    assert (seats[A].name, seats[A].version) == ("bot", "1.0")
    assert seats.power_of(ClientId(2)) == A


def test_a_claim_needs_the_passcode_of_its_power() -> None:
    seats = seating()
    assert seats.claimed(Rejoin(A, 1)) is seats[A]
    assert seats.claimed(Rejoin(A, 2)) is None
    assert seats.claimed(Rejoin(Power("XYZ"), 1)) is None


def test_disorder_is_news_once() -> None:
    """So that CCD and NOT (CCD) are sent once each."""
    seat = seating()[A]
    assert not seat.regain_control()
    assert [seat.lose_control(), seat.lose_control()] == [True, False]
    assert [seat.regain_control(), seat.regain_control()] == [True, False]


@given(st.lists(st.tuples(st.sampled_from(POWERS), st.integers(1, 4)), max_size=20))
def test_all_views_of_the_seats_agree(steps: list[tuple[Power, int]]) -> None:
    """Clients, occupied powers and seats are the same, whoever comes and goes."""
    seats = seating()
    for power, number in steps:
        client = ClientId(number)
        if seats.of(client) is not None:
            seats.leave(client)
        elif seats[power].client is None:
            seats.retake(seats[power], client)
        held = {seat.client: seat for seat in seats if seat.client is not None}
        assert set(seats.clients()) == set(held)
        assert seats.occupied == {seat.power for seat in held.values()}
        assert all(seats.of(client) is seat for client, seat in held.items())
