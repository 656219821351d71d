"""What may be shown of a game: one filter before pages, JSON, events and files.

A record holds processed turns only, so orders are never shown before they count. Press
and votes for a draw are private: a policy says when others may read them. Refused
orders are not shown while the game runs, nor are messages that were answered with HUH,
which may be press. Our records have no passcodes; metadata with a passcode, whoever
wrote it, is dropped.
"""

import math
from collections.abc import Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.names import IdentityEnum, Power

from .record import GameRecord, PlayerTally, PressOrVote

SECRET_WORDS = ("passcode", "password", "secret", "api_key")
"""Metadata with one of these in their key are never shown."""


class PressShown(IdentityEnum):
    """When press is shown to others than its recipients."""

    LIVE = "live"
    DELAYED = "delayed"
    AFTER = "after"
    NEVER = "never"


class PressPolicy(Struct, frozen=True):
    """When press is shown; `delay` is in seconds, of `DELAYED` only."""

    shown: PressShown = PressShown.AFTER
    delay: float = 0.0

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the policy that *text* says, such as `delayed 60`.

        Raises `ValueError` for any other text.
        """
        word, _, delay = text.strip().partition(" ")
        try:
            shown = PressShown(word)
            seconds = float(delay) if shown is PressShown.DELAYED else 0.0
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds < math.inf or (delay and shown is not PressShown.DELAYED):
            message = (
                f"{text!r} found, expected 'live', 'delayed SECONDS', 'after' or "
                "'never'"
            )
            raise ValueError(message)
        return cls(shown, seconds)

    def __str__(self) -> str:
        if self.shown is PressShown.DELAYED:
            return f"delayed {self.delay:g}"
        return str(self.shown.value)

    def note(self, *, running: bool) -> str:
        """Return why there may be no press to see; nothing if all is shown."""
        match self.shown:
            case PressShown.NEVER:
                return "Press is not shown here."
            case PressShown.AFTER if running:
                return "Press is shown when the game is over."
            case PressShown.DELAYED if running:
                return f"Press is shown {self.delay:g} seconds after it was sent."
            case _:
                return ""

    def shows(self, seconds: float, now: float, *, running: bool) -> bool:
        """Return whether press sent at *seconds* may be shown at *now*.

        Both are seconds since the game began.
        """
        match self.shown:
            case PressShown.NEVER:
                return False
            case PressShown.AFTER:
                return not running
            case PressShown.LIVE:
                return True
            case PressShown.DELAYED:
                return not running or seconds + self.delay <= now


def visible(
    record: GameRecord, policy: PressPolicy, now: float, *, running: bool
) -> GameRecord:
    """Return the visible part of *record* at *now*, in seconds since the game began.

    *running* says whether the game is being played; a record cannot tell, because its
    game may have been cut off.
    """

    def shown(sent: PressOrVote) -> bool:
        return policy.shows(sent.seconds or 0.0, now, running=running)

    return replace(
        record,
        messages=tuple(filter(shown, record.messages)),
        votes=tuple(filter(shown, record.votes)),
        turns=tuple(
            replace(turn, tallies=_shown_tallies(turn.tallies, policy, running=running))
            for turn in record.turns
        ),
        metadata={
            key: value
            for key, value in record.metadata.items()
            if not any(word in key.lower() for word in SECRET_WORDS)
        },
    )


def _shown_tallies(
    tallies: Mapping[Power, PlayerTally] | None, policy: PressPolicy, *, running: bool
) -> Mapping[Power, PlayerTally] | None:
    """Return the tallies with counts, and with texts where these may be shown."""
    if tallies is None or not (running or policy.shown is PressShown.NEVER):
        return tallies
    return {
        power: replace(
            tally,
            last_syntax_error="",
            refused_orders=() if running else tally.refused_orders,
        )
        for power, tally in tallies.items()
    }
