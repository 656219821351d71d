"""What seven clients of a real server do together."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daide_server.board.map import Position
from tests.support.peers import Peer, holds


async def all_hold(seats: Mapping[str, Peer], start: Position) -> dict[str, list[str]]:
    """Let the units of *start* hold; return the messages to each, up to NOW."""
    for power, peer in seats.items():
        await peer.say(holds(start, power))
    return {power: await peer.hear_until("NOW") for power, peer in seats.items()}


async def passcode(peer: Peer) -> int:
    """Ask for HLO, and return the passcode in it."""
    await peer.say("HLO")
    return int((await peer.hear_until("HLO"))[-1].split()[5])


def recorded(folder: Path) -> list[dict[str, Any]]:
    """Return the records in *folder*."""
    return [json.loads(path.read_text()) for path in folder.glob("*.json")]
