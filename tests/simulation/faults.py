"""What each fault does to a run, and in which stage of a game it comes."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

import trio

from . import scenario
from .network import Link
from .players import Player

if TYPE_CHECKING:
    from .simulate import Run

NO_GAME = "none"
FORMING = "forming"
STAGES = (FORMING, "playing", "paused", "recovering", "ended", NO_GAME)
"""What a fault finds: a game in a stage, or no game."""
OF_SEATED = (scenario.Gone, scenario.Guess, scenario.Theft)
"""Faults of players who know their seats."""
CELLS = tuple(
    (kind, stage)
    for kind in scenario.KINDS
    for stage in STAGES
    if not (
        stage == NO_GAME
        and issubclass(kind, (scenario.PlayerFault, scenario.Kill, scenario.Stop))
    )
    and not (stage == FORMING and issubclass(kind, OF_SEATED))
)
"""The faults, and the stages in which they can find something."""


def plan(run: Run) -> None:
    """Let all faults of the scenario happen at their times."""
    for fault in run.scenario.faults:
        run.world.agenda.at(fault.at, partial(_happen, run, fault))


def _happen(run: Run, fault: scenario.AnyFault) -> None:
    if not _finds(run, fault):
        return
    games = [] if run.server is None else run.server.games.open_games()
    stage = games[0].game.state.stage.name.lower() if games else NO_GAME
    run.met.add((type(fault), stage))
    if isinstance(fault, scenario.PlayerFault):
        _happen_to(run, run.players[fault.player], fault)
    else:
        _happen_to_all(run, fault)


def _finds(run: Run, fault: scenario.AnyFault) -> bool:
    """Return whether there is something for *fault* to happen to."""
    if not isinstance(fault, scenario.PlayerFault):
        return run.listens or not isinstance(fault, scenario.Kill | scenario.Stop)
    player = run.players[fault.player]
    match fault:
        case scenario.Gone():
            # Not before a game: that would not form.
            return bool(player.turn and (player.link or not player.is_over))
        case scenario.Guess():
            return bool(player.passcode)
        case scenario.Theft():
            may_take = run.scenario.settings.get("takeover_after")
            return bool(player.passcode) and player.is_in and not may_take
        case _:
            return player.link is not None


def _happen_to_all(run: Run, fault: scenario.ToAll) -> None:
    world, after = run.world, run.world.agenda.after
    match fault:
        case scenario.Kill(power=power, pause=pause):
            run.kill(pause, has_power=not power)
        case scenario.Stop(pause=pause):
            run.stop(pause)
        case scenario.FullDisk(seconds=seconds):
            world.disk.is_full = True
            after(seconds, partial(setattr, world.disk, "is_full", False))
        case scenario.FailedSync(seconds=seconds):
            world.disk.fails_sync = True
            after(seconds, partial(setattr, world.disk, "fails_sync", False))
        case scenario.Slow(factor=factor, seconds=seconds):
            world.network.slow_down(factor)
            after(seconds, partial(world.network.slow_down, 1.0))
        case scenario.WallClock(by=by):
            world.wall_offset += by
        case scenario.Look():
            run.page.look()


def _happen_to(run: Run, player: Player, fault: scenario.ToOne) -> None:
    match fault:
        case scenario.Guess():
            _guess(run, player)
        case scenario.Theft():
            thief = _stranger(run, player.power, player.passcode, 3.0)
            run.thieves.append((thief, player, trio.current_time()))
        case scenario.Left():
            player.leave()
        case scenario.Gone():
            player.leave()
            player.is_over = True
        case scenario.Babble():
            player.babble()
        case scenario.Unread(seconds=seconds):
            _stop_reading(run, player, seconds)
        case scenario.Flood(seconds=seconds):
            _stop_reading(run, player, seconds)
            player.flood()
        case scenario.Lost():
            _link(player).lose()
            run.world.agenda.after(5.0, player.leave)
        case scenario.Cut():
            _link(player).cut()


def _link(player: Player) -> Link:
    assert player.link is not None
    return player.link


def _stop_reading(run: Run, player: Player, seconds: float) -> None:
    link = _link(player)
    link.is_reading, link.may_end, link.whole_since = False, True, inf
    run.world.agenda.after(seconds, link.read_again)


def _guess(run: Run, player: Player) -> None:
    """Let a stranger try to get the seat of a player that leaves for a moment."""
    player.leave()
    code = player.passcode % 8191 + 1
    run.strangers.append((_stranger(run, player.power, code, 30.0), code))


def _stranger(run: Run, power: str, passcode: int, seconds: float) -> Player:
    """Return somebody who asks for a seat for some *seconds*."""
    number = len(run.players) + len(run.strangers) + len(run.thieves)
    stranger = Player(run.world, run.board, run.scenario, number)
    stranger.power, stranger.passcode = power, passcode
    stranger.connect()
    run.world.agenda.after(seconds, partial(setattr, stranger, "is_over", True))
    run.world.agenda.after(seconds + 1.0, stranger.leave)
    return stranger
