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

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, UnitType
from daide_server.game.events import Seconds
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import from_text, to_text
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    ClientConnection,
    encode_tokens,
)
from tests.support.peers import POWERS, WORDS

from .scenario import (
    FailedSync,
    FullDisk,
    Kill,
    Kind,
    Scenario,
    Stop,
)
from .world import LATENCY, Link, World

UNIT: Final = re.compile(
    r"\( (\w{3}) (AMY|FLT) (\w{3}|\( \w{3} \w{3} \))"
    r"( MRT \( ((?:\w{3} |\( \w{3} \w{3} \) )*)\))? \)"
)
PLACE: Final = re.compile(r"\( \w{3} \w{3} \)|\w{3}")
MOVEMENT: Final = ("SPR", "FAL")
BUILDS: Final = "WIN"
MOVE: Final = re.compile(r"^\( \w{3} \w{3} (\w{3}|\( \w{3} \w{3} \)) \) MTO ")
"""An order to move."""
SEASONS: Final = ("SPR", "SUM", "FAL", "AUT", "WIN")
UNIT_NAME: Final = re.compile(r"\( (\w{3} (?:AMY|FLT) (?:\w{3}|\( \w{3} \w{3} \))) \)")
STOPPING: Final = (Kill, Stop, FullDisk, FailedSync)
"""Faults that stop the clocks of games."""
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
        """Turns in which orders may have been cancelled: NOT (SUB) is under way."""
        self.press: Final[dict[str, Seconds]] = {}
        """Texts that were acknowledged (YES SND), and when."""
        self.sent: Final[dict[str, str]] = {}
        """Texts that were sent, and to whom."""
        self.received: Final[Counter[tuple[str, str]]] = Counter()
        """Senders and texts of press."""
        self.in_disorder: Final[dict[str, bool]] = {}
        """What CCD and NOT (CCD) said last, on this connection, of each power."""
        self.ending = ""
        """The SMR."""
        self.is_for_draw: bool | None = False
        """Whether its vote is for a draw, in this turn; `None`: it is under way."""
        self.vote_at_end: bool | None = None
        """The same when DRW came."""

    def is_sure(self, turn: str) -> bool:
        """Return whether `orders` are all that hold in *turn*."""
        unsure = any(at == turn for at, _ in self.unsure)
        return not unsure and turn not in self.cancelled

    def certain(self, turn: str) -> list[str]:
        """Return the orders that must be in force in *turn*, or have been played."""
        if turn in self.cancelled:
            return []
        return [
            order
            for unit, order in self.orders.get(turn, {}).items()
            if (turn, unit) not in self.unsure
        ]


class Board:
    """What players know of a map."""

    def __init__(self, variant: Variant) -> None:
        kinds = {UnitType.ARMY: "AMY", UnitType.FLEET: "FLT"}
        self.homes: Final = variant.map.homes
        self.near: Final = {
            (kinds[kind], _spelt(at)): [_spelt(each) for each in near]
            for (kind, at), near in variant.map.neighbours.items()
        }
        """Where each kind of unit can go from each place, all as DAIDE spells it."""


