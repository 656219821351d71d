"""How the players do in a turn: what is counted, and that it is bounded."""

from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.daide.messages import BracketsRefused, SyntaxRefused
from daide_server.daide.tokens import BRA, ERR, KET, ORD, SUB
from daide_server.game import events, turn_tally
from daide_server.records.entries import TurnTallied
from daide_server.records.record import PlayerTally
from tests.support.scripts import Script

FRANCE, GERMANY, ENGLAND = Power("FRA"), Power("GER"), Power("ENG")
TURKEY = Power("TUR")
FAR = "((FRA AMY PAR) MTO MOS)"


class Tallied:
    """A script, and the tally of its game."""

    def __init__(self, variant: Variant, *words: str) -> None:
        self.script = Script(variant, *words)
        self.tally = turn_tally.TurnTally(self.script.game.state)
        self.tallied: list[TurnTallied] = []
        self.first: list[str] = []
        self.script.after_event = self._count

    def _count(
        self, event: events.GameEvent, effects: list[events.Effect], now: float
    ) -> None:
        refused = self.tally.count(event, effects, now)
        self.first += [] if refused is None else [refused.text]
        for effect in effects:
            if isinstance(effect, events.Record):
                self.tallied += self.tally.follow(effect.entry)

    def client(self, word: str) -> events.ClientId:
        """Return the first client that has said something with *word* in it."""
        return next(
            event.client
            for event, _ in self.script.events
            if isinstance(event, events.MessageReceived) and word in repr(event.message)
        )

    def last(self, power: Power) -> PlayerTally:
        """Return the tally of a power in the turn that was processed last."""
        return self.tallied[-1].tallies[power]


def test_a_refused_order_is_kept_with_its_note(standard: Variant) -> None:
    """The last one for each unit; only the first of a turn is returned immediately."""
    game = Tallied(standard, "mtl=100")
    game.script.hears("FRA", f"SUB ((FRA AMY PAR) MTO GAL) ((FRA AMY MAR) HLD) {FAR}")
    game.script.hears("FRA", "SUB ((ENG FLT LON) HLD)")
    game.script.waits(100)
    tally = game.last(FRANCE)
    assert game.first == ["( FRA AMY PAR ) MTO GAL"]
    assert tally.refused == 3
    assert [(each.province, each.note) for each in tally.refused_orders] == [
        (Province("PAR"), OrderNote.NOT_ADJACENT),
        (Province("LON"), OrderNote.NOT_YOUR_UNIT),
    ]
    assert tally.refused_orders[0].text == "( FRA AMY PAR ) MTO MOS"


def test_late_players_and_silent_players_are_counted(standard: Variant) -> None:
    """France sent something, but not all; Germany nothing; England all."""
    game = Tallied(standard, "mtl=100")
    game.script.hears("FRA", "SUB ((FRA AMY PAR) HLD)")
    game.script.holds("ENG")
    game.script.waits(100)
    france, germany, england = map(game.last, (FRANCE, GERMANY, ENGLAND))
    assert (france.late, france.silent) == (1, False)
    assert (germany.late, germany.silent) == (1, True)
    assert (england.late, england.silent) == (0, False)


def test_orders_for_a_turn_that_is_over_are_late(standard: Variant) -> None:
    game = Tallied(standard)
    game.script.holds()
    game.script.hears("FRA", f"SUB (SPR 1901) {FAR}")
    game.script.holds()
    assert game.last(FRANCE).late == 1


def test_a_player_that_left_is_not_late(standard: Variant) -> None:
    game = Tallied(standard, "mtl=100")
    game.script.loses("FRA")
    game.script.waits(100)
    assert FRANCE not in game.tallied[-1].tallies


def test_think_times_count_from_the_beginning_of_the_turn(standard: Variant) -> None:
    game = Tallied(standard)
    for _ in range(2):
        for seconds in (1.0, 3.0, 4.5):
            game.script.waits(seconds)
            game.script.hears("FRA", "SUB ((FRA AMY PAR) HLD)")
        game.script.holds()
        tally = game.last(FRANCE)
        assert (tally.think_median, tally.think_longest) == (6.25, 8.5)


def test_syntax_errors_are_counted_and_the_first_is_reported(standard: Variant) -> None:
    """Those of who has no seat are nobody's."""
    game = Tallied(standard)
    game.script.hears("stranger", "OBS")
    france, stranger = game.client("frabot"), game.client("Observe")
    assert game.tally.count_syntax_error(france, BracketsRefused((SUB, BRA)))
    reply = SyntaxRefused((SUB, BRA, ERR, ORD, KET))
    assert not game.tally.count_syntax_error(france, reply)
    assert not game.tally.count_syntax_error(stranger, reply)
    game.script.holds()
    assert game.last(FRANCE).syntax_errors == 2
    assert game.last(FRANCE).last_syntax_error == "HUH ( SUB ( ERR ORD ) )"


def test_the_place_of_an_error_in_a_long_message_is_kept(standard: Variant) -> None:
    game = Tallied(standard)
    long = (SUB, *[ORD] * 400, ERR, *[BRA] * 400)
    game.tally.count_syntax_error(game.client("frabot"), SyntaxRefused(long))
    game.script.holds()
    words = game.last(FRANCE).last_syntax_error.split()
    assert words.count("ERR") == 1
    assert len(words) == turn_tally.MAX_ERROR_TOKENS + len(["HUH", "(", ")"])


def test_the_huh_of_a_strict_server_is_counted(standard: Variant) -> None:
    """Press that names an eliminated power gets HUH from the game, not the reader."""
    start = standard.start
    owners = {at: power for at, power in start.owners.items() if power != TURKEY}
    units = tuple(unit for unit in start.units if unit.power != TURKEY)
    begun = evolve(standard, start=replace(start, owners=owners, units=units))
    game = Tallied(begun, "level=10", "strict")
    game.script.hears("FRA", "SND (ENG) (PRP (PCE (FRA TUR)))")
    game.script.holds()
    tally = game.last(FRANCE)
    assert tally.syntax_errors == 1
    assert tally.last_syntax_error == (
        "HUH ( SND ( ENG ) ( PRP ( PCE ( FRA ERR TUR ) ) ) )"
    )


def test_tallies_are_bounded(standard: Variant) -> None:
    """However many orders a client sends, and however long they are."""
    game = Tallied(standard)
    provinces = sorted(standard.map.provinces)[: turn_tally.MAX_REFUSED_ORDERS + 20]
    orders = " ".join(f"((GER AMY {each}) HLD)" for each in provinces)
    game.script.hears("FRA", f"SUB {orders}")
    route = " ".join(["NTH"] * 1000)
    game.script.hears("FRA", f"SUB ((FRA AMY PAR) CTO LON VIA ({route}))")
    game.script.holds()
    tally = game.last(FRANCE)
    assert tally.refused == turn_tally.MAX_REFUSED_ORDERS + 21
    assert len(tally.refused_orders) <= turn_tally.MAX_REFUSED_ORDERS
    assert all(
        len(each.text) < 10 * turn_tally.MAX_ORDER_TOKENS
        for each in tally.refused_orders
    )
