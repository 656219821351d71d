"""A server that a test without a loop drives, and a model of what its clients heard.

The model knows no rules: an order is in force because THX noted it MBV, and is not any
more because YES (NOT (SUB)) said so, or NOW came with another turn.
"""

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final, TypeVar

import trio
import trio.testing
from attrs import frozen

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.game.game_state import GameState
from daide_server.language.messages import CancelOrder, SubmitOrders
from daide_server.language.translation import ClientReader
from daide_server.language.vocabulary import Vocabulary, from_text
from daide_server.records.entries import PressSent, RecordEntry
from tests.support.journalled import JournalledServer, journalled

STEP: Final = 0.5
"""Seconds by which the clock is moved at once; all that is due then happens."""
PATIENCE: Final = 60.0

ResultT = TypeVar("ResultT")
Work = Callable[[JournalledServer], Awaitable[None]]


@frozen(eq=False)
class _Job:
    """What to do in the loop; without *work* the server is killed."""

    work: Work | None
    meanwhile: Callable[[], None]
    done: Future[None]


class DrivenServer:
    """Runs of a server on one journal, in a thread; its clock moves when told."""

    def __init__(self, variant: Variant, path: Path) -> None:
        self._variant: Final = variant
        self._path: Final = path
        self._clock: Final = trio.testing.MockClock()
        self._started: Future[trio.lowlevel.TrioToken] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._token = self._started.result(PATIENCE)

    def do(self, work: Callable[[JournalledServer], ResultT]) -> ResultT:
        """Return what *work* returns, when nothing is going on any more."""
        found: list[ResultT] = []

        async def job(server: JournalledServer) -> None:
            found.append(work(server))

        self._submit(job)
        return found[0]

    def wait(self, seconds: float) -> None:
        async def job(_: JournalledServer) -> None:
            for _step in range(round(seconds / STEP)):
                self._clock.jump(STEP)
                await trio.testing.wait_all_tasks_blocked()

        self._submit(job)

    def restart(self, meanwhile: Callable[[], None]) -> None:
        """Kill the server, call *meanwhile*, and start it again."""
        self._submit(None, meanwhile)

    def close(self) -> None:
        trio.from_thread.run_sync(self._jobs.close, trio_token=self._token)
        self._thread.join(PATIENCE)

    def _submit(
        self, work: Work | None, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        done: Future[None] = Future()
        trio.from_thread.run_sync(
            self._jobs.send_nowait,
            _Job(work, meanwhile, done),
            trio_token=self._token,
        )
        done.result(PATIENCE)

    def _run(self) -> None:
        try:
            trio.run(self._serve, clock=self._clock)
        except BaseException as error:
            if not self._started.done():
                self._started.set_exception(error)
            raise

    async def _serve(self) -> None:
        self._jobs, jobs = trio.open_memory_channel[_Job](1)
        restarted: Future[None] | None = None
        while True:
            async with journalled(self._variant, self._path) as server:
                if restarted is None:
                    self._started.set_result(trio.lowlevel.current_trio_token())
                else:
                    restarted.set_result(None)
                async for job in jobs:
                    if job.work is None:
                        break
                    try:
                        await job.work(server)
                        await trio.testing.wait_all_tasks_blocked()
                    except Exception as error:  # noqa: BLE001 (for who has asked)
                        job.done.set_exception(error)
                    else:
                        job.done.set_result(None)
                else:
                    return
            job.meanwhile()
            restarted = job.done


WORDS: Final = Vocabulary.standard()
MBV: Final = " ( MBV )"


class AcknowledgedGame:
    """What the clients of a game can rely on."""

    def __init__(self, variant: Variant) -> None:
        self.turn = ""
        self.orders: defaultdict[Power, set[Order]] = defaultdict(set)
        self.votes: set[Power] = set()
        self.waiting: set[Power] = set()
        self.press: Counter[Power] = Counter()
        self._reader = ClientReader(WORDS, variant.map, 20)

    def hear_all(self, texts: Mapping[Power, Iterable[str]]) -> None:
        """Take in what the clients were told meanwhile, turn by turn.

        What one client was told before a turn counts before what others were told
        in it.
        """
        left = {power: deque(each) for power, each in texts.items()}
        while any(left.values()):
            for power, waiting in left.items():
                while waiting and not self._is_new_turn(waiting[0]):
                    self.hear(power, waiting.popleft())
            for power, waiting in left.items():
                if waiting:
                    self.hear(power, waiting.popleft())

    def _is_new_turn(self, text: str) -> bool:
        return text.startswith("NOW") and _turn_of(text) != self.turn

    def hear(self, power: Power, text: str) -> None:
        """Take in what the client of *power* was told."""
        if text.startswith("NOW"):
            self._begin(_turn_of(text))
        elif text.startswith("CCD"):
            self.leave(Power(text.split()[2]))
        elif text.startswith("THX") and text.endswith(MBV):
            self._order(power, text.removeprefix("THX").removesuffix(MBV))
        elif text.startswith("YES ( ") and text.endswith(" )"):
            self._accept(power, text[6:-2])

    def leave(self, power: Power) -> None:
        """Drop what lasts only as long as the client of *power* is there."""
        self.votes.discard(power)
        self.waiting.discard(power)

    def _begin(self, turn: str) -> None:
        if turn != self.turn:
            self.turn = turn
            self.orders.clear()
            self.votes.clear()
            self.waiting.clear()

    def _order(self, power: Power, text: str) -> None:
        said = self._reader.read(from_text(f"SUB {text}", WORDS))
        assert isinstance(said, SubmitOrders)
        order = said.orders[0].order
        unit = getattr(order, "unit", None)
        kept = {each for each in self.orders[power] if getattr(each, "unit", 0) != unit}
        self.orders[power] = kept | {order}

    def _accept(self, power: Power, said: str) -> None:
        match said.split(maxsplit=1)[0], said:
            case "DRW", _:
                self.votes.add(power)
            case "GOF", _:
                self.waiting.discard(power)
            case "SND", _:
                self.press[power] += 1
            case "NOT", "NOT ( DRW )":
                self.votes.discard(power)
            case "NOT", "NOT ( GOF )":
                self.waiting.add(power)
            case "NOT", "NOT ( SUB )":
                self.orders[power].clear()
            case "NOT", _ if said.startswith("NOT ( SUB"):
                cancelled = self._reader.read(from_text(said, WORDS))
                assert isinstance(cancelled, CancelOrder)
                self.orders[power].discard(cancelled.order)
            case _:
                pass

    def adopt(self, state: GameState, entries: Sequence[RecordEntry]) -> None:
        """Begin anew with what is in force."""
        season, year = str(state.position.turn).split()
        self.turn = f"NOW ( {season} {year} "
        for power in state.variant.map.powers:
            self.adopt_of(power, state, entries)

    def adopt_of(
        self, power: Power, state: GameState, entries: Sequence[RecordEntry]
    ) -> None:
        """Begin anew with what is in force of *power*."""
        self.orders[power].clear()
        for order in state.turn.accepted():
            unit = getattr(order, "unit", None)
            assert unit is not None, "nobody waives a build here"
            if unit.power == power:
                self.orders[power].add(order)
        voters, waiting = _voters(state), state.turn._waiting
        self.votes = self.votes - {power} | voters & {power}
        self.waiting = self.waiting - {power} | waiting & {power}
        self.press[power] = _senders(entries)[power]

    def check(self, state: GameState, entries: Sequence[RecordEntry]) -> None:
        """Compare with what is in force: nothing missing, and nothing more."""
        ordered = {order for orders in self.orders.values() for order in orders}
        assert set(state.turn.accepted()) == ordered
        assert state.turn._waiting == self.waiting
        assert _voters(state) == self.votes
        assert _senders(entries) == self.press


def _turn_of(text: str) -> str:
    """Return NOW up to its turn."""
    return text.split(")", maxsplit=1)[0]


def _voters(state: GameState) -> set[Power]:
    return {power for power, _ in state.turn.votes}


def _senders(entries: Sequence[RecordEntry]) -> Counter[Power]:
    return Counter(each.sender for each in entries if isinstance(each, PressSent))
