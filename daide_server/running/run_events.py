"""What happens in a run, for displays and for `--json`."""

from daide_server.classes import frozen
from daide_server.tournament.game_outcomes import Attempt, GameOutcome


@frozen
class GameBegun:
    """An attempt was given to the executor; `bots` are the names in the seats."""

    attempt: Attempt
    bots: tuple[str, ...]


@frozen
class GameOver:
    """An outcome came; `counts`: it was stored, and not ignored as a second one."""

    outcome: GameOutcome
    seconds: float
    counts: bool


@frozen
class Notice:
    """Something that a person should know, in a sentence."""

    text: str


RunEvent = GameBegun | GameOver | Notice
