"""Scripted DAIDE clients, which order, talk and vote, and sometimes say nonsense."""

import re
from random import Random
from typing import Final

from daide_server.board.names import Power
from daide_server.daide.frames import FINAL_MESSAGE, HEADER, FrameType, encode_tokens
from daide_server.daide.vocabulary import from_text
from tests.support.peers import POWERS, WORDS

from .hearing import WARNING, Listener
from .scenario import Kind, Scenario
from .speech import BUILDS, DIGITS, MOVEMENT, Board, UnitTold, unit_of, when
from .world import World

MOVE = re.compile(r"^\( \w{3} \w{3} (\w{3}|\( \w{3} \w{3} \)) \) MTO ")
"""An order to move."""
PAIR = POWERS[:2]
"""Who would share a draw of few (PDA)."""
_ANY = from_text(
    "( ) SUB SND PRP NOW AUS ENG AMY PAR BUR MTO HLD NOT DRW GOF HST ADM 5 OBS", WORDS
)


class Player(Listener):
    """A client that does what its kind does."""

    def __init__(
        self, world: World, board: Board, scenario: Scenario, number: int
    ) -> None:
        super().__init__(world, board, scenario, number)
        self._wants_draw: Final = scenario.draws
        self._others: Final = Random(f"questions {scenario.seed} {number}")
        """The chance of questions, which leave everything else as it is."""
        self._count = 0

    def _plan(self) -> None:
        """Decide what to do in this turn, and when."""
        turn, chance = self.turn, self._chance
        if self._wants_draw and not turn.endswith("1901"):
            self._later(chance.uniform(0.0, 3.0), lambda: self._vote(turn, "DRW"))
            if self._others.random() < 0.1:
                after = self._others.uniform(0.0, 5.0)
                self._later(after, lambda: self._vote(turn, "NOT ( DRW )"))
        if self.kind is Kind.SILENT:
            return
        times = 1 + (self.kind is Kind.LATE and chance.random() < 0.5)
        slowest = 15.0 if self.kind is Kind.LATE else 2.0
        for _ in range(times):
            self._later(chance.uniform(0.01, slowest), lambda: self._order(turn))
        self._plan_rare(turn)
        if self.kind is Kind.TALKER:
            for _ in range(chance.randrange(4)):
                self._later(chance.uniform(0.0, 4.0), lambda: self._talk(turn))
        elif chance.random() < 0.1:
            self._later(chance.uniform(0.0, 4.0), lambda: self._talk(turn))

    def _plan_rare(self, turn: str) -> None:
        chance = self._others
        if chance.random() < 0.1:
            self._later(chance.uniform(0.0, 2.0), lambda: self._inquire(turn))
        if self.power in PAIR and self._settings.get("pda") and self._settings["level"]:
            self._later(chance.uniform(0.0, 3.0), lambda: self._share(turn))
        if chance.random() < 0.1:
            self._later(chance.uniform(0.5, 3.0), lambda: self._withdraw(turn))

    def _order(self, turn: str) -> None:
        if turn != self.turn or self.link is None or not self.is_in:
            return
        if turn.startswith(BUILDS):
            orders = self._builds()
        elif turn.startswith(MOVEMENT):
            orders = self._moves()
        else:
            orders = [self._retreat(unit) for unit in self._units if unit[2]]
        if self.kind is Kind.LATE:
            orders = [each for each in orders if self._chance.random() < 0.7]
        for order in orders:
            unit = unit_of(order)
            self.talk.asked[f"( {order} )"] = turn, unit
            self.talk.thanks[f"( {order} )"] += 1
            self.told.submit(turn, unit, f"( {order} )")
        if self._chance.random() < 0.3:
            parts = [[order] for order in orders]
        else:
            parts = [orders] if orders else []
        for part in parts:
            words = " ".join(f"( {order} )" for order in part)
            self.ask(f"SUB ( {turn} ) {words}", len(part))

    def _moves(self) -> list[str]:
        """Return an order for each unit; some support the move of another."""
        orders = [self._move(unit) for unit in self._units]
        moves = {at: order for at, order in enumerate(orders) if MOVE.search(order)}
        for number, (kind, place, _) in enumerate(self._units):
            reached = self._board.near.get((kind, place), ())
            backed = [
                move
                for at, move in moves.items()
                if move[-3:] in reached and at != number
            ]
            if backed and self._chance.random() < 0.5:
                moved = self._chance.choice(backed)
                orders[number] = f"( {self.power} {kind} {place} ) SUP {moved}"
                moves.pop(number, None)
        return orders

    def _move(self, unit: UnitTold) -> str:
        kind, place, _ = unit
        who = f"( {self.power} {kind} {place} )"
        near = self._board.near.get((kind, place))
        draw = self._chance.random()
        if draw < 0.2 or not near:
            return f"{who} HLD"
        if draw < 0.25:
            return f"{who} MTO {self._chance.choice(('PAR', 'MOS', 'ROM'))}"
        return f"{who} MTO {self._chance.choice(near)}"

    def _retreat(self, unit: UnitTold) -> str:
        kind, place, places = unit
        who = f"( {self.power} {kind} {place} )"
        if self._chance.random() < 0.2:
            return f"{who} DSB"
        return f"{who} RTO {self._chance.choice(places)}"

    def _builds(self) -> list[str]:
        """Return removals and builds at random; many are refused."""
        places = sorted({place for _, place, _ in self._units})
        homes = sorted(self._board.homes[Power(self.power)])
        free = [home for home in homes if home not in places]
        orders = [f"( {self.power} AMY {home} ) BLD" for home in free]
        if self._units and self._chance.random() < 0.5:
            kind, place, _ = self._chance.choice(self._units)
            orders.append(f"( {self.power} {kind} {place} ) REM")
        return orders

    def _talk(self, turn: str) -> None:
        if turn != self.turn or not self.is_in:
            return
        draw = self._chance.random()
        if draw < 0.6:
            if self._settings["level"]:
                self._send_press()
        elif draw < 0.7:
            self._vote(turn, self._chance.choice(("DRW", "NOT ( DRW )")))
        elif draw < 0.8:
            self.say(self._chance.choice(("NOW", "ORD", "SCO", "TME", "MIS", "HST")))
        elif draw < 0.9:
            self.told.wants_time = None
            self.ask(self._chance.choice(("GOF", "NOT ( GOF )")))
        else:
            self._cancel()

    def _inquire(self, turn: str) -> None:
        """Ask to be told the time, or for the history of a turn before the last."""
        if turn != self.turn or not self.is_in:
            return
        known = sorted(self.told.whole, key=when)[:-2]
        if known and not self.talk.history:
            self.talk.history = self._others.choice(known)
            self.say(f"HST ({self.talk.history})")
        elif not self.talk.warned_from:
            self.ask(WARNING)

    def _share(self, turn: str) -> None:
        """Vote for a draw of few, which others do not vote for."""
        if turn == self.turn and self.is_in:
            self.ask(f"DRW ( {' '.join(PAIR)} )")

    def _vote(self, turn: str, vote: str) -> None:
        if turn == self.turn and self.is_in:
            self.told.is_for_draw = None
            self.ask(vote)

    def _cancel(self) -> None:
        self.told.cancelled.add(self.turn)
        self.talk.cancelling += 1
        self.ask("NOT ( SUB )")

    def _withdraw(self, turn: str) -> None:
        """Withdraw one order that was acknowledged."""
        is_idle = turn == self.turn and self.is_in and self.told.is_sure(turn)
        for unit, (order,) in self.told.orders.get(turn, {}).items() if is_idle else ():
            self.told.submit(turn, unit, "")
            self.talk.withdrawn.append((turn, unit))
            self.ask(f"NOT ( SUB {order} )")
            break

    def _send_press(self) -> None:
        self._count += 1
        others = [each for each in POWERS if each != self.power]
        to = self._chance.sample(others, self._chance.choice((1, 1, 2)))
        if self._others.random() < 0.1:
            to.append(to[0])
        digits = f"{POWERS.index(self.power)}{self._count:04}"
        words = " ".join(DIGITS[int(digit)] for digit in digits)
        text = f"DMZ ( {self.power} ) ( {words} )"
        self.told.sent[text] = " ".join(to)
        self.say(f"SND ( {' '.join(to)} ) ( PRP ( {text} ) )")

    def flood(self) -> None:
        """Ask for more than the server may keep for one client."""
        for _ in range(60):
            self.say("MDF")

    def babble(self) -> None:
        """Say what no client should."""
        if self.link is None:
            return
        self.has_babbled = True
        draw = self._chance.random()
        if draw < 0.5:
            self.link.say(self._chance.randbytes(self._chance.randrange(1, 60)))
        elif draw < 0.6:
            self.link.say(FINAL_MESSAGE)
        elif draw < 0.7:
            self.link.say(
                HEADER.pack(FrameType.DIPLOMACY, 3) + self._chance.randbytes(3)
            )
        else:
            count = self._chance.randrange(1, 12)
            tokens = self._chance.choices(_ANY, k=count)
            self.link.say(b"".join([encode_tokens(tuple(tokens))] * 20))
