"""How long do players wait where each game has a turn a second? Ours, and the limit.

    python bench/paced.py [--games 500] [--turns 10]

Seven clients a game that hold; each answers NOW with SUB a second after it. Prints the
time from the last SUB of a turn to the last NOW, and CPU, ours and the limit's in turn.
The load generator needs a processor of its own, and about as much as the server.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from typing import Any

from bench.server import TOOLS, process

PORT = 17650
FIRST_YEAR = 1901
TURNS_A_YEAR = 2
PATIENCE = 120


def generate(words: list[str]) -> None:
    """Be the load generator, with clients that wait a second."""
    sys.path.insert(0, str(TOOLS))
    import loadclient  # type: ignore[import-not-found] # noqa: PLC0415 (a tool)

    class Client(loadclient.Client):  # type: ignore[misc] # not typed
        def play(self, position: Any) -> None:  # noqa: ANN401 (as there)
            # Games begin at once; turns of many must not come in one moment.
            game = self.game
            if not hasattr(game, "pause"):
                game.pause = random.Random(game.idx).uniform(0.5, 1.5)
            first = self.turn is None or self.turn[1] == FIRST_YEAR
            pause = game.pause if first else 1.0
            asyncio.get_running_loop().call_later(pause, super().play, position)

    loadclient.Client = Client
    sys.exit(loadclient.main(words))


def measured(port: int, pid: int, games: int, turns: int) -> str:
    """Return what one server needs, and how long its players wait, as a line."""
    until = FIRST_YEAR + turns // TURNS_A_YEAR - 1
    words = ["--port", port, "--games", games, "--until", until, "--server-pid", pid]
    command = [sys.executable, "-m", "bench.paced", "--generate", *map(str, words)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    found: dict[str, Any] = json.loads(result.stdout)
    waits = found["sub_now_all_ms"]
    cpu = 1000 * found["server_cpu_play_s"] / found["phases"]
    busy = 100 * found["client_cpu_s"] / found["wall_s"]
    return (
        f"p50 {waits['p50']:8.2f}  p99 {waits['p99']:8.2f} ms  CPU {cpu:.2f} ms a turn"
        f"  {found['phases_per_s']:.0f} turns a second, clients {busy:.0f} % busy"
    )


def main() -> None:
    """Measure our server and the limit, or be the load generator."""
    if sys.argv[1:2] == ["--generate"]:
        generate(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--turns", type=int, default=10)
    chosen = parser.parse_args()
    if not (TOOLS / "loadclient.py").exists():
        print("skipped: the load generator is not beside the checkout", file=sys.stderr)
        return
    limit = [sys.executable, "blastserver.py", "--engine", "trio", "--port", str(PORT)]
    with tempfile.TemporaryDirectory() as records, ExitStack() as stack:
        ours = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        ours += ["--records", records, "--durability", "none"]
        own, line = stack.enter_context(process(*ours))
        port = int(line.rpartition(":")[2])
        print("ours ", measured(port, own, chosen.games, chosen.turns), flush=True)
        other, _ = stack.enter_context(process(*limit, folder=TOOLS))
        print("limit", measured(PORT, other, chosen.games, chosen.turns))


if __name__ == "__main__":
    main()
