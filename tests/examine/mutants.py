"""Bots that are broken on purpose, each in one way; and the rows that must say so."""

from collections.abc import Mapping

import trio

from daide_server.board.map import Phase
from daide_server.board.names import Power, UnitType
from daide_server.board.orders import Build, Hold, Order, Waive
from daide_server.board.results import OrderNote
from daide_server.bots.view import View
from daide_server.daide import messages
from daide_server.daide.frames import Entries
from daide_server.daide.tokens import BRA, HUH, KET, SUB, Tokens
from daide_server.daide.vocabulary import Vocabulary
from daide_server.library.variants import load_variant
from tests.examine.conduct_mutants import dies_of
from tests.examine.small_bot import LeftError, SmallBot

ENGLAND = Power("ENG")
WITH_PRESS = {
    "press-without-press",
    "every-kind-20",
    "every-kind-130",
    "every-kind-160",
    "free-text",
}
OTHER_BOARDS = {"board-modern", "board-hundred3"}


class QuitsWhenRmIsInstant(SmallBot):
    began = 0.0

    async def received(self) -> bytes:
        self.began = self.began or trio.current_time()
        data = await super().received()
        if trio.current_time() == self.began:
            raise LeftError
        return data


class DiesOnFullRm(SmallBot):
    def look_at_rm(self, rm: Entries) -> None:
        if rm:
            raise LeftError


class HasNoPatienceForMdf(SmallBot):
    async def received(self) -> bytes:
        if not self.map_name or hasattr(self, "map"):
            return await super().received()
        with trio.move_on_after(1.0):
            return await super().received()
        raise LeftError


class KnowsOneBoard(SmallBot):
    """Says YES to any MAP, and plays what it believes to be there."""

    def names_in(self, rm: Entries) -> Vocabulary:
        del rm
        return Vocabulary.standard()

    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MapName):
            self.map, self.map_name = load_variant("standard").map, message.name
            self.reader = self.reader.on(self.map)
            await self.send(messages.AcceptMap(message.name))
        else:
            await super().treat(message)

    def orders(self, view: View) -> list[Order]:
        if self.map_name in {"standard", "standard_2"}:
            return super().orders(view)
        units = load_variant("standard").start.units_of(view.power)
        return [Hold(each) for each in units]


class SpinsOnRefusal(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Rejected) and self.power is None:
            await trio.sleep(0.02)
            await self.send(messages.Name("small", "1"))


class TakesReadsForFrames(SmallBot):
    async def received(self) -> bytes:
        data = await super().received()
        while data:
            whole, left = 0, data
            while len(left) >= 4 and len(left) >= 4 + int.from_bytes(left[2:4], "big"):
                size = 4 + int.from_bytes(left[2:4], "big")
                whole, left = whole + size, left[size:]
            if whole:
                return data[:whole]
            data = await super().received()
        return data


class HasSignedLengths(SmallBot):
    async def take(self, tokens: Tokens) -> bool:
        if len(tokens) * 2 > 0x7FFF:
            raise LeftError
        return await super().take(tokens)


class ChecksThePadding(SmallBot):
    async def received(self) -> bytes:
        data = await super().received()
        if data[:1] == b"\2" and data[1:2] not in {b"", b"\0"}:
            raise LeftError
        return data


