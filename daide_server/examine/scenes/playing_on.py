"""What many scenes share: a turn as a control, and the usual judgement."""

from collections.abc import Iterable, Mapping

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import COMMON
from daide_server.board.notation_reader import Reader
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant
from daide_server.examine.bot_scene import (
    JudgeScene,
    SceneFinding,
    SceneVerdict,
    differs,
    fails,
    passes,
)
from daide_server.examine.conversation import BotConversation
from daide_server.examine.scene_log import SceneLog, TurnSeen
from daide_server.reports.turn_report import NOTE_TEXTS


async def turns(play: BotConversation, number: int) -> None:
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


# Positions of scenes, written as `FRA A PAR` and `FRA PAR BRE`


def position(
    variant: Variant,
    turn: tuple[str, int],
    units: Iterable[str],
    owned: Mapping[str, str] = {},
) -> Position:
    """Return a position with *units*; those in *owned* have the centres, others none.

    Centres that nobody is given stay with their first owner.
    """
    board, season = variant.map, Season(turn[0])
    owners = dict(variant.start.owners)
    for power, centres in owned.items():
        owners |= {Province(each): Power(power) for each in centres.split()}
    placed = [_unit(variant, each) for each in units]
    return Position(
        Turn(season, turn[1]),
        tuple(sorted(placed, key=board.sort_key)),
        {at: owners[at] for at in board.provinces if at in owners},
    )


def dislodged(
    variant: Variant, before: Position, retreats: Mapping[str, str]
) -> Position:
    """Return *before* with dislodged units, and where each may go."""
    found = {
        _unit(variant, unit): tuple(_location(variant, at) for at in places.split())
        for unit, places in retreats.items()
    }
    in_order = sorted(found, key=variant.map.sort_key)
    return Position(
        before.turn,
        before.units,
        before.owners,
        {each: found[each] for each in in_order},
    )


def _reader(variant: Variant) -> Reader:
    return Reader(COMMON, variant.map, {}, Phase.MOVEMENT)


def _unit(variant: Variant, text: str) -> Unit:
    power, _, unit = text.partition(" ")
    return _reader(variant).unit(unit, Power(power))


def _location(variant: Variant, text: str) -> Location:
    return _reader(variant).location(text)
