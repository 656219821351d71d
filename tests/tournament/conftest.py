"""Games of chance, as their entries; and kills by the kernel."""

from pathlib import Path

import pytest

from daide_server.tournament.run import prctl
from tests.support.random_games import play as chance

__all__ = ["chance"]


@pytest.fixture
def oom_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a statement by which a bot counts one more out-of-memory kill."""
    path = tmp_path / "vmstat"
    path.write_text("oom_kill 0", "ascii")
    monkeypatch.setattr(prctl, "VMSTAT", path)
    return f"open({str(path)!r}, 'w').write('oom_kill 1')"