class ReplacesWithoutSub(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if (
            isinstance(message, messages.OrderNoted)
            and message.note is not OrderNote.OK
        ):
            await self.say((BRA, *message.as_sent, KET))


class InsistsForEver(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if (
            isinstance(message, messages.OrderNoted)
            and message.note is OrderNote.NOT_YOUR_UNIT
        ):
            await trio.sleep(0.05)
            await self.say((SUB, BRA, *message.as_sent, KET))


class ForgetsTheSeventeenth(SmallBot):
    def orders(self, view: View) -> list[Order]:
        return super().orders(view)[:16]


class NeverWaives(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is not Phase.ADJUSTMENTS or view.surplus <= 0:
            return super().orders(view)
        sites = list(view.open_homes)[: view.surplus]
        return [
            next(b for b in view.builds_in(site) if b.unit.type is UnitType.ARMY)
            for site in sites
        ]


class ForgetsTheCoast(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is not Phase.ADJUSTMENTS or view.surplus <= 0:
            return super().orders(view)
        sites = list(view.open_homes)[: view.surplus]
        builds: list[Order] = [_coastless(view, site) for site in sites]
        return builds + [Waive(view.power)] * (view.surplus - len(builds))


def _coastless(view: View, site: object) -> Order:
    build = next(each for each in view.builds_in(site))  # type: ignore[arg-type]
    places = {b.unit.location for b in view.builds_in(build.unit.province)}
    if not any(place.coast for place in places):
        return build
    fleet = view.map.unit(
        view.power, UnitType.FLEET, type(build.unit.location)(build.unit.province, None)
    )
    return Build(fleet)


class CannotDisband(SmallBot):
    def orders(self, view: View) -> list[Order]:
        stuck = {u for u, places in view.position.dislodged.items() if not places}
        return [
            o for o in super().orders(view) if getattr(o, "unit", None) not in stuck
        ]


class DiesWithoutUnits(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if not view.units:
            raise LeftError
        return super().orders(view)


class NeverSaysGo(SmallBot):
    async def submitted(self) -> None:
        await self.send(messages.Wait())


class ThinksThreeSeconds(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await trio.sleep(3.0)
        await super().submit(orders)


class StopsWithTheClock(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await trio.sleep(0.01)
        self.due = orders
        with trio.move_on_after(0.05):
            while tokens := self.wire.receive(await self.received()):
                for each in tokens:
                    if isinstance(self.reader.read(each), messages.TimeStopped):
                        return
                    await self.take(each)
        await super().submit(orders)


class SpeaksAboveTheLevel(SmallBot):
    def says_before_orders(self) -> list[str]:
        return ["SND (ENG) (WHY (THK (DRW)))"] if self.level else []


class AnswersHuhByHuh(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.SyntaxRefused):
            await self.say((HUH, BRA, HUH, BRA, *message.message, KET, KET))


class ReadsPressSlowly(SmallBot):
    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.PressDelivered):
            await trio.sleep(0.008)
        await super().treat(message)


class TakesAbsenceForDefeat(SmallBot):
    def __init__(self) -> None:
        super().__init__()
        self.friends = {Power("ENG"), Power("GER")}

    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.InDisorder):
            self.friends.discard(message.power)
        await super().treat(message)

    def says_before_orders(self) -> list[str]:
        friends = sorted(self.friends if self.level else ())
        return [f"SND ({each}) (PRP (PCE (FRA {each})))" for each in friends]


class ComesBackAsANewcomer(SmallBot):
    def entry_again(self) -> messages.ClientMessage:
        return messages.Name("small", "1")


class ForgetsItsPasscode(SmallBot):
    def entry_again(self) -> messages.ClientMessage:
        again = super().entry_again()
        if isinstance(again, messages.Rejoin):
            return messages.Rejoin(again.power, 1)
        return again


class StaysAfterOff(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.SwitchOff):
            await trio.sleep_forever()


class HangsWithoutAConnection(SmallBot):
    async def received(self) -> bytes:
        data = await super().received()
        if not data:
            await trio.sleep_forever()
        return data


class AsksAgainAtEachMis(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MissingUnits):
            await trio.sleep(0.001)
            await self.send(messages.AskMissing())


MUTANTS: Mapping[type[SmallBot], tuple[int | None, set[str]]] = {
    AsksAgainAtEachMis: (None, {"missing-told"}),
    QuitsWhenRmIsInstant: (1, {"rm-at-once", "rm-at-once-often"}),
    DiesOnFullRm: (2, {"full-rm", "unknown-board", "board-fva", *OTHER_BOARDS}),
    HasNoPatienceForMdf: (3, {"slow-definition"}),
    KnowsOneBoard: (4, {"unknown-board", *OTHER_BOARDS}),
    SpinsOnRefusal: (5, {"name-refused"}),
    TakesReadsForFrames: (6, {"split-bytes", "split-headers"}),
    HasSignedLengths: (7, {"long-message"}),
    ChecksThePadding: (8, {"padding", "split-headers"}),
    ReplacesWithoutSub: (9, {"order-refused", "every-note"}),
    InsistsForEver: (10, {"order-refused-always"}),
    ForgetsTheSeventeenth: (11, {"many-units"}),
    NeverWaives: (12, {"builds-without-sites", "builds-nowhere"}),
    ForgetsTheCoast: (13, {"builds-on-a-coast"}),
    CannotDisband: (14, {"retreat-none"}),
    DiesWithoutUnits: (15, {"no-units", "eliminated"}),
    NeverSaysGo: (16, {"no-limit"}),
    ThinksThreeSeconds: (17, {"short-limit"}),
    StopsWithTheClock: (18, {"clock-stopped"}),
    dies_of(messages.PressDelivered): (
        19,
        {"peace-proposed", "moves-proposed", *WITH_PRESS},
    ),
    SpeaksAboveTheLevel: (20, {"press-level-10", "press-level-20"}),
    AnswersHuhByHuh: (21, {"huh-answered"}),
    ReadsPressSlowly: (22, {"press-flood"}),
    TakesAbsenceForDefeat: (23, {"disorder-and-press"}),
    ComesBackAsANewcomer: (24, {"returns"}),
    ForgetsItsPasscode: (24, {"returns"}),
    StaysAfterOff: (25, {"off", "solo", "solo-of-another", "draw", "draw-of-some"}),
    HangsWithoutAConnection: (
        25,
        {"closed", "final-message", "error-message", "returns"},
    ),
    dies_of(messages.CurrentPosition, lambda _, now: now.position.turn.year < 1900): (
        29,
        {"first-year-1000"},
    ),
}
"""The fault of each bot, and the scenes that do not pass because of it."""
