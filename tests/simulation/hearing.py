"""What a client hears: what it notes, and what it should never have been told.

It believes only what it hears, and says what contradicts that, or the rules.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final

from daide_server.daide.frames import FrameType
from daide_server.game.events import Seconds

from .clients import Client
from .network import LATENCY
from .scenario import FailedSync, FullDisk, Kill, Kind, Scenario, Stop
from .speech import BUILDS, MOVEMENT, NO_MESSAGE, Board, UnitTold, units_told, when
from .world import World

WARNED = 3
"""Seconds before the deadline at which some ask to be told the time."""
WARNING = f"TME ( {WARNED} )"
LAST = ("FAL", "AUT")
"""Turns after which centres change hands."""
MOVED = re.compile(r"\( \( \w{3} (AMY|FLT) (\w{3}|\( \w{3} \w{3} \)) \) MTO (.*) \)$")
"""An order to move, with the unit's kind and places."""
UNIT_NAME = re.compile(r"\( (\w{3} (?:AMY|FLT) (?:\w{3}|\( \w{3} \w{3} \))) \)")
PRESS = re.compile(r"FRM \( (\w{3}) \) \( ([A-Z ]+) \) \( PRP \( (.*) \) \)$")
OPTION = re.compile(r"\( ([A-Z]{3}(?: \d+)?) \)")
"""A variant option in HLO."""
STOPPING = (Kill, Stop, FullDisk, FailedSync)
"""Faults that stop the clocks of games."""
SLOWEST = 50 * LATENCY
"""Seconds that a message of several packets may take at most, unless all are slow."""


