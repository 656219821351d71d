"""The table of a tournament as it was last computed, kept in the store.

With ten thousand games the table takes seconds. The run keeps a copy of it, and who
looks takes that if nothing was stored since, or hardly anything while a run plays.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from attrs import evolve
from sqlalchemy import func, select

from daide_server.classes import frozen
from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.standings import BotStanding
from daide_server.tournament.status_object import TournamentStatus

from .run_lock import owner_of
from .run_state import RunState
from .store import Store
from .store_tables import OUTCOMES, SNAPSHOTS
from .tournament_rows import DAMAGE

LAG: Final = 0.02
"""The share of outcomes that a table may lack while a run plays."""


@frozen
class Snapshot:
    """The rows of a table, and the status that belongs to them."""

    rows: tuple[BotStanding, ...]
    status: TournamentStatus


def keep_snapshot(
    store: Store, described: TournamentDescription, snapshot: Snapshot
) -> None:
    """Store *snapshot*, made from all outcomes that are stored."""
    key = _key(described, store.planned())
    body = msgspec.json.encode(snapshot).decode()
    with store.engine.begin() as connection:
        last = connection.execute(_last_outcome(store)).scalar_one() or 0
        store.delete(connection, SNAPSHOTS)
        store.insert(connection, SNAPSHOTS, last_outcome=last, key=key, body=body)


def find_snapshot(store: Store, described: TournamentDescription) -> Snapshot | None:
    """Return the table that was kept, if it is that of *described* and new enough.

    One that is damaged is computed anew, as one that is too old.
    """
    with store.engine.connect() as connection:
        last = connection.execute(_last_outcome(store)).scalar_one() or 0
        row = connection.execute(
            select(SNAPSHOTS).where(SNAPSHOTS.c.tournament == store.tournament)
        ).first()
    if row is None or row.key != _key(described, store.planned()):
        return None
    owner = owner_of(store)
    allowed = LAG * last if owner is not None else 0
    try:
        if last - row.last_outcome > allowed:
            return None
        found = msgspec.json.decode(row.body, type=Snapshot)
    except (*DAMAGE, TypeError):
        return None
    running = 0
    if owner is not None:
        running = len(RunState(store.engine, store.tournament).running())
    return _with_running(found, running)


def _with_running(snapshot: Snapshot, running: int) -> Snapshot:
    status = snapshot.status
    left = status.remaining + status.running
    running = min(running, left)
    status = evolve(status, running=running, remaining=left - running)
    return evolve(snapshot, status=status)


def _last_outcome(store: Store):  # type: ignore[no-untyped-def] # noqa: ANN202
    own = OUTCOMES.c.tournament == store.tournament
    return select(func.max(OUTCOMES.c.id)).where(own)


def _key(described: TournamentDescription, planned: Sequence[tuple[int, int]]) -> str:
    content = msgspec.json.encode((described, planned))
    return hashlib.sha256(content).hexdigest()
