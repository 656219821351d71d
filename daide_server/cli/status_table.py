"""The table of a tournament, and how far it is, as the commands print them."""

from daide_server.running.store import Snapshot

from .printing import print_line
from .styled_output import print_styled
from .tournament_tables import standings_table


def print_table(found: Snapshot) -> None:
    """Print a table, and how far the tournament is."""
    status = found.status
    print_styled(standings_table(found.rows, status.kind))
    of = "" if status.is_ladder else f" of {status.games}"
    parts = [f"{status.played}{of} games played"]
    parts += [f"{status.running} running"] if status.running else []
    parts += [f"{status.unplayed} not played"] if status.unplayed else []
    parts += [f"stopped: {status.stopped}"] if status.stopped else []
    print_line("; ".join(parts))
