"""More bots that are broken on purpose: in what they send, and when they give up."""

import trio

from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Order, Waive
from daide_server.board.turns import Phase
from daide_server.bots.view import View
from daide_server.language.messages import (
    AcceptMap,
    Admin,
    CurrentPosition,
    DrawDeclared,
    Go,
    Hello,
    InDisorder,
    MapDefinition,
    OrderNoted,
    Out,
    SaveGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SubmittedOrder,
    SyntaxRefused,
    TimeLeft,
)
from daide_server.language.text import from_text
from daide_server.language.tokens import BRA, KET, Tokens
from daide_server.wire.frames import encode_tokens
from tests.examine.small_bot import LeftError, SmallBot

ENGLAND = Power("ENG")


class OrdersBeforeTheGame(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        if isinstance(message, MapDefinition):
            await self.say(from_text("SUB ((FRA AMY PAR) HLD)", self.vocabulary))


class SwapsBytesOfSub(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        self.swaps = True
        await super().submit(orders)

    async def say(self, tokens: Tokens) -> None:
        frame = encode_tokens(tokens)
        if getattr(self, "swaps", False):
            body = frame[4:]
            swapped = bytes(
                byte for n in range(0, len(body), 2) for byte in body[n : n + 2][::-1]
            )
            frame = frame[:4] + swapped
        await self.stream.send_all(frame)


class SendsOddLengths(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await self.stream.send_all(b"\2\0\0\5\x48\x03\x48\x03\x48")
        await super().submit(orders)


class AnnouncesTooMuch(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        self.lies = True
        await super().submit(orders)

    async def say(self, tokens: Tokens) -> None:
        frame = encode_tokens(tokens)
        if getattr(self, "lies", False):
            frame = frame[:2] + (len(frame) + 60).to_bytes(2, "big") + frame[4:]
        await self.stream.send_all(frame)


class FloodsWithPress(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        if self.level:
            for _ in range(500):
                content = from_text("PRP (PCE (FRA ENG))", self.vocabulary)
                await self.send(SendPress(None, (ENGLAND,), content))
        await super().submit(orders)


class AsksForEver(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        if isinstance(message, TimeLeft):
            await trio.sleep(0.005)
            await self.say(from_text("TME", self.vocabulary))


class TakesOrdersBack(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await trio.sleep(0.5)
        await self.say(from_text("NOT (SUB)", self.vocabulary))


class ReturnsWithoutAPause(SmallBot):
    pause = 0.001


class NamesTheLastYear(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        submitted = [b for o in orders for b in self.bracketed(o)]
        turn = from_text("SUB (SPR 1900)", self.vocabulary)
        await self.say((*turn, *submitted))

    def bracketed(self, order: Order) -> Tokens:
        return (BRA, *self.writer.order(order), KET)


class MovesInRetreats(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        if any(isinstance(each, Disband) for each in orders):
            orders = [
                Hold(each.unit) if isinstance(each, Disband) else each
                for each in orders
            ]
        await super().submit(orders)


class OrdersOthersUnits(SmallBot):
    def orders(self, view: View) -> list[Order]:
        others = view.position.units_of(ENGLAND)
        if view.phase is not Phase.MOVEMENT or not others:
            return super().orders(view)
        return [*super().orders(view), Hold(others[0])]


class NeverRemoves(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is Phase.ADJUSTMENTS and view.surplus < 0:
            return []
        return super().orders(view)


class NeverBuilds(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is Phase.ADJUSTMENTS and view.surplus > 0:
            return []
        return super().orders(view)


class WaivesOnce(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is Phase.ADJUSTMENTS and view.surplus > 0:
            return [Waive(view.power)]
        return super().orders(view)


class DiesOf(SmallBot):
    kind: type = object

    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, self.kind):
            raise LeftError
        await super().treat(message)


class DiesOfDisorder(DiesOf):
    kind = InDisorder


class DiesOfOut(DiesOf):
    kind = Out


class DiesOfHuh(DiesOf):
    kind = SyntaxRefused


class DiesOfAdministration(DiesOf):
    kind = Admin


class DiesOfSave(DiesOf):
    kind = SaveGame


class DiesOfDraw(DiesOf):
    kind = DrawDeclared


class DiesOfASecondHello(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, Hello) and self.power is not None:
            raise LeftError
        await super().treat(message)


class LeavesAfterTenTurns(SmallBot):
    async def __call__(self, dial: object) -> None:
        try:
            await super().__call__(dial)  # type: ignore[arg-type]
        except LeftError:
            return

    async def begin_turn(self, now: CurrentPosition) -> None:
        if self.turns == 10:
            raise LeftError
        await super().begin_turn(now)


class WaitsForTheFirstThx(SmallBot):
    """Orders the next unit when the one before was noted MBV, and never else."""

    async def submit(self, orders: list[Order]) -> None:
        self.rest = list(orders)
        await self.next()

    async def next(self) -> None:
        if self.rest:
            await super().submit([self.rest.pop(0)])

    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        if isinstance(message, OrderNoted) and message.note.value == "MBV":
            await self.next()


class SpeaksSwedish(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, MapDefinition):
            self.map = message.map
            self.reader = self.reader.on(message.map)
            await self.send(AcceptMap("sverige"))
        else:
            await super().treat(message)


class ForgetsABracket(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        del orders
        text = "SUB ((FRA AMY PAR) HLD"
        await self.say(from_text(text, self.vocabulary))


class OrdersNothingInFall(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.position.turn.season.name == "FALL":
            return []
        return super().orders(view)


class StopsWhenEnglandIsAbsent(SmallBot):
    absent = False

    async def treat(self, message: ServerMessage) -> None:
        self.absent = self.absent or isinstance(message, InDisorder)
        await super().treat(message)

    async def submit(self, orders: list[Order]) -> None:
        if not self.absent:
            await super().submit(orders)


class KeepsTheFirstTurn(SmallBot):
    """Names in each SUB the turn in which the game began."""

    async def submit(self, orders: list[Order]) -> None:
        self.first = getattr(self, "first", self.now.position.turn)
        tokens = self.writer.write(
            SubmitOrders(self.first, tuple(self.submitted(each) for each in orders))
        )
        await self.say(tokens)

    def submitted(self, order: Order) -> SubmittedOrder:
        return SubmittedOrder(order, self.writer.order(order))

    async def begin_turn(self, now: CurrentPosition) -> None:
        self.now = now
        await super().begin_turn(now)


# Allowed habits


class ProposesADrawEachTurn(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await self.say(from_text("DRW", self.vocabulary))


class SaysGoTwice(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await self.send(Go(), Go())


class OrdersTwice(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit([*orders, *orders])


class OrdersOneByOne(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        for each in orders:
            await super().submit([each])


class ThinksAgain(SmallBot):
    """Takes its orders back, and sends others."""

    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await self.say(from_text("NOT (SUB)", self.vocabulary))
        await super().submit(orders)


class AsksForEverything(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        for text in ("MIS", "ORD", "SCO", "HLO", "TME", "TME (3)", "GOF"):
            await self.say(from_text(text, self.vocabulary))
        await super().submit(orders)


class WaitsFirst(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await self.say(from_text("NOT (GOF)", self.vocabulary))
        await super().submit(orders)
        await self.send(Go())
