"""Scripted DAIDE clients, and what each of them was told.

A player does nothing but react: to bytes, to the end of its connection, and to the
times that it has set itself. It believes only what it hears.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import inf
from random import Random
from typing import Final

from attrs import Factory, define

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, UnitType
from daide_server.game.events import Seconds
from daide_server.language.vocabulary import from_text, to_text
from daide_server.wire.frames import (
    FINAL_MESSAGE,
    HEADER,
    HEADER_SIZE,
    INITIAL_MESSAGE,
    FrameType,
    decode_tokens,
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
WARNED: Final = 3
"""Seconds before the deadline at which some ask to be told the time."""
WARNING: Final = f"TME ( {WARNED} )"
LAST: Final = ("FAL", "AUT")
"""Turns after which centres change hands."""
MOVE: Final = re.compile(r"^\( \w{3} \w{3} (\w{3}|\( \w{3} \w{3} \)) \) MTO ")
"""An order to move."""
MOVED: Final = re.compile(
    r"\( \( \w{3} (AMY|FLT) (\w{3}|\( \w{3} \w{3} \)) \) MTO (.*) \)$"
)
"""The same in brackets, with the unit's kind and places."""
SEASONS: Final = ("SPR", "SUM", "FAL", "AUT", "WIN")
UNIT_NAME: Final = re.compile(r"\( (\w{3} (?:AMY|FLT) (?:\w{3}|\( \w{3} \w{3} \))) \)")
STOPPING: Final = (Kill, Stop, FullDisk, FailedSync)
"""Faults that stop the clocks of games."""
SLOWEST: Final = 50 * LATENCY
"""Seconds that a message of several packets may take at most, unless all are slow."""


@lru_cache(10_000)
def spoken(text: str) -> bytes:
    """Return the bytes of a message."""
    return encode_tokens(from_text(text, WORDS))


@lru_cache(10_000)
def heard(body: bytes) -> str:
    """Return a message as text."""
    return to_text(decode_tokens(body), WORDS)


UnitTold = tuple[str, str, list[str]]
"""The kind of a unit, its place, and where it may retreat to."""


@lru_cache(1_000)
def units_told(now: str) -> dict[str, list[UnitTold]]:
    """Return the units in a NOW, by their powers."""
    units: defaultdict[str, list[UnitTold]] = defaultdict(list)
    for power, kind, place, _, places in UNIT.findall(now):
        units[power].append((kind, place, PLACE.findall(places or "")))
    return units


class Told:
    """What one player was told, and can rely on."""

    def __init__(self) -> None:
        self.turns: Final[dict[str, str]] = {}
        """By turn, the NOW that announced it."""
        self.results: Final[set[str]] = set()
        """Each ORD."""
        self.whole: Final[dict[str, set[str]]] = {}
        """By turn that ended on one connection, the ORD and SCO before the next NOW."""
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
        self.refused: Final[Counter[str]] = Counter()
        """By turn, how many orders were refused (THX)."""
        self.let_in: Final[list[Seconds]] = []
        """When IAM was accepted."""
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


