"""More bots that are broken on purpose: in what they send, and when they give up."""

from collections.abc import Callable, Mapping
from typing import Any

import trio

from daide_server.board.map import Phase, Season, Turn
from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Order, Waive
from daide_server.bots.view import View
from daide_server.daide import messages
from daide_server.daide.tokens import DRW, NOW, SLO, SUB, Tokens
from daide_server.daide.vocabulary import from_text, to_text
from tests.examine.small_bot import LeftError, SmallBot

ENGLAND = Power("ENG")
PEACE = "SND (ENG) (PRP (PCE (FRA ENG)))"


class OrdersBeforeTheGame(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MapDefinition):
            await self.say_text("SUB ((FRA AMY PAR) HLD)")


class NamesItselfTwice(SmallBot):
    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MapName):
            await self.send(messages.Name("small", "1"))
        await super().treat(message)


class SwapsBytesOfSub(SmallBot):
    def frame_of(self, tokens: Tokens) -> bytes:
        frame = super().frame_of(tokens)
        if tokens[0] != SUB:
            return frame
        pairs = (frame[at : at + 2][::-1] for at in range(4, len(frame), 2))
        return frame[:4] + b"".join(pairs)


class SendsOddLengths(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await self.stream.send_all(b"\2\0\0\5\x48\x03\x48\x03\x48")
        await super().submit(orders)


class AnnouncesTooMuch(SmallBot):
    def frame_of(self, tokens: Tokens) -> bytes:
        frame = super().frame_of(tokens)
        if tokens[0] != SUB:
            return frame
        return frame[:2] + (len(frame) + 60).to_bytes(2, "big") + frame[4:]


class FloodsWithPress(SmallBot):
    def says_before_orders(self) -> list[str]:
        return [PEACE] * 500 if self.level else []


class AsksForEver(SmallBot):
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.TimeLeft):
            await trio.sleep(0.005)
            await self.say_text("TME")


class TakesOrdersBack(SmallBot):
    async def submitted(self) -> None:
        await trio.sleep(0.5)
        await self.say_text("NOT (SUB)")


class ReturnsWithoutAPause(SmallBot):
    pause = 0.001


class NamesTheLastYear(SmallBot):
    named_turn = Turn(Season.SPRING, 1900)


class MovesInRetreats(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(
            [Hold(each.unit) if isinstance(each, Disband) else each for each in orders]
        )


class OrdersAllUnits(SmallBot):
    def orders(self, view: View) -> list[Order]:
        if view.phase is not Phase.MOVEMENT:
            return super().orders(view)
        return [Hold(unit) for unit in view.position.units]


class NeverRemoves(SmallBot):
    def adjusted(self, view: View, usual: list[Order]) -> list[Order]:
        return [] if view.surplus < 0 else usual


class DiesWithoutAnAdjustment(SmallBot):
    def adjusted(self, view: View, usual: list[Order]) -> list[Order]:
        if not view.surplus:
            raise LeftError
        return usual


class WaivesWhatIsNotDue(SmallBot):
    def adjusted(self, view: View, usual: list[Order]) -> list[Order]:
        return usual if view.surplus else [Waive(view.power)]


class WaivesOnce(SmallBot):
    def adjusted(self, view: View, usual: list[Order]) -> list[Order]:
        return [Waive(view.power)] if view.surplus > 0 else usual


def dies_of(
    kind: type[messages.ServerMessage],
    when: Callable[[SmallBot, Any], bool] = lambda *_: True,
) -> type[SmallBot]:
    """Return a bot that dies of messages of one kind, or of some of them."""

    class Dies(SmallBot):
        async def treat(self, message: messages.ServerMessage) -> None:
            if isinstance(message, kind) and when(self, message):
                raise LeftError
            await super().treat(message)

    Dies.__name__ = f"DiesOf{kind.__name__}"
    return Dies


class DiesOfOut(SmallBot):
    def says_before_orders(self) -> list[str]:
        return [PEACE] if self.level else []

    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Out):
            raise LeftError
        await super().treat(message)


class LeavesAfterTenTurns(SmallBot):
    async def take(self, tokens: Tokens) -> bool:
        is_next = self.turns == 10 and tokens[0] == NOW
        return is_next or await super().take(tokens)


class NeverAnswersSave(SmallBot):
    async def treat(self, message: messages.ServerMessage) -> None:
        if not isinstance(message, messages.SaveGame):
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
    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MapDefinition):
            self.map = message.map
            self.reader = self.reader.on(message.map)
            await self.send(messages.AcceptMap("sverige"))
        else:
            await super().treat(message)


