"""What goes wrong in games: lost connections, absent powers, saves, administration."""

from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.examine.bot_scene import (
    BotScene,
    SceneFinding,
    SceneVerdict,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import Heard, LogEntry, SceneLog
from daide_server.examine.scripted_game import SCENE_PASSCODE
from daide_server.language.messages import (
    Accepted,
    Admin,
    AnswerSave,
    BackInControl,
    ClientMessage,
    InDisorder,
    LoadGame,
    Name,
    RefuseLoad,
    Rejoin,
    SaveGame,
    SendPress,
    ServerMessage,
)
from daide_server.wire.frames import encode_tokens

from .playing_on import ordered
from .press_scenes import at_press_level

GROUP_OF_FAULTS: Final = "faults"
RETURN_SECONDS: Final = 8.0
ANSWER_SECONDS: Final = 2.0
ENGLAND: Final = Power("ENG")
BEFORE: Final = 3
"""Turns before, and after, the absence of a power."""


async def disorder(play: BotConversation) -> None:
    """Let England be absent for a turn, and come back."""
    play.fresh()
    play.say(InDisorder(ENGLAND))
    await play.orders()
    play.fresh()
    play.say(BackInControl(ENGLAND))
    await play.orders()
    play.fresh()
    await play.orders()


async def disorder_with_press(play: BotConversation) -> None:
    """Look whom the bot sends press to, before and after England's absence."""
    for name in ("before", "after"):
        asked: set[str] = set()
        known = len(play.log.said(SendPress))
        for _ in range(BEFORE):
            play.fresh()
            if not (await play.orders()).is_complete:
                return
        for each in play.log.said(SendPress)[known:]:
            asked.update(each.recipients)
        play.log.words[name] = " ".join(sorted(asked))
        if name == "before":
            play.fresh()
            play.say(InDisorder(ENGLAND))
            await play.orders()
            play.say(BackInControl(ENGLAND))


def speaks_again(log: SceneLog) -> SceneFinding:
    """Judge that a power that is back gets press as before."""
    before, after = log.words.get("before", ""), log.words.get("after", "")
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES or ENGLAND not in before:
        return found
    if ENGLAND not in after and after:
        return fails("sends no press to a power that is back after CCD")
    return passes(f"press to {after or 'nobody'} after NOT (CCD)")


async def lost_after_orders(play: BotConversation) -> None:
    """Close the connection when the bot has ordered."""
    play.fresh()
    await play.orders()
    await play.cut()
    await returned(play)


async def lost_in_frame(play: BotConversation) -> None:
    """Close the connection in the middle of a message."""
    play.fresh()
    await play.orders()
    connection = play.connection
    assert connection is not None
    frame = encode_tokens(play.name_tokens(Name("x" * 40, "1")))
    connection.send(frame[: len(frame) // 2])
    await play.sleep(ANSWER_SECONDS / 20)
    await play.cut()
    await returned(play)


async def lost_at_turn(play: BotConversation) -> None:
    """Close the connection right after NOW."""
    play.fresh()
    await play.cut()
    await returned(play)


async def returned(play: BotConversation) -> None:
    """Wait for the bot to come back, and for its orders."""

    def is_back() -> bool:
        return any(
            isinstance(each.message, Rejoin | Name) and each.connection > 1
            for each in play.log.of(Heard)
        )

    if await play.until(is_back, RETURN_SECONDS):
        play.may_close = False
        await play.orders()


def came_back(log: SceneLog) -> SceneFinding:
    """Judge that the bot returned by IAM, with its own power and passcode."""
    claims = log.said(Rejoin)
    if any(each.passcode != SCENE_PASSCODE for each in claims):
        return fails(f"IAM with passcode {claims[0].passcode}, not {SCENE_PASSCODE}")
    if claims:
        found = ordered(evolve(log, entries=_since(log, claims[0])))
        did = f"IAM; then {found.did}"
        return evolve(found, did=did)
    if any(
        each.connection > 1 and isinstance(each.message, Name) for each in _heard(log)
    ):
        return fails("came back by NME, as a new player")
    if log.exit is not None and log.exit.code < 0:
        return fails(log.exit.text)
    return differs("did not come back")


def _heard(log: SceneLog) -> list[Heard]:
    return log.of(Heard)


def _since(log: SceneLog, claim: Rejoin) -> list[LogEntry]:
    place = next(
        number
        for number, each in enumerate(log.entries)
        if isinstance(each, Heard) and each.message == claim
    )
    return list(log.entries[place:])


async def save(play: BotConversation) -> None:
    """Ask the bot to save the game."""
    play.fresh()
    play.say(SaveGame("examined"))
    await play.orders()
    await play.until(lambda: bool(play.log.said(AnswerSave)), ANSWER_SECONDS)


def answered_save(log: SceneLog) -> SceneFinding:
    """Judge that SVE was answered."""
    found = ordered(log)
    if found.verdict is not SceneVerdict.PASSES:
        return found
    if not log.said(AnswerSave):
        return differs("did not answer SVE")
    return passes("YES (SVE)" if log.said(AnswerSave)[0].saved else "REJ (SVE)")


async def load(play: BotConversation) -> None:
    """Ask the bot to load a game."""

    def accept(message: ClientMessage) -> list[ServerMessage] | None:
        if isinstance(message, Rejoin):
            return [Accepted(play.name_tokens(message))]
        return None

    play.override = accept
    play.fresh()
    await play.orders()
    play.say(LoadGame("examined"))
    await play.until(
        lambda: bool(play.log.said(Rejoin)) or bool(play.log.said(RefuseLoad)),
        ANSWER_SECONDS,
    )


def answered_load(log: SceneLog) -> SceneFinding:
    """Judge that LOD was answered by IAM or REJ."""
    if log.said(Rejoin):
        return passes("IAM")
    if log.said(RefuseLoad):
        return passes("REJ (LOD)")
    if log.exit is not None and log.exit.code != 0:
        return fails(log.exit.text)
    return differs("did not answer LOD")


async def administration(play: BotConversation) -> None:
    """Send ADM, also with an empty text."""
    play.fresh()
    play.say(Admin("Server", "a new bot has come"), Admin("", ""))
    await play.orders()


_FAULT: Final = BotScene(
    name="disorder",
    group=GROUP_OF_FAULTS,
    expected="goes on after CCD and NOT (CCD) of another power",
    section="MS CCD",
    play=disorder,
    judge=ordered,
    fault=23,
    is_shared=True,
)
_RETURN: Final = evolve(
    _FAULT,
    name="returns",
    expected="returns by IAM when the connection is lost",
    section="MS IAM",
    play=lost_after_orders,
    judge=came_back,
    fault=24,
    is_shared=False,
)

FAULT_SCENES: Final = (
    _FAULT,
    evolve(
        _FAULT,
        name="disorder-and-press",
        expected="sends press to a power that is back after CCD",
        play=disorder_with_press,
        judge=speaks_again,
        setup=at_press_level(20),
        level=20,
        control="press-level-20",
    ),
    _RETURN,
    evolve(
        _RETURN,
        name="returns-in-frame",
        expected="returns by IAM when the connection is lost within a message",
        play=lost_in_frame,
        control="returns",
        needs_pass=True,
    ),
    evolve(
        _RETURN,
        name="returns-at-turn",
        expected="returns by IAM when the connection is lost after NOW",
        play=lost_at_turn,
        control="returns",
        needs_pass=True,
    ),
    evolve(
        _FAULT,
        name="save",
        expected="answers SVE by YES or REJ",
        section="MS SVE",
        play=save,
        judge=answered_save,
        fault=None,
    ),
    evolve(
        _FAULT,
        name="load",
        expected="answers LOD by IAM or REJ",
        section="MS LOD",
        play=load,
        judge=answered_load,
        fault=None,
        is_shared=False,
    ),
    evolve(
        _FAULT,
        name="administration",
        expected="goes on after ADM",
        section="MS ADM",
        play=administration,
        fault=None,
    ),
)
