"""What many scenes share: a turn as a control, and the usual judgement."""

from daide_server.examine.bot_scene import JudgeScene
from daide_server.examine.scene_findings import (
    SceneFinding,
    SceneVerdict,
    differs,
    fails,
    passes,
)
from daide_server.examine.scene_log import SceneLog, TurnSeen
from daide_server.examine.scene_play import ScenePlay
from daide_server.reports.turn_report import NOTE_TEXTS


async def turns(play: ScenePlay, number: int) -> None:
    """Play so many turns, the current one first; stop when one is not complete."""
    for _ in range(number):
        if not (await play.orders()).is_complete:
            return
        play.end_turn()


def trouble(log: SceneLog) -> SceneFinding | None:
    """Return what ended the scene before its time: no YES (MAP), or a lost bot."""
    if log.lost is not None and log.lost.fault:
        return fails(f"broke the protocol: {log.lost.fault}")
    if log.exit is not None:
        return fails(log.exit.text)
    if log.lost is not None:
        return fails("closed the connection")
    if not log.is_joined:
        return fails(f"did not accept the map: {log.last_words}")
    return None


def ordered(log: SceneLog) -> SceneFinding:
    """Judge that the bot is still there, and has ordered all that was due."""
    found = trouble(log)
    if found is not None:
        return found
    if not log.turns:
        return fails(f"did not order in time; {log.last_words}")
    last = log.turns[-1]
    if not last.is_complete:
        return fails(f"{_incomplete(last)}; {last.unfinished or log.last_words}")
    return passes(_complete(last))


def ordered_legally(log: SceneLog) -> SceneFinding:
    """Judge that all was ordered, all was understood, and nothing was refused."""
    found = ordered(log)
    if found.verdict is SceneVerdict.PASSES and log.unreadable:
        text = log.unreadable[0].text
        return fails(f"sent what is no message at the level of the game: {text}")
    refusals = log.first_refusals
    if found.verdict is SceneVerdict.PASSES and refusals:
        notes = {each.note for each in refusals}
        whys = sorted(f"{note.value} ({NOTE_TEXTS[note]})" for note in notes)
        return differs(f"{found.did}; {len(refusals)} refused: {', '.join(whys)}")
    return found


def survived(log: SceneLog) -> SceneFinding:
    """Judge only that the bot is still there."""
    return trouble(log) or passes("goes on")


def _incomplete(seen: TurnSeen) -> str:
    return (
        f"{seen.missing} of {seen.due} orders missing after {seen.limit:g} s "
        f"in {seen.turn}"
    )


def _complete(seen: TurnSeen) -> str:
    return f"{seen.due} orders after {seen.seconds:.2f} s"


def should(judge: JudgeScene) -> JudgeScene:
    """Return *judge* for what a bot should do, and need not: a failure differs."""

    def judged(log: SceneLog) -> SceneFinding:
        found = judge(log)
        return differs(found.did) if found.verdict is SceneVerdict.FAILS else found

    return judged
