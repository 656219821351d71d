"""Ends: SLO, DRW, SMR, OFF, EM, a closed connection: does the process end, and how."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.examine.bot_scene import BotScene
from daide_server.examine.scene_findings import SceneFinding, differs, fails, passes
from daide_server.examine.scene_log import Opened, SceneLog
from daide_server.examine.scene_play import ScenePlay
from daide_server.examine.scene_setup import SceneSetup
from daide_server.game.options import GameOptions
from daide_server.language.messages import (
    DrawDeclared,
    PlayerSummary,
    ServerMessage,
    Solo,
    Summary,
    SwitchOff,
)
from daide_server.wire.frames import (
    ErrorCode,
    ErrorMessage,
    FinalMessage,
    Frame,
    encode,
)

GROUP_OF_ENDS: Final = "ends"
ENDING_SECONDS: Final = 8.0
"""How long a bot may run on after OFF, and again after the end of the connection."""
WITH_PDA: Final = SceneSetup(options=GameOptions(level=10, partial_draws=True))


def summary_of(play: ScenePlay) -> Summary:
    """Return the SMR of the game as it is."""
    position = play.game.state.position
    players = (
        PlayerSummary(power, "examined", "1", len(position.centres_of(power)), None)
        for power in play.variant.map.powers
    )
    return Summary(position.turn, tuple(players))


async def conclude(play: ScenePlay, ending: Iterable[ServerMessage]) -> None:
    """Send the end of a game, OFF, and nothing more."""
    play.say(*ending, summary_of(play))
    await switch_off(play)


async def switch_off(play: ScenePlay) -> None:
    """Send OFF; close the connection if the bot does not end."""
    play.may_close = True
    began = play.seconds
    play.say(SwitchOff())
    if not await _exits(play):
        await play.cut()
        await _exits(play)
        play.log.words["late"] = "only when the connection was closed"
    play.log.figures["seconds to exit"] = play.seconds - began


async def break_off(play: ScenePlay, frame: Frame | None) -> None:
    """Close the connection, after FM or EM or nothing."""
    play.may_close = True
    if frame is not None and play.connection is not None:
        play.connection.send(encode(frame))
        await play.sleep(ENDING_SECONDS / 50)
    await play.cut()
    await play.until(lambda: _has_left(play.log), ENDING_SECONDS)


async def _exits(play: ScenePlay) -> bool:
    return await play.until(lambda: play.log.exit is not None, ENDING_SECONDS)


def _has_left(log: SceneLog) -> bool:
    return log.exit is not None or bool(log.of(Opened))


def ended(log: SceneLog) -> SceneFinding:
    """Judge that the process has ended by itself, with code 0."""
    seconds = log.figures.get("seconds to exit", 0.0)
    if log.exit is None and log.of(Opened):
        return differs("connected again after OFF")
    if log.exit is None:
        return fails(f"still runs {2 * ENDING_SECONDS:.0f} s after OFF")
    if log.exit.code != 0:
        return differs(f"ended with code {log.exit.code} after {seconds:.1f} s")
    if "late" in log.words:
        return differs(f"ended {log.words['late']}")
    return passes(f"ended with code 0 after {seconds:.1f} s")


def switched_off(log: SceneLog) -> SceneFinding:
    """Judge as `ended`; a game that was broken off may have another code."""
    found = ended(log)
    is_own_code = log.exit is not None and log.exit.code > 0 and "late" not in log.words
    return passes(found.did) if is_own_code else found


def ended_or_returned(log: SceneLog) -> SceneFinding:
    """Judge that a bot without a connection ends, or connects again: both pass."""
    if log.exit is not None:
        return passes(f"ended with code {log.exit.code}")
    if log.of(Opened):
        return passes("connected again")
    return fails(f"neither ended nor connected again in {ENDING_SECONDS:.0f} s")


def _ending(name: str, expected: str, *messages: ServerMessage) -> BotScene:
    return BotScene(
        name=name,
        group=GROUP_OF_ENDS,
        expected=f"ends with code 0 after {expected} and OFF",
        section="MS OFF",
        play=partial(conclude, ending=messages),
        judge=ended,
    )


_OFF: Final = BotScene(
    name="off",
    group=GROUP_OF_ENDS,
    expected=f"ends within {ENDING_SECONDS:.0f} s of OFF in a game",
    section="MS OFF",
    play=switch_off,
    judge=switched_off,
    fault=25,
)


def _broken(name: str, what: str, frame: Frame | None) -> BotScene:
    return evolve(
        _OFF,
        name=name,
        expected=f"ends, or connects again, after {what}",
        section="CS EM, FM",
        play=partial(break_off, frame=frame),
        judge=ended_or_returned,
    )


_PARTIAL: Final = DrawDeclared((Power("FRA"), Power("ENG")))
END_SCENES: Final = (
    _ending("solo", "its own SLO", Solo(Power("FRA"))),
    _ending("solo-of-another", "SLO of another power", Solo(Power("TUR"))),
    _ending("draw", "DRW", DrawDeclared(None)),
    evolve(
        _ending("draw-of-some", "DRW of some powers", _PARTIAL),
        setup=WITH_PDA,
        level=10,
        control="level-10",
    ),
    _OFF,
    _broken("error-message", "EM", ErrorMessage(ErrorCode.WRONG_LENGTH)),
    _broken("final-message", "FM", FinalMessage()),
    _broken("closed", "a connection that is closed without a word", None),
)