class Listener(Client):
    """A client that notes and checks what it is told."""

    def __init__(
        self, world: World, board: Board, scenario: Scenario, number: int
    ) -> None:
        super().__init__(world, scenario, number)
        self._board: Final = board
        self._settings: Final = scenario.settings
        self._may_stop: Final = any(
            isinstance(each, STOPPING) for each in scenario.faults
        )
        """Whether its server may end before its game, or its clock stop."""
        self._keeps_time: Final = not (scenario.settings["dsd"] or self._may_stop)
        """Whether nothing stops the clock of its game."""
        self._units: list[UnitTold] = []
        self._options: Final = _options(scenario.settings)
        """The options that HLO must have."""
        self._heard_at = -inf
        """When the turn began, unless it came in the middle of that."""
        self._ended_at = -inf
        """When SMR came."""

    def _hear(self, word: str, texts: Sequence[str]) -> None:
        if word == "ORD":
            self._on_results(texts)
        elif word in _HANDLERS:
            for text in texts:
                _HANDLERS[word](self, text)

    def _plan(self) -> None:
        """Decide what to do in the turn that begins."""
        raise NotImplementedError

    def _on_frame(self, frame: str) -> None:
        kind = int(frame.split(maxsplit=1)[0])
        if kind == FrameType.REPRESENTATION:
            self._join()
        elif kind == FrameType.FINAL:
            self.talk.is_final = True
        elif not self.has_babbled:
            self.problem = f"was sent a message of type {frame}"

    def _on_map(self, text: str) -> None:
        self.say(f"YES ({text})")

    def _on_hello(self, text: str) -> None:
        words = text.split()
        if words[2] == "UNO":
            return
        if self.passcode and (words[2], int(words[5])) != (self.power, self.passcode):
            self.problem = f"was {self.power} and is told {text}"
        options = set(OPTION.findall(" ".join(words[7:])))
        if options != self._options:
            self.problem = f"was told {options}, expected {self._options}"
        self.power, self.passcode = words[2], int(words[5])
        self._let_in()

    def _let_in(self) -> None:
        if self.talk.in_since is None:
            self.talk.in_since = self._now

    def _on_now(self, text: str) -> None:
        turn = text[6:14]
        if self.kind is Kind.OBSERVER:
            self.turn = turn
            return  # it may be that of another game
        is_known = turn in self.told.turns  # the answer to NOW, or to HST
        before = self.told.turns.setdefault(turn, text)
        if before != text:
            self.problem = f"{turn}: was told {before}, then {text}"
        if turn == self.talk.history:
            self.problem = f"HST ({turn}): was told the position before it"
        if self.talk.history and turn == self._after(self.talk.history):
            self._check_history()
        if is_known or when(turn) < when(self.turn):
            return
        if self.talk.last_told:
            self.told.whole[self.talk.last_told] = set(self.talk.ends)
            if self._heard_at > -inf:
                self.told.votes[self.talk.last_told] = self.talk.vote
            self._check_end(turn)
        self.talk.ends.clear()
        is_new = bool(self.talk.last_told) or not self.talk.is_return
        self._heard_at = self._now if is_new else -inf
        self.talk.is_warned = self.talk.is_timed = False
        self.turn = self.talk.last_told = turn
        self.talk.vote = None
        self.told.is_for_draw = self.told.wants_time = False
        self.talk.asked.clear()
        self._units = units_told(text).get(self.power, [])
        self._plan()

    def _after(self, turn: str) -> str:
        """Return the turn after *turn*, of those that it was told."""
        return min(
            (each for each in self.told.turns if when(each) > when(turn)),
            key=when,
            default="",
        )

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
        if note == "MBV )":
            self.told.accept(turn, unit, order, self.talk.under_way(turn, unit))
        else:
            self.told.refuse(turn, unit, order)

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
                for order, (turn, unit) in self.talk.asked.items():
                    self.told.submit(turn, unit, order)
        elif said.startswith("NOT ( SUB (") and self.talk.withdrawn:
            turn, unit = self.talk.withdrawn.pop(0)
            self.told.accept(turn, unit, "", self.talk.under_way(turn, unit))
        elif said in {"DRW", "NOT ( DRW )"}:
            self.told.is_for_draw = self.talk.vote = said == "DRW"
        elif said in {"GOF", "NOT ( GOF )"}:
            self.told.wants_time = said != "GOF"
        elif said == WARNING:
            self.talk.warned_from = self.turn

    def _on_sent(self, text: str) -> None:
        """Note that press was taken; all its recipients must have clients."""
        # What is read late was taken at a time that it does not know.
        at = -inf if self._was_late(self._now) else self._now
        self.told.press.setdefault(text, at)
        if self._is_press_open() is False:
            self.problem = f"{self.turn}: may send {text}, and press is closed"
        for power in self.told.sent.get(text, "").split():
            if self.told.in_disorder.get(power):
                self.problem = f"may send {text}, though CCD ({power})"

    def _is_press_open(self) -> bool | None:
        """Return whether press may be sent now; `None`: it may have been just before.

        Settings close it in retreats (NPR), for builds (NPB), or at the end of a
        movement turn (PTL).
        """
        given = self._settings
        if not self.turn.startswith(MOVEMENT):
            return not given.get("npb" if self.turn.startswith(BUILDS) else "npr")
        if not given.get("ptl"):
            return True
        left = self._limit() - (self._now - self._heard_at) - given["ptl"]
        is_sure = self._keeps_time and not self._hears_late() and abs(left) > SLOWEST
        return left > 0 if is_sure else None

    def _on_refusal(self, text: str) -> None:
        if text.startswith("REJ ( IAM"):
            self._later(1.0 + self._chance.random(), self._try_again)
        elif text.startswith(("REJ ( NME", "REJ ( OBS")):
            self._later(1.0, self._try_again)
        elif text.startswith("REJ ( SUB"):
            self.talk.owed -= text.count("( ( ")
            self._check_refusal(text)
        elif text.startswith("REJ ( SND"):
            if self._is_press_open() and not (self.is_over or self.has_babbled):
                self.problem = f"{self.turn}: is told {text}, and press is open"
            self.told.unsent.add(text.rsplit("( PRP ( ", maxsplit=1)[-1][:-6].strip())
        elif text.startswith("REJ ( NOT ( SUB ( "):
            self.talk.owed -= 1
            if self.talk.withdrawn:
                self.told.refuse(*self.talk.withdrawn.pop(0), "")
        elif text.startswith(("REJ ( DRW", "REJ ( NOT", "REJ ( GOF")):
            self.talk.owed -= 1

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
        found = PRESS.match(text)
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
                self.told.is_for_draw = self.told.wants_time = False
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

    def _on_results(self, texts: Sequence[str]) -> None:
        self.talk.ends.extend(texts)
        self.told.results.update(texts)

    def _on_centres(self, text: str) -> None:
        self.talk.ends.append(text)
        self.told.centres.add(text)

    def _on_complaint(self, text: str) -> None:
        if not self.has_babbled:
            self.problem = f"is told {text}"

    def _on_end(self, text: str) -> None:
        self.talk.is_off |= text == "OFF"
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

    def waits_for(self) -> Iterator[str]:
        """Yield why its turn may not end before the deadline."""
        if not self.is_in or self.link is None or self.link.is_lost:
            return
        if self.told.wants_time:
            yield "said NOT (GOF)"
        turn, units = self.turn, self._units
        if not turn.startswith((BUILDS, *MOVEMENT)):
            units = [each for each in units if each[2]]
        given = self.told.orders.get(turn, {})
        for kind, place, _ in [] if turn.startswith(BUILDS) else units:
            unit = f"{self.power} {kind} {place}"
            if unit not in given:
                yield f"has not ordered {unit}"

    def has_ordered_all(self, turn: str) -> bool:
        """Return whether all its moves in *turn* were acknowledged."""
        given = self.told.orders.get(turn, {})
        return (
            turn == self.turn
            and turn.startswith(MOVEMENT)
            and self.told.wants_time is False
            and all(f"{self.power} {kind} {at}" in given for kind, at, _ in self._units)
            and self.told.is_sure(turn)
        )


def _options(given: Mapping[str, Any]) -> set[str]:
    """Return the variant options in HLO, as the server's settings say."""
    names = ["mtl", "rtl", "btl", "dsd", "aoa"]
    names += ["ptl", "pda", "npr", "npb"] if given["level"] else []
    told = [f"{name} {given[name]}" for name in names if given.get(name)]
    return {
        f"LVL {given['level']}",
        *(each.upper().removesuffix(" TRUE") for each in told),
    }


_HANDLERS: Mapping[str, Callable[[Listener, str], None]] = {
    NO_MESSAGE: Listener._on_frame,
    "MAP": Listener._on_map,
    "HLO": Listener._on_hello,
    "NOW": Listener._on_now,
    "THX": Listener._on_thanks,
    "YES": Listener._on_yes,
    "REJ": Listener._on_refusal,
    "FRM": Listener._on_press,
    "CCD": Listener._on_disorder,
    "NOT": Listener._on_control,
    "MIS": Listener._on_missing,
    "TME": Listener._on_time,
    "SCO": Listener._on_centres,
    "HUH": Listener._on_complaint,
    "PRN": Listener._on_complaint,
    "SLO": Listener._on_end,
    "DRW": Listener._on_end,
    "SMR": Listener._on_end,
    "OFF": Listener._on_end,
}