@define
class Talk:
    """What is said on one connection of a player."""

    heard: bytes = b""
    """What has come of a message that is not whole."""
    in_since: Seconds | None = None
    """When the player was let in, unless it was not."""
    is_return: bool = False
    """Whether it joined by IAM."""
    last_told: str = ""
    """The turn of the last NOW."""
    ends: list[str] = Factory(list)
    """The ORD and SCO since then."""
    asked: dict[str, tuple[str, str]] = Factory(dict)
    """Orders that were sent and not answered: by their text, turn and unit."""
    thanks: Counter[str] = Factory(Counter)
    """How many THX are owed for each order."""
    owed: int = 0
    """How many answers are owed."""
    asked_at: Seconds = -inf
    """When an answer was asked for last."""
    cancelling: int = 0
    """How many NOT (SUB) have no answer."""
    warned_from: str = ""
    """After which turn TME is due before each deadline, as asked for."""
    is_warned: bool = False
    """Whether it came in this turn."""
    centres: set[str] | None = None
    """The player's centres, by the last SCO."""
    is_timed: bool = False
    """Whether TME came in this turn."""
    is_stopped: bool = False
    """Whether NOT (TME) said that the clock stands still."""
    history: str = ""
    """The turn whose history was asked for, and has not come."""


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
        self.called = ""
        """The name of the NME by which it got its seat, as records call it."""
        self.power = ""
        self.passcode = 0
        self.turn = ""
        self.is_over = False
        self.link: Link | None = None
        self.talk = Talk()
        self.has_babbled = False
        self.problem = ""
        """What it was told and should never have been."""
        self._world: Final = world
        self._settings: Final = scenario.settings
        self._may_stop: Final = any(
            isinstance(each, STOPPING) for each in scenario.faults
        )
        """Whether its server may end before its game, or its clock stop."""
        self._keeps_time: Final = not (scenario.settings["dsd"] or self._may_stop)
        """Whether nothing stops the clock of its game."""
        self._ended_at = -inf
        """When SMR came."""
        self._board: Final = board
        self._chance: Final = Random(1000 * scenario.seed + number)
        self._others: Final = Random(f"questions {scenario.seed} {number}")
        """The same for questions, which leave everything else as it is."""
        self._wants_draw: Final = scenario.draws
        self._units: list[UnitTold] = []
        self._stays: Final[list[tuple[Seconds, Seconds]]] = []
        self._options = ""
        """The options in the first HLO."""
        self._count = 0
        self._joins = 0
        self._heard_at = -inf
        """When the turn began, unless it came in the middle of that."""
        self._wants_time: bool | None = False
        """Whether it said NOT (GOF) in this turn; `None`: the answer is under way."""

    @property
    def _now(self) -> Seconds:
        return self._world.agenda.now

    # Its connection

    @property
    def is_in(self) -> bool:
        """Return whether it has been let in on this connection."""
        return self.talk.in_since is not None

    def stays(self) -> list[tuple[Seconds, Seconds]]:
        """Return from when till when it was in, and heard all that it was told."""
        return [*self._stays, *self._stay(inf)]

    def _stay(self, till: Seconds) -> list[tuple[Seconds, Seconds]]:
        link, since = self.link, self.talk.in_since
        is_whole = (
            link is not None
            and since is not None
            and link.whole_since <= since
            and not link.is_lost
        )
        return [(since, till)] if is_whole and since is not None else []

    def hears_since(self, time: Seconds) -> bool:
        """Return whether it has heard all that it was told since *time*."""
        link, since = self.link, self.talk.in_since
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
        self.link, self.talk = link, Talk()
        if not self.passcode:
            self.called = ""
        link.on_bytes = lambda data: self._read(link, data)
        link.on_end = lambda: self._ended(link)
        link.say(INITIAL_MESSAGE)
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
            self._stays.extend(self._stay(self._now))
            self.link, self.talk = None, Talk()
            # Who leaves has no vote; a server that is started again knows both.
            if not link.outlives_server:
                is_known = None if link.is_lost else False
                self.told.is_for_draw = self._wants_time = is_known
            self.told.in_disorder.clear()
            self._later(self._chance.uniform(0.1, 3.0), self.connect)

    def say(self, text: str) -> None:
        """Say a message, unless it has just been cut off."""
        if self.link is not None:
            self.link.say(spoken(text))

    def ask(self, text: str, answers: int = 1) -> None:
        """Say what is answered by YES, REJ, or *answers* times THX."""
        self.say(text)
        self.talk.owed += answers
        self.talk.asked_at = self._now

    def _later(self, seconds: Seconds, action: Callable[[], None]) -> None:
        self._world.agenda.after(seconds, action)

    # What it hears

    def _read(self, link: Link, data: bytes) -> None:
        if self.link is not link:
            return
        data = self.talk.heard + data
        heard_yet, size = 0, len(data)
        while size >= heard_yet + HEADER_SIZE:
            kind, length = HEADER.unpack_from(data, heard_yet)
            body = heard_yet + HEADER_SIZE
            if size < body + length:
                break
            heard_yet = body + length
            self._take(kind, data[body:heard_yet])
        self.talk.heard = data[heard_yet:]

    def _take(self, kind: int, body: bytes) -> None:
        if kind == FrameType.DIPLOMACY:
            text = heard(body)
            handler = _HANDLERS.get(text[:3])
            if handler is not None:
                handler(self, text)
        elif kind == FrameType.REPRESENTATION:
            self._join()
        elif kind != FrameType.FINAL and not self.has_babbled:
            self.problem = f"was sent a message of type {kind}: {body!r}"

    def _join(self) -> None:
        if self.kind is Kind.OBSERVER:
            self.say("OBS")
        elif self.passcode:
            self.talk.is_return = True
            self.say(f"IAM ({self.power}) ({self.passcode})")
        else:
            # Another name each time: it may have a seat of which it never heard.
            self._joins += 1
            self.say(f"NME ('{self.name}-{self._joins}') ('1')")

    def _on_map(self, text: str) -> None:
        self.say(f"YES ({text})")

    def _on_hello(self, text: str) -> None:
        words = text.split()
        if words[2] == "UNO":
            return
        if self.passcode and (words[2], int(words[5])) != (self.power, self.passcode):
            self.problem = f"was {self.power} and is told {text}"
        options = " ".join(words[7:])
        self._options = self._options or options
        if options != self._options:
            self.problem = f"was told {self._options}, then {options}"
        self.power, self.passcode = words[2], int(words[5])
        self._let_in()

    def _let_in(self) -> None:
        if self.talk.in_since is None:
            self.talk.in_since = self._now

    def _on_now(self, text: str) -> None:
        season, year = text.split()[2:4]
        turn = f"{season} {year}"
        if self.kind is Kind.OBSERVER:
            return  # it may be that of another game
        is_known = turn in self.told.turns  # the answer to NOW, or to HST
        before = self.told.turns.setdefault(turn, text)
        if before != text:
            self.problem = f"{turn}: was told {before}, then {text}"
        if self.talk.history and turn == self._after(self.talk.history):
            self._check_history()
        if is_known or _when(turn) < _when(self.turn):
            return
        if self.talk.last_told:
            self.told.whole[self.talk.last_told] = set(self.talk.ends)
            self._check_end(turn)
        self.talk.ends.clear()
        is_new = bool(self.talk.last_told) or not self.talk.is_return
        self._heard_at = self._now if is_new else -inf
        self.talk.is_warned = self.talk.is_timed = False
        self.turn = self.talk.last_told = turn
        self.told.is_for_draw = self._wants_time = False
        self.talk.asked.clear()
        self._units = units_told(text).get(self.power, [])
        self._plan()

    def _on_thanks(self, text: str) -> None:
        self.talk.owed -= 1
        order, _, note = text.removeprefix("THX ").rpartition(" ( ")
        asked = self.talk.asked.pop(order, None)
        self.talk.thanks[order] -= 1
        if self.talk.thanks[order] < 0 and not self.has_babbled:
            self.problem = f"is told {text}, and did not ask for it"
        if note == "MBV )" and self._is_too_far(order):
            self.problem = f"is told {text}, and has no way there"
        self.told.refused[self.turn] += note != "MBV )"
        if asked is None:
            return
        turn, unit = asked
        if turn == self.turn:
            if asked not in self.talk.asked.values():
                self.told.unsure.discard(asked)
            if note == "MBV )":
                self.told.orders.setdefault(turn, {})[unit] = order

    def _is_too_far(self, order: str) -> bool:
        """Return whether *order* is a move to where its unit cannot go."""
        found = MOVED.match(order)
        if found is None or self._settings["aoa"]:
            return False
        kind, place, to = found.groups()
        return to not in self._board.near.get((kind, place), (to,))

    def _on_yes(self, text: str) -> None:
        said = text[6:-2]
        if said.startswith("IAM"):
            self.told.let_in.append(self._now)
            self._let_in()
            self.say("HLO")
            self.say("NOW")
        elif said.startswith("OBS"):
            self._let_in()
        elif said.startswith("NME"):
            self.called = said.split("'")[1]
        elif said.startswith("SND"):
            self._on_sent(said.split("( PRP ( ")[-1][:-4].strip())
        elif not said.startswith("MAP"):
            self.talk.owed -= 1
            self._on_agreed(said)

    def _on_agreed(self, said: str) -> None:
        """Note that a request holds from now on."""
        if said == "NOT ( SUB )":
            self.talk.cancelling -= 1
            if not self.talk.cancelling and self.turn in self.told.cancelled:
                self.told.cancelled.discard(self.turn)
                self.told.orders[self.turn] = {}
        elif said in {"DRW", "NOT ( DRW )"}:
            self.told.is_for_draw = said == "DRW"
        elif said in {"GOF", "NOT ( GOF )"}:
            self._wants_time = said != "GOF"
        elif said == WARNING:
            self.talk.warned_from = self.turn

    def _on_sent(self, text: str) -> None:
        """Note that press was taken; all its recipients must have clients."""
        self.told.press.setdefault(text, self._now)
        for power in self.told.sent.get(text, "").split():
            if self.told.in_disorder.get(power):
                self.problem = f"may send {text}, though CCD ({power})"

    def _on_refusal(self, text: str) -> None:
        if text.startswith("REJ ( IAM"):
            self._later(1.0 + self._chance.random(), self._try_again)
        elif text.startswith(("REJ ( NME", "REJ ( OBS")):
            self._later(1.0, self._try_again)
        elif text.startswith("REJ ( SUB"):
            self.talk.owed -= text.count("( ( ")
            self._check_refusal(text)
        elif text.startswith(("REJ ( DRW", "REJ ( NOT", "REJ ( GOF")):
            self.talk.owed -= 1

    def _try_again(self) -> None:
        if self.link is not None and not self.is_in:
            self._join()

    def _check_refusal(self, text: str) -> None:
        """See whether orders were refused in their turn, before its deadline."""
        if text.startswith(f"REJ ( SUB ( {self.turn} )") and self._is_in_time():
            self.problem = f"{self.turn}: is told {text}, before the deadline"

    def _is_in_time(self) -> bool:
        """Return whether the turn must go on, unless all have ordered."""
        if not self._keeps_time or self._hears_late() or self.is_over:
            return False
        seconds = self._now - self._heard_at
        return seconds < self._limit() - SLOWEST

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
            power = text[12:15]
            self.told.in_disorder[power] = False
            if power == self.power:
                self.told.is_for_draw = self._wants_time = False
        elif text.startswith("NOT ( TME"):
            self.talk.is_stopped = True

    def _on_missing(self, text: str) -> None:
        """See whether MIS lists the units without an order, or counts what is due."""
        told, turn = self.told, self.turn
        if not told.is_sure(turn):
            return
        if turn.startswith(BUILDS) and self.talk.centres is not None:
            due = len(self._units) - len(self.talk.centres)
            given = len(told.orders.get(turn, ()))
            due += given if due < 0 else -given
            if text != (f"MIS ( {due} )" if due else "MIS"):
                self.problem = f"{turn}: is told {text}, expected {due}"
        if not turn.startswith(MOVEMENT):
            return
        listed = set(UNIT_NAME.findall(text))
        missing = {f"{self.power} {kind} {at}" for kind, at, _ in self._units}
        if listed != missing - told.orders.get(turn, {}).keys():
            self.problem = (
                f"{turn}: is told {text}, and ordered {told.orders.get(turn)}"
            )

    def _on_time(self, text: str) -> None:
        """See whether as much time is left as TME says."""
        self.talk.is_warned |= text == WARNING
        self.talk.is_timed, self.talk.is_stopped = True, False
        if self._hears_late() or not self._keeps_time:
            return
        left = self._limit() - (self._now - self._heard_at)
        if abs(int(text.split()[2]) - left) > 1.0 + SLOWEST:
            self.problem = f"{self.turn}: is told {text}, expected {left:.0f} s"

    def _on_results(self, text: str) -> None:
        self.talk.ends.append(text)
        if " WVE ) " not in text:  # what is not built is not recorded
            self.told.results.add(text)

    def _on_centres(self, text: str) -> None:
        self.talk.ends.append(text)
        self.told.centres.add(text)

    def _on_complaint(self, text: str) -> None:
        if not self.has_babbled:
            self.problem = f"is told {text}"

    def _on_end(self, text: str) -> None:
        if text == "OFF" and self.link is not None and self.link.outlives_server:
            self.problem = f"{self.turn}: is sent off by a server that comes back"
        if text.startswith("SMR"):
            self.told.ending, self._ended_at = text, self._now
        elif text == "OFF":
            seconds = self._now - self._ended_at
            least = self._settings["post_game_seconds"] - SLOWEST
            if seconds < least and not (
                self._may_stop or self._was_late(self._ended_at)
            ):
                self.problem = f"is sent off {seconds:.1f} s after the end"
        elif text.startswith("DRW"):
            self.told.vote_at_end = self.told.is_for_draw if self.is_in else None
        self.is_over = True

    def _hears_late(self) -> bool:
        """Return whether it may have heard late that the turn began, or not at all."""
        return self._was_late(self._heard_at)

    def _was_late(self, heard_at: Seconds) -> bool:
        """Return whether what it heard then may have been said long before."""
        if self.link is None:
            return True
        since = max(self.link.whole_since, self._world.network.fast_since)
        return heard_at < since + SLOWEST

    def waits_for(self) -> Iterator[str]:
        """Yield why its turn may not end before the deadline."""
        if not self.is_in or self.link is None or self.link.is_lost:
            return
        if self._wants_time:
            yield "said NOT (GOF)"
        turn, units = self.turn, self._units
        if not turn.startswith((BUILDS, *MOVEMENT)):
            units = [each for each in units if each[2]]
        given = self.told.orders.get(turn, {})
        for kind, place, _ in [] if turn.startswith(BUILDS) else units:
            unit = f"{self.power} {kind} {place}"
            if unit not in given and (turn, unit) not in self.told.unsure:
                yield f"has not ordered {unit}"

    def _check_end(self, turn: str) -> None:
        """See whether all was told that belongs to the end of a turn, before *turn*."""
        talk = self.talk
        is_year_over = talk.last_told.startswith(LAST) and not turn.startswith("AUT")
        if is_year_over:
            told = [each for each in talk.ends if each.startswith("SCO")]
            if not told:
                self.problem = f"{talk.last_told} is over, and no SCO was told"
            found = re.search(rf"\( {self.power} ([A-Z ]*)\)", "".join(told[-1:]))
            talk.centres = set(found[1].split()) if found else set()
        if talk.is_stopped:
            self.problem = f"{talk.last_told} is over, and its clock stood still"
        elif not talk.is_timed and self._heard_at > -inf:
            self.problem = f"{talk.last_told} is over, and no TME was told"
        is_due = bool(talk.warned_from) and talk.warned_from != talk.last_told
        if is_due and not talk.is_warned and self._keeps_time:
            seconds = self._now - self._heard_at
            due = self._limit() - WARNED + SLOWEST
            if due < seconds and not self._hears_late():
                self.problem = f"{talk.last_told}: was not told {WARNING}"

    def _check_history(self) -> None:
        """See whether a turn of the past is told again as it was."""
        turn, self.talk.history = self.talk.history, ""
        ords = f"ORD ( {turn} )"
        before = {each for each in self.told.whole[turn] if each.startswith(ords)}
        now = {each for each in self.talk.ends if each.startswith(ords)}
        if now != before:
            self.problem = f"HST ({turn}): was told {before}, then {now}"

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
            if self._others.random() < 0.1:
                after = self._others.uniform(0.0, 5.0)
                self._later(after, lambda: self._vote(turn, "NOT ( DRW )"))
        if self.kind is Kind.SILENT:
            return
        times = 1 + (self.kind is Kind.LATE and chance.random() < 0.5)
        slowest = 15.0 if self.kind is Kind.LATE else 2.0
        for _ in range(times):
            self._later(chance.uniform(0.01, slowest), lambda: self._order(turn))
        if self._others.random() < 0.1:
            self._later(self._others.uniform(0.0, 2.0), lambda: self._inquire(turn))
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
            self.talk.asked[f"( {order} )"] = turn, unit
            self.talk.thanks[f"( {order} )"] += 1
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

    def _inquire(self, turn: str) -> None:
        """Ask to be told the time, or for the history of a turn before the last."""
        if turn != self.turn or not self.is_in:
            return
        known = sorted(self.told.whole, key=_when)[:-2]
        if known and not self.talk.history:
            self.talk.history = self._others.choice(known)
            self.say(f"HST ({self.talk.history})")
        elif not self.talk.warned_from:
            self.ask(WARNING)

    def _after(self, turn: str) -> str:
        """Return the turn after *turn*, of those that it was told."""
        return min(
            (each for each in self.told.turns if _when(each) > _when(turn)),
            key=_when,
            default="",
        )

    def _vote(self, turn: str, vote: str) -> None:
        if turn == self.turn and self.is_in:
            self.told.is_for_draw = None
            self.ask(vote)

    def _cancel(self) -> None:
        self.told.cancelled.add(self.turn)
        self.talk.cancelling += 1
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
