"""One client: its connections, how it joins, and what it says."""

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Final

from daide_server.daide.frames import INITIAL_MESSAGE
from daide_server.game.events import Seconds

from .network import Link
from .scenario import Kind, Scenario
from .speech import messages_in, spoken
from .told import Talk, Told
from .world import World


class Client:
    """One client, on as many connections as it takes.

    It does nothing but react: to bytes, to the end of its connection, and to the times
    that it has set itself.
    """

    def __init__(self, world: World, scenario: Scenario, number: int) -> None:
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
        self._chance: Final = Random(1000 * scenario.seed + number)
        self._stays: Final[list[tuple[Seconds, Seconds]]] = []
        self._joins = 0

    @property
    def _now(self) -> Seconds:
        return self._world.agenda.now

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
            if self.is_in and not (
                link.may_end or self.talk.is_off or self.has_babbled
            ):
                self.problem = f"was cut off in {self.turn}"
            if self.talk.is_off and not (self.talk.is_final or link.may_end):
                self.problem = f"was sent OFF in {self.turn}, and no FM"
            self._stays.extend(self._stay(self._now))
            # Who leaves has no vote; a server that is started again knows both, also of
            # those who leave it again before it goes on.
            if not link.outlives_server:
                is_slow = self._world.network.slowness > 1.0
                is_unsure = link.is_lost or is_slow or not self.talk.is_timed
                is_known = None if is_unsure else False
                self.told.is_for_draw = self.told.wants_time = is_known
            self.link, self.talk = None, Talk()
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

    def _read(self, link: Link, data: bytes) -> None:
        if self.link is not link:
            return
        told, self.talk.heard = messages_in(self.talk.heard + data)
        for word, texts in told:
            self._hear(word, texts)

    def _hear(self, word: str, texts: Sequence[str]) -> None:
        """Take in messages that begin with the same *word*."""
        raise NotImplementedError

    def _join(self) -> None:
        """Ask to be let in."""
        if self.kind is Kind.OBSERVER:
            self.say("OBS")
        elif self.passcode:
            self.talk.is_return = True
            self.say(f"IAM ({self.power}) ({self.passcode})")
        else:
            # Another name each time: it may have a seat of which it never heard.
            self._joins += 1
            self.say(f"NME ('{self.name}-{self._joins}') ('1')")

    def _try_again(self) -> None:
        if self.link is not None and not self.is_in:
            self._join()