class ForgetsABracket(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        del orders
        await self.say_text("SUB ((FRA AMY PAR) HLD")


class StopsWhenEnglandIsAbsent(SmallBot):
    absent = False

    async def treat(self, message: messages.ServerMessage) -> None:
        self.absent = self.absent or isinstance(message, messages.InDisorder)
        await super().treat(message)

    async def submit(self, orders: list[Order]) -> None:
        if not self.absent:
            await super().submit(orders)


class KeepsTheFirstTurn(SmallBot):
    """Names in each SUB the turn in which the game began."""

    async def begin_turn(self, now: messages.CurrentPosition) -> None:
        self.named_turn = self.named_turn or now.position.turn
        await super().begin_turn(now)


# What is allowed


class ProposesADrawAndSaysGoTwice(SmallBot):
    async def submitted(self) -> None:
        await self.say_text("DRW")
        await self.send(messages.Go(), messages.Go())


class OrdersOneByOne(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        for each in orders:
            await super().submit([each])


class OrdersTwice(SmallBot):
    async def submit(self, orders: list[Order]) -> None:
        await super().submit(orders)
        await super().submit(orders)


class WaitsAndThinksAgain(SmallBot):
    """Holds the turn open, takes its orders back, and sends others."""

    async def submit(self, orders: list[Order]) -> None:
        await self.say_text("NOT (GOF)")
        await super().submit(orders)
        await trio.sleep(0.2)
        await self.say_text("NOT (SUB)")
        await super().submit(orders)
        await self.send(messages.Go())


class AsksForEverything(SmallBot):
    def says_before_orders(self) -> list[str]:
        return ["MIS", "ORD", "SCO", "HLO", "TME", "TME (3)", "GOF"]


class WaitsForResults(SmallBot):
    """Believes in a new turn when it knows what became of each unit in the last one."""

    results = units = 0

    async def converse(
        self, stream: trio.abc.Stream, entry: messages.ClientMessage
    ) -> bool:
        self.units = 0
        return await super().converse(stream, entry)

    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.OrderResulted):
            self.results += 1
        await super().treat(message)

    async def begin_turn(self, now: messages.CurrentPosition) -> None:
        if self.results < self.units:
            return
        position = now.position
        is_movement = position.turn.phase is Phase.MOVEMENT
        self.results, self.units = 0, len(position.units) if is_movement else 0
        await super().begin_turn(now)


class OrdersAtTheLastMoment(SmallBot):
    """Uses most of the time that HLO gives it."""

    limit = 0.0

    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Hello):
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
        await self.say_text("TME (1)")

    async def heard(self, message: messages.ServerMessage) -> None:
        is_short = isinstance(message, messages.TimeLeft) and message.seconds <= 1
        if self.due and (is_short or isinstance(message, messages.Rejected)):
            due, self.due = self.due, ()
            await super().submit(list(due))


class NamesTheTurn(SmallBot):
    async def begin_turn(self, now: messages.CurrentPosition) -> None:
        self.named_turn = now.position.turn
        await super().begin_turn(now)


class PlaysTheStandardBoardOnly(SmallBot):
    async def treat(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.MapName) and message.name != "standard":
            await self.send(messages.RefuseMap(message.name))
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
    async def heard(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Hello) and self.level < 20:
            raise LeftError


CONDUCT_MUTANTS: Mapping[type[SmallBot], set[str]] = {
    OrdersBeforeTheGame: {"waits-for-now"},
    KeepsTheFirstTurn: {"second-turn"},
    FloodsWithPress: {"quiet-with-press"},
    AsksForEver: {"quiet", "quiet-with-press"},
    MovesInRetreats: {"retreat-several", "retreat-one", "retreats-of-two"},
    OrdersAllUnits: {"first-turn", "spring-moves", "whole-years"},
    NeverRemoves: {"removals", "removes-the-last"},
    DiesWithoutAnAdjustment: {"no-adjustment"},
    WaivesWhatIsNotDue: {"no-adjustment"},
    WaivesOnce: {"builds", "builds-without-sites"},
    dies_of(messages.InDisorder): {"disorder", "disorder-and-press"},
    DiesOfOut: {"press-refused"},
    dies_of(messages.SyntaxRefused): {"complaints", "huh-answered"},
    dies_of(messages.Admin): {"administration"},
    dies_of(messages.SaveGame): {"save"},
    NeverAnswersSave: {"save"},
    dies_of(messages.DrawDeclared): {"draw", "draw-of-some"},
    dies_of(messages.Hello, lambda bot, _: bot.power is not None): {
        "hello-again",
        "returns",
    },
    StopsWhenEnglandIsAbsent: {"disorder", "disorder-and-press"},
    MixesUpCoasts: {"coasts"},
    ConvoysWithoutAFleet: {"convoys"},
}
"""The scenes that must not pass because of the fault; `WORDS` has more."""


def sends(octets: str) -> type[SmallBot]:
    """Return a bot that sends something else than IM first, and waits for RM."""

    class Sends(SmallBot):
        async def converse(
            self, stream: trio.abc.Stream, entry: messages.ClientMessage
        ) -> bool:
            del entry
            if octets:
                await stream.send_all(bytes.fromhex(octets))
            if not await stream.receive_some():
                raise LeftError
            return False

    Sends.__name__ = f"Sends {octets}"
    return Sends


class SendsPressAtLevel0(SmallBot):
    async def submitted(self) -> None:
        other = "FRA" if self.power == ENGLAND else "ENG"
        await self.say_text(f"SND ({other}) (PRP (PCE (FRA ENG)))")


HALF_AN_IM = "did not send IM: header 00 00 00 04 announces 4 bytes"
RM = "00 00 00 04 00 01 DA 10 01 00 00 00"
WORDS = (
    (sends(""), "joins", "did not send IM: it sent nothing"),
    (sends("00 00 00 04 00 01"), "joins", HALF_AN_IM),
    (sends("00 00 00 04 00 01 10 DA"), "joins", "broke the protocol: "),
    (sends("02 00 00 02 48 0F"), "joins", "broke the protocol: "),
    (sends(RM), "joins", "broke the protocol: "),
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
"""What the row of a scene says, which does not pass."""


ALLOWED = (
    ProposesADrawAndSaysGoTwice,
    OrdersOneByOne,
    OrdersTwice,
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
