"""Scripted DAIDE clients, and what each of them was told.

A player does nothing but react: to bytes, to the end of its connection, and to the
times that it has set itself. It believes only what it hears.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from math import inf
from random import Random
from typing import Final

import trio

from daide_server.board.names import Location, Power, UnitType
from daide_server.board.variant import Variant
from daide_server.game.events import Seconds
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import Tokens
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    ClientConnection,
    encode_tokens,
)
from tests.support.peers import POWERS, WORDS

from .scenario import Flood, Kind, Scenario, Slow, Unread
from .world import LATENCY, Link, World

UNIT: Final = re.compile(
    r"\( (\w{3}) (AMY|FLT) (\w{3}|\( \w{3} \w{3} \))( MRT \((?: (.*?))?? \))? \)"
)
PLACE: Final = re.compile(r"\( \w{3} \w{3} \)|\w{3}")
MOVEMENT: Final = ("SPR", "FAL")
BUILDS: Final = "WIN"
MOVE: Final = re.compile(r"^\( \w{3} \w{3} (\w{3}|\( \w{3} \w{3} \)) \) MTO ")
"""An order to move."""
SEASONS: Final = ("SPR", "SUM", "FAL", "AUT", "WIN")
SLOWEST: Final = 50 * LATENCY
"""Seconds that a message of several packets may take at most, unless all are slow."""


@cache
def spoken(text: str) -> bytes:
    """Return the bytes of a message."""
    return encode_tokens(from_text(text, WORDS))


@cache
def heard(tokens: Tokens) -> str:
    """Return a message as text."""
    return to_text(tokens, WORDS)


class Told:
    """What one player was told, and can rely on."""

    def __init__(self) -> None:
        self.turns: Final[dict[str, str]] = {}
        """By turn, the NOW that announced it."""
        self.results: Final[set[str]] = set()
        """Each ORD."""
        self.whole: Final[set[str]] = set()
        """Turns whose end was told on one connection: with all results."""
        self.centres: Final[set[str]] = set()
        """Each SCO."""
        self.orders: Final[dict[str, dict[str, str]]] = {}
        """By turn and unit, the order that was acknowledged (THX MBV)."""
        self.unsure: Final[set[tuple[str, str]]] = set()
        """Turns and units with an order under way: it may hold, or that before."""
        self.cancelled: Final[set[str]] = set()
        """Turns in which orders were cancelled: what else was sent may hold or not."""
        self.press: Final[set[str]] = set()
        """Texts that were acknowledged (YES SND)."""
        self.sent: Final[dict[str, str]] = {}
        """Texts that were sent, and to whom."""
        self.received: Final[Counter[tuple[str, str]]] = Counter()
        """Senders and texts of press."""
        self.ending = ""
        """The SMR."""
        self.is_for_draw: bool | None = False
        """Whether its vote is for a draw, in this turn; `None`: it is under way."""
        self.vote_at_end: bool | None = None
        """The same when DRW came."""

    def certain(self, turn: str) -> list[str]:
        """Return the orders that must be in force in *turn*, or have been played."""
        if turn in self.cancelled:
            return []
        return [
            order
            for unit, order in self.orders.get(turn, {}).items()
            if (turn, unit) not in self.unsure
        ]


class Player:
    """One client, on as many connections as it takes."""

    def __init__(
        self, world: World, variant: Variant, scenario: Scenario, number: int
    ) -> None:
        """Be the player of that *number*; one that has none in *scenario* is silent."""
        kinds = dict(enumerate(scenario.players))
        self.name: Final = f"p{number}"
        self.kind: Final = Kind(kinds.get(number, Kind.SILENT))
        self.told: Final = Told()
        self.called = self.name
        """The name of its last NME, by which records call it."""
        self.power = ""
        self.passcode = 0
        self.turn = ""
        self.is_over = False
        self.is_in = False
        """Whether it has been let in on this connection."""
        self.link: Link | None = None
        self.has_babbled = False
        self.last_told = ""
        """The turn of the last NOW on this connection."""
        self.problem = ""
        """What it was told and should never have been."""
        self._world: Final = world
        self._settings: Final = scenario.settings
        self._is_slow: Final = any(
            isinstance(each, Flood | Slow | Unread) for each in scenario.faults
        )
        """Whether what it hears may be old."""
        self._map: Final = variant.map
        self._near: Final = places_near(variant)
        self._chance: Final = Random(1000 * scenario.seed + number)
        self._connection = ClientConnection()
        self._wants_draw: Final = scenario.draws
        self._units: list[tuple[str, str, list[str]]] = []
        self._asked: dict[str, tuple[str, str]] = {}
        """Orders that were sent and not answered: by their text, turn and unit."""
        self._count = 0
        self._joins = 0
        self._has_returned = False
        """Whether it joined by IAM on this connection."""
        self._heard_at = -inf
        """When the turn began, unless it came in the middle of that."""
        self._wants_time: bool | None = False
        """Whether it said NOT (GOF) in this turn; `None`: the answer is under way."""

    # Its connection

    def connect(self) -> None:
        """Connect, now or as soon as there is a server."""
        if self.is_over or self.link is not None:
            return
        link = self._world.network.connect(f"192.0.2.{1 + len(self.name) % 200}")
        if link is None:
            self._later(0.5 + self._chance.random(), self.connect)
            return
        self.link, self.is_in = link, False
        self.last_told, self._has_returned = "", False
        self._connection = ClientConnection()
        self._asked.clear()
        link.on_bytes = lambda data: self._read(link, data)
        link.on_end = lambda: self._ended(link)
        link.say(self._connection.take_output())
        # A server that is gone without a word does not answer.
        self._later(90.0, lambda: self._give_up(link))

    def _give_up(self, link: Link) -> None:
        if self.link is link and not self.is_in:
            self.leave()

    def leave(self) -> None:
        """Hang up, and come back after a while."""
        if self.link is not None:
            self.link.hang_up()
            self._ended(self.link)

    def _ended(self, link: Link) -> None:
        if self.link is link:
            self.link = None
            self._asked.clear()
            self._later(self._chance.uniform(0.1, 3.0), self.connect)

    def say(self, text: str) -> None:
        """Say a message, unless it has just been cut off."""
        if self.link is not None:
            self.link.say(spoken(text))

    def _later(self, seconds: Seconds, action: Callable[[], None]) -> None:
        self._world.agenda.after(seconds, action)

    # What it hears

    def _read(self, link: Link, data: bytes) -> None:
        if self.link is not link:
            return
        known = self._connection.representation is not None
        for tokens in self._connection.receive(data):
            self._hear(heard(tokens))
        if self._connection.complaint is not None and not self.has_babbled:
            self.problem = f"was sent EM {self._connection.complaint}"
        if not known and self._connection.representation is not None:
            self._join()

    def _join(self) -> None:
        if self.kind is Kind.OBSERVER:
            self.say("OBS")
        elif self.passcode:
            self._has_returned = True
            self.say(f"IAM ({self.power}) ({self.passcode})")
        else:
            # Another name each time: it may have a seat of which it never heard.
            self._joins += 1
            self.called = f"{self.name}-{self._joins}"
            self.say(f"NME ('{self.called}') ('1')")

    def _hear(self, text: str) -> None:
        word = text[:3]
        handler = _HANDLERS.get(word)
        if handler is not None:
            handler(self, text)

    def _on_map(self, text: str) -> None:
        self.say(f"YES ({text})")

    def _on_hello(self, text: str) -> None:
        words = text.split()
        if words[2] == "UNO":
            return
        if self.passcode and (words[2], int(words[5])) != (self.power, self.passcode):
            self.problem = f"was {self.power} and is told {text}"
        self.power, self.passcode = words[2], int(words[5])
        self.is_in = True

    def _on_now(self, text: str) -> None:
        season, year = text.split()[2:4]
        turn = f"{season} {year}"
        if self.kind is Kind.OBSERVER or _when(turn) < _when(self.turn):
            return  # for who observes, it may be that of another game
        is_known = turn in self.told.turns  # the answer to NOW, or to HST
        before = self.told.turns.setdefault(turn, text)
        if before != text:
            self.problem = f"{turn}: was told {before}, then {text}"
        if is_known:
            return
        if self.last_told:
            self.told.whole.add(self.last_told)
            self._check_time()
        is_new = bool(self.last_told) or not self._has_returned
        self._heard_at = trio.current_time() if is_new else -inf
        self.turn = self.last_told = turn
        self.told.is_for_draw = self._wants_time = False
        self._asked.clear()
        self._units = [
            (kind, place, PLACE.findall(places or ""))
            for power, kind, place, _, places in UNIT.findall(text)
            if power == self.power
        ]
        self._plan()

    def _on_thanks(self, text: str) -> None:
        order, _, note = text.removeprefix("THX ").rpartition(" ( ")
        asked = self._asked.pop(order, None)
        if asked is None:
            return
        turn, unit = asked
        if turn == self.turn:
            self.told.unsure.discard((turn, unit))
            if note == "MBV )":
                self.told.orders.setdefault(turn, {})[unit] = order

    def _on_yes(self, text: str) -> None:
        said = text[6:-2]
        if said.startswith("IAM"):
            self.is_in = True
            self.say("HLO")
            self.say("NOW")
        elif said.startswith("OBS"):
            self.is_in = True
        elif said in {"DRW", "NOT ( DRW )"}:
            self.told.is_for_draw = said == "DRW"
        elif said in {"GOF", "NOT ( GOF )"}:
            self._wants_time = said != "GOF"
        elif said.startswith("SND"):
            self.told.press.add(said.split("( PRP ( ")[-1][:-4].strip())

    def _on_refusal(self, text: str) -> None:
        if text.startswith("REJ ( IAM"):
            self._later(1.0 + self._chance.random(), self._try_again)
        elif text.startswith(("REJ ( NME", "REJ ( OBS")):
            self._later(1.0, self._try_again)

    def _try_again(self) -> None:
        if self.link is not None and not self.is_in:
            self._join()

    def _on_press(self, text: str) -> None:
        found = re.match(
            r"FRM \( (\w{3}) \) \( ([A-Z ]+) \) \( PRP \( (.*) \) \)$", text
        )
        if found is None:
            return
        sender, recipients, said = found.groups()
        if self.power not in recipients.split():
            self.problem = f"{self.power} is told {text}"
        self.told.received[sender, said] += 1

    def _on_results(self, text: str) -> None:
        if " WVE ) " not in text:  # what is not built is not recorded
            self.told.results.add(text)

    def _on_centres(self, text: str) -> None:
        self.told.centres.add(text)

    def _on_complaint(self, text: str) -> None:
        if not self.has_babbled:
            self.problem = f"is told {text}"

    def _on_end(self, text: str) -> None:
        if text.startswith("SMR"):
            self.told.ending = text
        elif text.startswith("DRW"):
            self.told.vote_at_end = self.told.is_for_draw if self.is_in else None
        self.is_over = True

    def _check_time(self) -> None:
        """See whether the turn that is over ended before it might."""
        turn, units, season = self.turn, self._units, self.turn[:3]
        limit = {"SPR": "mtl", "FAL": "mtl", "WIN": "btl"}.get(season, "rtl")
        seconds = trio.current_time() - self._heard_at
        if self._is_slow or seconds >= self._settings[limit] - SLOWEST:
            return
        if self._wants_time:
            self.problem = f"{turn} ended early, against NOT (GOF)"
        if not turn.startswith((BUILDS, *MOVEMENT)):
            units = [each for each in units if each[2]]
        given = self.told.orders.get(turn, {})
        for kind, place, _ in [] if turn.startswith(BUILDS) else units:
            unit = f"{self.power} {kind} {place}"
            if unit not in given and (turn, unit) not in self.told.unsure:
                self.problem = f"{turn} ended early, without an order for {unit}"

    # What it does

    def _plan(self) -> None:
        """Decide what to do in this turn, and when."""
        turn, chance = self.turn, self._chance
        if self._wants_draw and not turn.endswith("1901"):
            self._later(chance.uniform(0.0, 3.0), lambda: self._vote(turn, "DRW"))
        if self.kind is Kind.SILENT:
            return
        times = 1 + (self.kind is Kind.LATE and chance.random() < 0.5)
        slowest = 15.0 if self.kind is Kind.LATE else 2.0
        for _ in range(times):
            self._later(chance.uniform(0.01, slowest), lambda: self._order(turn))
        if self.kind is Kind.TALKER:
            for _ in range(chance.randrange(4)):
                self._later(chance.uniform(0.0, 4.0), lambda: self._talk(turn))
        elif chance.random() < 0.1:
            self._later(chance.uniform(0.0, 4.0), lambda: self._talk(turn))

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
            self._asked[f"( {order} )"] = turn, unit
            self.told.unsure.add((turn, unit))
        if self._chance.random() < 0.3:
            parts = [[order] for order in orders]
        else:
            parts = [orders] if orders else []
        for part in parts:
            self.say(f"SUB ( {turn} ) " + " ".join(f"( {order} )" for order in part))

    def _moves(self) -> list[str]:
        """Return an order for each unit; some support the move of another."""
        orders = [self._move(unit) for unit in self._units]
        for number, (kind, place, _) in enumerate(self._units):
            reached = self._near.get((kind, place), ())
            backed = [
                other
                for each, other in enumerate(orders)
                if each != number and MOVE.search(other) and other[-3:] in reached
            ]
            if backed and self._chance.random() < 0.5:
                moved = self._chance.choice(backed)
                orders[number] = f"( {self.power} {kind} {place} ) SUP {moved}"
        return orders

    def _move(self, unit: tuple[str, str, list[str]]) -> str:
        kind, place, _ = unit
        who = f"( {self.power} {kind} {place} )"
        near = self._near.get((kind, place))
        draw = self._chance.random()
        if draw < 0.2 or not near:
            return f"{who} HLD"
        if draw < 0.25:
            return f"{who} MTO {self._chance.choice(('PAR', 'MOS', 'ROM'))}"
        return f"{who} MTO {self._chance.choice(near)}"

    def _retreat(self, unit: tuple[str, str, list[str]]) -> str:
        kind, place, places = unit
        who = f"( {self.power} {kind} {place} )"
        if self._chance.random() < 0.2:
            return f"{who} DSB"
        return f"{who} RTO {self._chance.choice(places)}"

    def _builds(self) -> list[str]:
        """Return removals and builds at random; many are refused."""
        places = sorted({place for _, place, _ in self._units})
        homes = sorted(self._map.homes[Power(self.power)])
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
            self._send_press()
        elif draw < 0.7:
            self._vote(turn, self._chance.choice(("DRW", "NOT ( DRW )")))
        elif draw < 0.8:
            self.say(self._chance.choice(("NOW", "ORD", "SCO", "TME", "MIS", "HST")))
        elif draw < 0.9:
            self._wants_time = None
            self.say(self._chance.choice(("GOF", "NOT ( GOF )")))
        else:
            self._cancel()

    def _vote(self, turn: str, vote: str) -> None:
        if turn == self.turn and self.is_in:
            self.told.is_for_draw = None
            self.say(vote)

    def _cancel(self) -> None:
        self.told.cancelled.add(self.turn)
        self.say("NOT ( SUB )")

    def _send_press(self) -> None:
        self._count += 1
        others = [each for each in POWERS if each != self.power]
        to = self._chance.sample(others, self._chance.choice((1, 1, 2)))
        digits = f"{POWERS.index(self.power)}{self._count:04}"
        words = " ".join(_DIGITS[int(digit)] for digit in digits)
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
        else:
            count = self._chance.randrange(1, 12)
            tokens = self._chance.choices(_ANY, k=count)
            self.link.say(b"".join([encode_tokens(tuple(tokens))] * 20))


_DIGITS: Final = (
    "ALB", "BEL", "BUD", "BUL", "CLY", "DEN", "EDI", "FIN", "GRE", "HOL"
)  # fmt: skip
_ANY: Final = from_text(
    "( ) SUB SND PRP NOW AUS ENG AMY PAR BUR MTO HLD NOT DRW GOF HST ADM 5 OBS", WORDS
)
_HANDLERS: Final[Mapping[str, Callable[[Player, str], None]]] = {
    "MAP": Player._on_map,
    "HLO": Player._on_hello,
    "NOW": Player._on_now,
    "THX": Player._on_thanks,
    "YES": Player._on_yes,
    "REJ": Player._on_refusal,
    "FRM": Player._on_press,
    "ORD": Player._on_results,
    "SCO": Player._on_centres,
    "HUH": Player._on_complaint,
    "PRN": Player._on_complaint,
    "SLO": Player._on_end,
    "DRW": Player._on_end,
    "SMR": Player._on_end,
    "OFF": Player._on_end,
}


def _when(turn: str) -> tuple[int, int]:
    """Return what orders turns by time; of no turn, what comes before all."""
    season, _, year = turn.partition(" ")
    return (int(year), SEASONS.index(season)) if turn else (0, 0)


ORDERED: Final = re.compile(r"\( (\w{3} \w{3} (?:\w{3}|\( \w{3} \w{3} \))) \) ")
"""The unit of an order."""


def unit_of(order: str) -> str:
    """Return the unit that *order* is for."""
    found = ORDERED.match(order)
    assert found is not None, order
    return found[1]


def places_near(variant: Variant) -> dict[tuple[str, str], list[str]]:
    """Return where each kind of unit can go from each place, all as DAIDE spells it."""
    kinds = {UnitType.ARMY: "AMY", UnitType.FLEET: "FLT"}
    return {
        (kinds[kind], _spelt(at)): [_spelt(each) for each in near]
        for (kind, at), near in variant.map.neighbours.items()
    }


def _spelt(at: Location) -> str:
    return f"( {at.province} {at.coast.value} )" if at.coast else str(at.province)
