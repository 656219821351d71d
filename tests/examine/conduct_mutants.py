"""More bots that are broken on purpose: in what they send, and when they give up."""

from collections.abc import Mapping

import trio

from daide_server.board.map import Phase
from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Order, Waive
from daide_server.bots.view import View
from daide_server.language.messages import (
    AcceptMap,
    Admin,
    ClientMessage,
    CurrentPosition,
    DrawDeclared,
    Go,
    Hello,
    InDisorder,
    MapDefinition,
    MapName,
    Name,
    OrderResulted,
    Out,
    RefuseMap,
    Rejected,
    SaveGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SubmittedOrder,
    SyntaxRefused,
    TimeLeft,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import BRA, DRW, KET, SLO, Tokens
from daide_server.wire.frames import encode_tokens
from tests.examine.small_bot import LeftError, SmallBot

ENGLAND = Power("ENG")


class OrdersBeforeTheGame(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        if isinstance(message, MapDefinition):
            await self.say(from_text("SUB ((FRA AMY PAR) HLD)", self.vocabulary))


class NamesItselfTwice(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, MapName):
            await self.send(Name("small", "1"))
        await super().treat(message)


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


class DiesWithoutAnAdjustment(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is Phase.ADJUSTMENTS and not view.surplus:
            raise LeftError
        return super().orders(view)


class WaivesWhatIsNotDue(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is Phase.ADJUSTMENTS and not view.surplus:
            return [Waive(view.power)]
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

    async def submit(self, orders: list[Order]) -> None:
        if self.level:
            content = from_text("PRP (PCE (FRA ENG))", self.vocabulary)
            await self.send(SendPress(None, (ENGLAND,), content))
        await super().submit(orders)


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


class NeverAnswersSave(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        if not isinstance(message, SaveGame):
            await super().treat(message)


class MixesUpCoasts(SmallBot):
    async def say(self, tokens: Tokens) -> None:
        names = {"SCS": "NCS", "NCS": "SCS"}
        words = to_text(tokens, self.vocabulary).split()
        if words[:1] == ["SUB"]:
            text = " ".join(names.get(each, each) for each in words)
            tokens = from_text(text, self.vocabulary)
        await super().say(tokens)


class ConvoysWithoutAFleet(SmallBot):
    async def say(self, tokens: Tokens) -> None:
        text = to_text(tokens, self.vocabulary)
        wrong = "( FRA AMY BRE ) CTO LON VIA ( IRI )"
        text = text.replace("( FRA AMY BRE ) HLD", wrong)
        await super().say(from_text(text, self.vocabulary))


class CallsTheBoardByAnotherName(SmallBot):
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


# What is allowed


class ProposesADrawEachTurn(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await self.say(from_text("DRW", self.vocabulary))


class SaysGoTwice(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await self.send(Go(), Go())


class OrdersOneByOne(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        for each in orders:
            await super().submit([each])


class WaitsAndThinksAgain(SmallBot):
    """Holds the turn open, takes its orders back, and sends others."""

    async def submit(self, orders: list[Order]) -> None:
        await self.say(from_text("NOT (GOF)", self.vocabulary))
        await super().submit(orders)
        await trio.sleep(0.2)
        await self.say(from_text("NOT (SUB)", self.vocabulary))
        await super().submit(orders)
        await self.send(Go())


class AsksForEverything(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        for text in ("MIS", "ORD", "SCO", "HLO", "TME", "TME (3)", "GOF"):
            await self.say(from_text(text, self.vocabulary))
        await super().submit(orders)


class WaitsForResults(SmallBot):
    """Believes in a new turn when it knows what became of each unit in the last one."""

    results = units = 0

    async def converse(self, stream: trio.abc.Stream, entry: ClientMessage) -> bool:
        self.units = 0
        return await super().converse(stream, entry)

    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, OrderResulted):
            self.results += 1
        await super().treat(message)

    async def begin_turn(self, now: CurrentPosition) -> None:
        if self.results < self.units:
            return
        position = now.position
        is_movement = position.turn.phase is Phase.MOVEMENT
        self.results, self.units = 0, len(position.units) if is_movement else 0
        await super().begin_turn(now)


class OrdersAtTheLastMoment(SmallBot):
    """Uses most of the time that HLO gives it."""

    limit = 0.0

    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, Hello):
            limits = {option.value.token: limit for option, limit in message.options}
            self.limit = limits.get("MTL") or 0.0
        await super().treat(message)

    async def submit(self, orders: list[Order]) -> None:
        await trio.sleep(0.8 * self.limit)
        await super().submit(orders)


class OrdersWhenTimeIsShort(SmallBot):
    """Asks for TME (1), and orders when it comes, or at once if there is no limit."""

    due: tuple[Order, ...] = ()

    async def submit(self, orders: list[Order]) -> None:
        self.due = tuple(orders)
        await self.say(from_text("TME (1)", self.vocabulary))

    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        is_short = isinstance(message, TimeLeft) and message.seconds <= 1
        if self.due and (is_short or isinstance(message, Rejected)):
            due, self.due = self.due, ()
            await super().submit(list(due))


class NamesTheTurn(SmallBot):
    async def begin_turn(self, now: CurrentPosition) -> None:
        self.turn = now.position.turn
        await super().begin_turn(now)

    async def submit(self, orders: list[Order]) -> None:
        submitted = (SubmittedOrder(o, self.writer.order(o)) for o in orders)
        await self.send(SubmitOrders(self.turn, tuple(submitted)))


class PlaysTheStandardBoardOnly(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        if isinstance(message, MapName) and message.name != "standard":
            await self.send(RefuseMap(message.name))
            raise LeftError
        await super().treat(message)


class StopsWhenItHasLost(SmallBot):
    """A power without centres and units does not come back."""

    is_dead = False

    def orders(self, view: View) -> list[Order]:
        self.is_dead = self.is_dead or not view.position.centres_of(view.power)
        if self.is_dead and view.phase is not Phase.ADJUSTMENTS:
            return []
        return super().orders(view)


class LeavesWithTheGame(SmallBot):
    """Closes the connection at SLO or DRW, and does not wait for OFF."""

    async def take(self, tokens: Tokens) -> bool:
        is_over = tokens[:1] in {(SLO,), (DRW,)}
        return await super().take(tokens) or is_over


class LeavesWithoutPress(SmallBot):
    async def treat(self, message: ServerMessage) -> None:
        await super().treat(message)
        if isinstance(message, Hello) and self.level < 20:
            raise LeftError


NO_ORDERS = {"first-turn"}
CONDUCT_MUTANTS: Mapping[type[SmallBot], set[str]] = {
    OrdersBeforeTheGame: {"waits-for-now"},
    SwapsBytesOfSub: NO_ORDERS,
    SendsOddLengths: NO_ORDERS,
    AnnouncesTooMuch: NO_ORDERS,
    NamesTheLastYear: NO_ORDERS,
    ForgetsABracket: NO_ORDERS,
    CallsTheBoardByAnotherName: {"joins"},
    NamesItselfTwice: {"joins"},
    KeepsTheFirstTurn: {"second-turn"},
    OrdersNothingInFall: {"second-turn"},
    FloodsWithPress: {"quiet-with-press"},
    AsksForEver: {"quiet", "quiet-with-press"},
    TakesOrdersBack: {"orders-kept"},
    ReturnsWithoutAPause: {"server-gone"},
    MovesInRetreats: {"retreat-several", "retreat-one", "retreats-of-two"},
    OrdersOthersUnits: {"first-turn", "spring-moves", "whole-years"},
    NeverRemoves: {"removals", "removes-the-last"},
    NeverBuilds: {"builds", "builds-without-sites", "builds-nowhere"},
    DiesWithoutAnAdjustment: {"no-adjustment"},
    WaivesWhatIsNotDue: {"no-adjustment"},
    WaivesOnce: {"builds", "builds-without-sites"},
    DiesOfDisorder: {"disorder", "disorder-and-press"},
    DiesOfOut: {"press-refused"},
    DiesOfHuh: {"complaints", "huh-answered"},
    DiesOfAdministration: {"administration"},
    DiesOfSave: {"save"},
    NeverAnswersSave: {"save"},
    DiesOfDraw: {"draw", "draw-of-some"},
    DiesOfASecondHello: {"hello-again", "returns"},
    LeavesAfterTenTurns: {"whole-years"},
    StopsWhenEnglandIsAbsent: {"disorder", "disorder-and-press"},
    MixesUpCoasts: {"coasts"},
    ConvoysWithoutAFleet: {"convoys"},
}
"""The scenes that must not pass because of the fault."""


class FirstFrame(SmallBot):
    """Sends something else than IM first, and waits for RM."""

    frame = b""

    async def converse(self, stream: trio.abc.Stream, entry: ClientMessage) -> bool:
        del entry
        if self.frame:
            await stream.send_all(self.frame)
        if not await stream.receive_some():
            raise LeftError
        return False


class SendsNoIm(FirstFrame):
    pass


class SendsHalfAnIm(FirstFrame):
    frame = bytes.fromhex("00 00 00 04 00 01")


class SwapsTheMagicNumber(FirstFrame):
    frame = bytes.fromhex("00 00 00 04 00 01 10 DA")


class SendsAMessageBeforeIm(FirstFrame):
    frame = bytes.fromhex("02 00 00 02 48 0F")


class SendsRm(FirstFrame):
    frame = bytes.fromhex("00 00 00 04 00 01 DA 10 01 00 00 00")


class SendsPressAtLevel0(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        press = (
            f"SND ({'ENG' if self.power != ENGLAND else 'FRA'}) (PRP (PCE (FRA ENG)))"
        )
        await self.say(from_text(press, self.vocabulary))


class OrdersAllUnits(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is not Phase.MOVEMENT:
            return super().orders(view)
        return [Hold(unit) for unit in view.position.units]


WORDS = (
    (SendsNoIm, "joins", "did not send IM: it sent nothing"),
    (SendsHalfAnIm, "joins", "did not send IM: header 00 00 00 04 announces 4 bytes"),
    (SwapsTheMagicNumber, "joins", "broke the protocol: "),
    (SendsAMessageBeforeIm, "joins", "broke the protocol: "),
    (SendsRm, "joins", "broke the protocol: "),
    (NamesItselfTwice, "joins", "sent NME 2 times; a connection needs one"),
    (SendsPressAtLevel0, "first-turn", "no message at the level of the game: SND"),
    (SendsOddLengths, "first-turn", "wrong length (EM 09, header 02 00 00 05)"),
    (AnnouncesTooMuch, "first-turn", "announces 114 bytes, 50 came"),
    (NamesTheLastYear, "first-turn", "received REJ ( SUB ( SPR 1900 )"),
    (ForgetsABracket, "first-turn", "received PRN ( SUB"),
    (SwapsBytesOfSub, "first-turn", "(least significant byte first)"),
    (CallsTheBoardByAnotherName, "joins", "YES ( MAP ( 'sverige' ) )"),
    (TakesOrdersBack, "orders-kept", "took back 3 orders; it said NOT ( SUB )"),
    (MovesInRetreats, "retreat-one", "HLD ) ( NRS )"),
    (OrdersAllUnits, "first-turn", "19 refused: NYU (the unit is not that power's)"),
    (LeavesAfterTenTurns, "whole-years", "code 0 in turn 11, SPR 1906"),
    (ReturnsWithoutAPause, "server-gone", "connections in 2 s"),
)
"""What the row of a scene says."""


class OrdersTwice(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await super().submit(orders)


ALLOWED = (
    OrdersTwice,
    ProposesADrawEachTurn,
    SaysGoTwice,
    OrdersOneByOne,
    WaitsAndThinksAgain,
    AsksForEverything,
    WaitsForResults,
    OrdersAtTheLastMoment,
    OrdersWhenTimeIsShort,
    NamesTheTurn,
    PlaysTheStandardBoardOnly,
    LeavesWithTheGame,
    StopsWhenItHasLost,
)
"""Bots of which no scene may say that they differ."""