class Player:
    """One client, on as many connections as it takes."""

    def __init__(
        self, world: World, board: Board, scenario: Scenario, number: int
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
        self.in_since: float | None = None
        """When it was let in on this connection, unless it was not."""
        self.link: Link | None = None
        self.has_babbled = False
        self.last_told = ""
        """The turn of the last NOW on this connection."""
        self.problem = ""
        """What it was told and should never have been."""
        self._world: Final = world
        self._settings: Final = scenario.settings
        self._keeps_time: Final = not (
            scenario.settings["dsd"]
            or any(isinstance(each, STOPPING) for each in scenario.faults)
        )
        """Whether nothing stops the clock of its game."""
        self._board: Final = board
        self._chance: Final = Random(1000 * scenario.seed + number)
        self._connection = ClientConnection()
        self._wants_draw: Final = scenario.draws
        self._units: list[tuple[str, str, list[str]]] = []
        self._asked: dict[str, tuple[str, str]] = {}
        """Orders that were sent and not answered: by their text, turn and unit."""
        self._stays: Final[list[tuple[Seconds, Seconds]]] = []
        self.is_owed = 0
        """How many answers it is owed on this connection."""
        self.asked_at = -inf
        """When it asked last for an answer."""
        self._cancelling = 0
        """How many times it said NOT (SUB) and has no answer, on this connection."""
        self._count = 0
        self._joins = 0
        self._has_returned = False
        """Whether it joined by IAM on this connection."""
        self._heard_at = -inf
        """When the turn began, unless it came in the middle of that."""
        self._wants_time: bool | None = False
        """Whether it said NOT (GOF) in this turn; `None`: the answer is under way."""

    # Its connection

    @property
    def is_in(self) -> bool:
        """Return whether it has been let in on this connection."""
        return self.in_since is not None

    def stays(self) -> list[tuple[Seconds, Seconds]]:
        """Return from when till when it was in, and heard all that it was told."""
        return [*self._stays, *self._stay(inf)]

    def _stay(self, till: Seconds) -> list[tuple[Seconds, Seconds]]:
        link, since = self.link, self.in_since
        is_whole = (
            link is not None
            and since is not None
            and link.whole_since <= since
            and not link.is_lost
        )
        return [(since, till)] if is_whole and since is not None else []

    def hears_since(self, time: Seconds) -> bool:
        """Return whether it has heard all that it was told since *time*."""
        link, since = self.link, self.in_since
        return (
            link is not None
            and since is not None
            and since < time
            and link.whole_since < time
            and not (link.is_lost or self.has_babbled or self.is_over)
        )

    def connect(self) -> None:
        """Connect, now or as soon as there is a server."""
        if self.is_over or self.link is not None:
            return
        link = self._world.network.connect(f"192.0.2.{1 + len(self.name) % 200}")
        if link is None:
            self._later(0.5 + self._chance.random(), self.connect)
            return
        self.link, self.in_since = link, None
        self.is_owed = self._cancelling = 0
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
            self.link.may_end = True
            self._ended(self.link)

    def _ended(self, link: Link) -> None:
        if self.link is link:
            if self.is_in and not (link.may_end or self.is_over or self.has_babbled):
                self.problem = f"was cut off in {self.turn}"
            self._stays.extend(self._stay(trio.current_time()))
            self.link = self.in_since = None
            # Who leaves has no vote; a server that is started again knows both.
            is_vote_kept = link.is_lost or link.outlives_server
            self.told.is_for_draw = None if is_vote_kept else False
            self._wants_time = None if is_vote_kept else False
            self.told.in_disorder.clear()
            self._asked.clear()
            self._later(self._chance.uniform(0.1, 3.0), self.connect)

    def say(self, text: str) -> None:
        """Say a message, unless it has just been cut off."""
        if self.link is not None:
            self.link.say(spoken(text))

    def ask(self, text: str, answers: int = 1) -> None:
        """Say what is answered by YES, REJ, or *answers* times THX."""
        self.say(text)
        self.is_owed += answers
        self.asked_at = trio.current_time()

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
        self._let_in()

    def _let_in(self) -> None:
        if self.in_since is None:
            self.in_since = trio.current_time()

    def _on_now(self, text: str) -> None:
        season, year = text.split()[2:4]
        turn = f"{season} {year}"
        if self.kind is Kind.OBSERVER:
            return  # it may be that of another game
        is_known = turn in self.told.turns  # the answer to NOW, or to HST
        before = self.told.turns.setdefault(turn, text)
        if before != text:
            self.problem = f"{turn}: was told {before}, then {text}"
        if is_known or _when(turn) < _when(self.turn):
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
        self.is_owed -= 1
        order, _, note = text.removeprefix("THX ").rpartition(" ( ")
        asked = self._asked.pop(order, None)
        if asked is None:
            return
        turn, unit = asked
        if turn == self.turn:
            if asked not in self._asked.values():
                self.told.unsure.discard(asked)
            if note == "MBV )":
                self.told.orders.setdefault(turn, {})[unit] = order

    def _on_yes(self, text: str) -> None:
        said = text[6:-2]
        if said.startswith("IAM"):
            self._let_in()
            self.say("HLO")
            self.say("NOW")
        elif said.startswith("OBS"):
            self._let_in()
        elif not said.startswith(("NME", "MAP", "SND")):
            self.is_owed -= 1
        if said == "NOT ( SUB )":
            self._cancelling -= 1
            if not self._cancelling and self.turn in self.told.cancelled:
                self.told.cancelled.discard(self.turn)
                self.told.orders[self.turn] = {}
        elif said in {"DRW", "NOT ( DRW )"}:
            self.told.is_for_draw = said == "DRW"
        elif said in {"GOF", "NOT ( GOF )"}:
            self._wants_time = said != "GOF"
        elif said.startswith("SND"):
            text = said.split("( PRP ( ")[-1][:-4].strip()
            self.told.press.setdefault(text, trio.current_time())

    def _on_refusal(self, text: str) -> None:
        if text.startswith("REJ ( IAM"):
            self._later(1.0 + self._chance.random(), self._try_again)
        elif text.startswith(("REJ ( NME", "REJ ( OBS")):
            self._later(1.0, self._try_again)
        elif text.startswith("REJ ( SUB"):
            self.is_owed -= text.count("( ( ")
        elif text.startswith(("REJ ( DRW", "REJ ( NOT", "REJ ( GOF")):
            self.is_owed -= 1

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

    def _on_disorder(self, text: str) -> None:
        """Note who is in civil disorder; CCD also refuses press to such a power."""
        self.told.in_disorder[text[6:9]] = True

    def _on_control(self, text: str) -> None:
        if text.startswith("NOT ( CCD"):
            self.told.in_disorder[text[12:15]] = False

    def _on_missing(self, text: str) -> None:
        """See whether MIS lists the units without an order."""
        told, turn = self.told, self.turn
        sure = (
            not any(at == turn for at, _ in told.unsure) and turn not in told.cancelled
        )
        if not (sure and turn.startswith(MOVEMENT)):
            return
        listed = set(UNIT_NAME.findall(text))
        missing = {f"{self.power} {kind} {at}" for kind, at, _ in self._units}
        if listed != missing - told.orders.get(turn, {}).keys():
            self.problem = (
                f"{turn}: is told {text}, and ordered {told.orders.get(turn)}"
            )

    def _on_time(self, text: str) -> None:
        """See whether as much time is left as TME says."""
        if self._hears_late() or not self._keeps_time:
            return
        left = self._limit() - (trio.current_time() - self._heard_at)
        if abs(int(text.split()[2]) - left) > 1.0 + SLOWEST:
            self.problem = f"{self.turn}: is told {text}, expected {left:.0f} s"

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

    def _hears_late(self) -> bool:
        """Return whether it may have heard late that the turn began, or not at all."""
        if self.link is None:
            return True
        since = max(self.link.whole_since, self._world.network.fast_since)
        return self._heard_at < since + SLOWEST

    def _check_time(self) -> None:
        """See whether the turn that is over ended before it might."""
        turn, units = self.turn, self._units
        seconds = trio.current_time() - self._heard_at
        if self._hears_late() or seconds >= self._limit() - SLOWEST:
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

    def _limit(self) -> Seconds:
        """Return the time limit of the turn."""
        name = {"SPR": "mtl", "FAL": "mtl", "WIN": "btl"}.get(self.turn[:3], "rtl")
        seconds: Seconds = self._settings[name]
        return seconds

    def has_ordered_all(self, turn: str) -> bool:
        """Return whether all its moves in *turn* were acknowledged."""
        given = self.told.orders.get(turn, {})
        return (
            turn == self.turn
            and turn.startswith(MOVEMENT)
            and self._wants_time is False
            and self.told.is_sure(turn)
            and all(f"{self.power} {kind} {at}" in given for kind, at, _ in self._units)
        )

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
            words = " ".join(f"( {order} )" for order in part)
            self.ask(f"SUB ( {turn} ) {words}", len(part))

    def _moves(self) -> list[str]:
        """Return an order for each unit; some support the move of another."""
        orders = [self._move(unit) for unit in self._units]
        for number, (kind, place, _) in enumerate(self._units):
            reached = self._board.near.get((kind, place), ())
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
        near = self._board.near.get((kind, place))
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
            self._send_press()
        elif draw < 0.7:
            self._vote(turn, self._chance.choice(("DRW", "NOT ( DRW )")))
        elif draw < 0.8:
            self.say(self._chance.choice(("NOW", "ORD", "SCO", "TME", "MIS", "HST")))
        elif draw < 0.9:
            self._wants_time = None
            self.ask(self._chance.choice(("GOF", "NOT ( GOF )")))
        else:
            self._cancel()

    def _vote(self, turn: str, vote: str) -> None:
        if turn == self.turn and self.is_in:
            self.told.is_for_draw = None
            self.ask(vote)

    def _cancel(self) -> None:
        self.told.cancelled.add(self.turn)
        self._cancelling += 1
        self.ask("NOT ( SUB )")

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
    "CCD": Player._on_disorder,
    "NOT": Player._on_control,
    "MIS": Player._on_missing,
    "TME": Player._on_time,
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


def _spelt(at: Location) -> str:
    return f"( {at.province} {at.coast.value} )" if at.coast else str(at.province)
