"""Seats: who holds which, and who gets which next."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.game.game_state import Seating
from daide_server.game.options import SeatAssignment
from daide_server.language.messages import Name

A, B, C = POWERS = Power("AUS"), Power("BUL"), Power("CRE")
CODES = {A: 1, B: 2, C: 3}
BOT = Name("bot", "1.0")


def seating() -> Seating:
    """Return three free seats, offered in the order B, C, A."""
    return Seating(SeatAssignment((B, C, A), CODES))


def test_seats_are_offered_in_the_order_that_was_drawn() -> None:
    """Each as long as there is room."""
    seats = seating()
    for number, power in enumerate((B, C, A)):
        seat = seats.open_seat()
        assert seat is not None
        assert seat.power == power
        seats.take(seat, ClientId(number), BOT)
    assert seats.open_seat() is None


def test_who_waits_gets_what_the_others_left() -> None:
    """In the order of the seats, as they came; nobody has a seat before."""
    seats = seating()
    for number in (1, 2):
        seats.waiting[ClientId(number)] = Name(f"bot {number}", "1")
        seats.ready.add(ClientId(number))
    assert seats.clients() == (1, 2)
    assert not seats.occupied
    assert seats.by_client.get(ClientId(1)) is None
    assert ClientId(1) in seats.waiting
    seats.take(seats[C], ClientId(3), BOT)
    assert not seats.has_room()
    assert seats.open_seat() is None
    assert not seats.is_full()
    seats.ready.add(ClientId(3))
    assert seats.is_full()
    seats.deal()
    assert [seat.client for seat in seats] == [1, 3, 2]
    assert [seat.name for seat in seats] == ["bot 1", "bot", "bot 2"]
    assert seats.is_full()
    assert ClientId(1) not in seats.waiting


def test_who_waits_may_leave() -> None:
    seats = seating()
    seats.waiting[ClientId(1)] = BOT
    seats.leave(ClientId(1))
    assert not seats.clients()
    assert seats.has_room()


def test_a_game_is_full_when_all_have_the_map() -> None:
    """A client that returns needs none."""
    seats = seating()
    for number, seat in enumerate(seats):
        seats.take(seat, ClientId(number), BOT)
        assert not seats.is_full()
        seats.ready.add(ClientId(number))
    assert seats.is_full()
    seats.leave(ClientId(0))
    assert seats[B].client is None
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
    assert seats.by_client[ClientId(2)].power == A


@given(st.lists(st.tuples(st.sampled_from(POWERS), st.integers(1, 4)), max_size=20))
def test_all_views_of_the_seats_agree(steps: list[tuple[Power, int]]) -> None:
    """Clients, occupied powers and seats are the same, whoever comes and goes."""
    seats = seating()
    for power, number in steps:
        client = ClientId(number)
        if seats.by_client.get(client) is not None:
            seats.leave(client)
        elif seats[power].client is None:
            seats.retake(seats[power], client)
        held = {seat.client: seat for seat in seats if seat.client is not None}
        assert set(seats.clients()) == set(held)
        assert seats.occupied == {seat.power for seat in held.values()}
        assert all(seats.by_client.get(client) is seat for client, seat in held.items())
