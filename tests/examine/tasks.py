"""Bots that are examined as tasks, without processes; an autojump clock is enough."""

from collections.abc import Awaitable, Callable, Mapping

import trio
import trio.testing

from daide_server.examine.programs import BotRun, CommandLauncher, Connect, ProcessUsage

KILLED = -15
Dial = Callable[[], Awaitable[trio.abc.Stream]]
TaskBot = Callable[[Dial], Awaitable[None]]


class TaskRun(BotRun):
    """A bot that is a task; its exit code is 1 if it raised an exception."""

    def __init__(self) -> None:
        self.code: int | None = None
        self.words = ""
        self._scope = trio.CancelScope()
        self._ended = trio.Event()

    async def play(self, bot: TaskBot, dial: Dial) -> None:
        try:
            with self._scope:
                await bot(dial)
                self.code = 0
        except Exception as error:  # noqa: BLE001 (as a process would)
            self.code, self.words = 1, repr(error)
        finally:
            if self.code is None:
                self.code = KILLED
            self._ended.set()

    async def wait(self) -> int:
        await self._ended.wait()
        assert self.code is not None
        return self.code

    async def stop(self) -> None:
        self._scope.cancel()
        with trio.CancelScope(shield=True):
            await self._ended.wait()

    def last_words(self) -> str:
        return self.words

    def usage(self) -> ProcessUsage:
        return ProcessUsage(0, 0, 0.0, 0, 0)


class TaskLauncher(CommandLauncher):
    """Starts a bot as a task."""

    has_processes = False

    def __init__(self, bot: TaskBot) -> None:
        super().__init__(())
        self._bot = bot

    async def start(
        self, nursery: trio.Nursery, connect: Connect, environment: Mapping[str, str]
    ) -> TaskRun:
        del environment
        run = TaskRun()

        async def dial() -> trio.abc.Stream:
            ours, theirs = trio.testing.memory_stream_pair()
            connect(theirs)
            return ours

        nursery.start_soon(run.play, self._bot, dial)
        return run
