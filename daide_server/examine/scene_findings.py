"""What a judge can say of a scene."""

from enum import Enum

from daide_server.classes import frozen


class SceneVerdict(Enum):
    """What a scene says of a bot; the value is the word of the report."""

    PASSES = "passes"
    DIFFERS = "differs"
    FAILS = "fails"
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


@frozen
class SceneFinding:
    """A verdict, and what the bot did, in a few words."""

    verdict: SceneVerdict
    did: str


def passes(did: str) -> SceneFinding:
    """Return that the bot did what was expected."""
    return SceneFinding(SceneVerdict.PASSES, did)


def differs(did: str) -> SceneFinding:
    """Return that the bot did what a bot should not do, and a server must bear."""
    return SceneFinding(SceneVerdict.DIFFERS, did)


def fails(did: str) -> SceneFinding:
    """Return that the bot broke what its authors and servers must rely on."""
    return SceneFinding(SceneVerdict.FAILS, did)


def not_reached(did: str) -> SceneFinding:
    """Return that nothing can be said: the provocation did not come about."""
    return SceneFinding(SceneVerdict.NOT_REACHED, did)
