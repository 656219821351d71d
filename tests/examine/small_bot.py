"""A bot of a hundred lines that holds; mutants of it are broken in one way each."""

import trio
from msgspec.structs import replace

from daide_server.board.map import Phase, Turn
from daide_server.board.names import Power, Province
from daide_server.board.orders import Order
from daide_server.bots import hold
from daide_server.bots.view import View
from daide_server.daide import messages
from daide_server.daide.frames import ClientConnection, Entries, encode_tokens
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import LanguageError, ServerReader, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text
from tests.examine.tasks import Dial


class LeftError(Exception):
    """The bot has had enough."""


class SmallBot:
    """Joins, holds, returns by IAM, ends with OFF."""

    def __init__(self) -> None:
        self.power: Power | None = None
        self.passcode = 0
        self.owners: dict[Province, Power] = {}
        self.level = 0
        self.map_name = ""
        self.turns = 0

    async def __call__(self, dial: Dial) -> None:
        entry: messages.ClientMessage = messages.Name("small", "1")
        while not await self.converse(await dial(), entry):
            await trio.sleep(self.pause)
            entry = self.entry_again()

    pause = 0.2
    named_turn: Turn | None = None
    """The turn that its SUB names."""

    def entry_again(self) -> messages.ClientMessage:
        return (
            messages.Name("small", "1")
            if self.power is None
            else messages.Rejoin(self.power, self.passcode)
        )

    async def converse(
        self, stream: trio.abc.Stream, entry: messages.ClientMessage
    ) -> bool:
        """Return whether the game is over; if not, the connection was lost."""
        self.stream, self.wire = stream, ClientConnection()
        await self.stream.send_all(self.wire.take_output())
        try:
            while self.wire.representation is None:
                data = await self.received()
                if not data:
                    return False
                early = self.wire.receive(data)
            rm = self.wire.representation
            self.look_at_rm(rm)
            self.vocabulary = self.names_in(rm)
            self.reader = ServerReader(self.vocabulary)
            self.writer = Writer(self.vocabulary)
            await self.send(entry)
            if isinstance(entry, messages.Rejoin):
                await self.send(
                    messages.AskHello(), messages.AskOwnership(), messages.AskPosition()
                )
            for tokens in early:
                await self.take(tokens)
            while data := await self.received():
                for tokens in self.wire.receive(data):
                    if await self.take(tokens):
                        return True
        except trio.BrokenResourceError:
            pass
        finally:
            await trio.aclose_forcefully(stream)
        return False

    def look_at_rm(self, rm: Entries) -> None:
        pass

    def names_in(self, rm: Entries) -> Vocabulary:
        return Vocabulary.from_representation(rm)

    async def received(self) -> bytes:
        return bytes(await self.stream.receive_some(65536))

    async def send(self, *sent: messages.ClientMessage) -> None:
        for each in sent:
            await self.say(self.writer.write(each))

    async def say(self, tokens: Tokens) -> None:
        await self.stream.send_all(self.frame_of(tokens))

    async def say_text(self, text: str) -> None:
        await self.say(from_text(text, self.vocabulary))

    def frame_of(self, tokens: Tokens) -> bytes:
        return encode_tokens(tokens)

    async def take(self, tokens: Tokens) -> bool:
        """Treat one message; return whether it was OFF."""
        try:
            message = self.reader.read(tokens)
        except LanguageError:
            return False
        await self.treat(message)
        await self.heard(message)
        return isinstance(message, messages.SwitchOff)

    async def treat(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.MapName(name=name):
                self.map_name = name
                await self.send(messages.AskMapDefinition())
            case messages.MapDefinition(map=board):
                self.map = board
                self.reader = self.reader.on(board)
                if not self.owners:
                    await self.send(messages.AcceptMap(self.map_name))
            case messages.Hello(power=power, passcode=passcode, options=options):
                self.power, self.passcode = power, passcode
                self.level = {option.name: value for option, value in options}.get(
                    "LEVEL"
                ) or 0
            case messages.Ownership(owners=owners):
                self.owners = dict(owners)
            case messages.CurrentPosition():
                await self.begin_turn(message)
            case messages.SaveGame(name=name):
                await self.send(messages.AnswerSave(name, saved=True))
            case messages.LoadGame(name=name):
                await self.send(messages.RefuseLoad(name))
            case _:
                pass

    async def begin_turn(self, now: messages.CurrentPosition) -> None:
        assert self.power is not None
        self.turns += 1
        position = replace(now.position, owners=self.owners)
        orders = self.orders(View(self.map, self.power, position))
        if orders:
            await self.submit(orders)
            await self.submitted()

    async def submit(self, orders: list[Order]) -> None:
        for text in self.says_before_orders():
            await self.say_text(text)
        submitted = tuple(
            messages.SubmittedOrder(each, self.writer.order(each)) for each in orders
        )
        await self.send(messages.SubmitOrders(self.named_turn, submitted))

    def orders(self, view: View) -> list[Order]:
        usual = list(hold.orders(view))
        return self.adjusted(view, usual) if view.phase is Phase.ADJUSTMENTS else usual

    # What mutants do besides

    def adjusted(self, view: View, usual: list[Order]) -> list[Order]:
        del view
        return usual

    def says_before_orders(self) -> list[str]:
        return []

    async def submitted(self) -> None:
        pass

    async def heard(self, message: messages.ServerMessage) -> None:
        pass
