"""What does a turn cost the server? Ours against the limit, in one run.

The limit is a server that thinks nothing: it answers the same load generator with
ready-made bytes, on trio. Both are tools beside the checkout; without them there is
nothing to compare with, and this says so.

Run as a script: prints CPU per game and turn, the latency from the last SUB to the
last NOW, and memory, as medians over rounds that alternate between the two. With
`--journal` it compares our server with a journal (`--durability process`, `disk`) and
without.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

TOOLS = Path(__file__).parents[2] / "shared" / "tools"
ROUNDS = 5
TIMEOUT = 120
"""Seconds for one round of the load generator."""

Figures = dict[str, float]


@contextmanager
def process(*command: str, folder: Path | None = None) -> Iterator[tuple[int, str]]:
    """Run a server; give its id and its first line, and end it afterwards."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            yield server.pid, server.stdout.readline().strip()
        finally:
            server.send_signal(signal.SIGTERM)


def load(port: int, pid: int, games: int, until: int, *options: str) -> Figures:
    """Return the figures of one round of the load generator, with its *options*."""
    words = ["--port", port, "--games", games, "--until", until, "--server-pid", pid]
    command = [sys.executable, "loadclient.py", *map(str, words), *options]
    result = subprocess.run(
        command, cwd=TOOLS, capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    found: dict[str, Any] = json.loads(result.stdout)
    assert not any(found["errors"].values()), found["errors"]
    return {
        "cpu": 1000 * found["server_cpu_play_s"] / found["phases"],
        "p50": found["sub_now_all_ms"]["p50"],
        "p99": found["sub_now_all_ms"]["p99"],
        "mib": found["server_rss_mb"]["per_game"],
    }


def compare(games: int, until: int) -> None:
    """Print both servers' medians at so many games, and their ratios."""
    port = 17620
    limit = [sys.executable, "blastserver.py", "--engine", "trio"]
    limit += ["--port", str(port), "--games", str(games)]
    with tempfile.TemporaryDirectory() as records:
        ours = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        ours += ["--records", records, "--durability", "none"]
        with process(*ours) as (own, line), process(*limit, folder=TOOLS) as (other, _):
            own_port = int(line.rpartition(":")[2])
            rounds = [
                (load(own_port, own, games, until), load(port, other, games, until))
                for _ in range(ROUNDS)
            ]
    print(f"\n{games} games to {until}, {ROUNDS} rounds, medians")
    print(f"{'':28}{'ours':>10}{'limit':>10}{'ratio':>10}")
    for name, key in (
        ("CPU ms per game and turn", "cpu"),
        ("SUB to NOW at all, p50 ms", "p50"),
        ("SUB to NOW at all, p99 ms", "p99"),
    ):
        mine = median(first[key] for first, _ in rounds)
        least = median(second[key] for _, second in rounds)
        ratio = median(first[key] / second[key] for first, second in rounds)
        print(f"{name:28}{mine:10.3f}{least:10.3f}{ratio:10.2f}")
    print(f"{'MiB per game, at first':28}{rounds[0][0]['mib']:10.3f}")


def compare_journals(games: int, until: int) -> None:
    """Print our medians at so many games with and without a journal."""
    durabilities = ("none", "process", "disk")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        servers = []
        for durability in durabilities:
            command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
            command += ["--records", folder, "--journal", f"{folder}/journal"]
            command += ["--durability", durability]
            pid, line = stack.enter_context(process(*command))
            servers.append((int(line.rpartition(":")[2]), pid))
        rounds = [
            [load(port, pid, games, until) for port, pid in servers]
            for _ in range(ROUNDS)
        ]
    print(f"\n{games} games to {until}, {ROUNDS} rounds, medians; ratios to none")
    print(f"{'':28}{'none':>10}{'process':>10}{'ratio':>8}{'disk':>10}{'ratio':>8}")
    for name, key in (
        ("CPU ms per game and turn", "cpu"),
        ("SUB to NOW at all, p50 ms", "p50"),
        ("SUB to NOW at all, p99 ms", "p99"),
    ):
        line = f"{name:28}{median(none[key] for none, *_ in rounds):10.3f}"
        for place in (1, 2):
            value = median(each[place][key] for each in rounds)
            ratio = median(each[place][key] / each[0][key] for each in rounds)
            line += f"{value:10.3f}{ratio:8.2f}"
        print(line)


def main() -> None:
    """Compare at one game, at twenty and at fifty."""
    if not (TOOLS / "loadclient.py").exists():
        print("skipped: the load generator is not beside the checkout", file=sys.stderr)
        return
    chosen = compare_journals if "--journal" in sys.argv[1:] else compare
    chosen(1, 1950)
    chosen(20, 1930)
    chosen(50, 1930)


if __name__ == "__main__":
    main()
