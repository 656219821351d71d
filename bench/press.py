"""What does press cost a server? Ours with and without it, and the limit, in one run.

    python bench/press.py [--games 5] [--press 10] [--rounds 5]

The limit is that of `server.py`, which besides answers SND with YES and sends FRM, made
of the bytes that came. Seven clients a game that hold, at level 20. Prints CPU per game
and turn, medians of rounds in turns, and their ratios.
"""

import argparse
import struct
import sys
import tempfile
from contextlib import ExitStack
from statistics import median

from bench.server import TOOLS, load, process

PORT = 17640
UNTIL = 1908
SND = b"\x48\x17"
YES = b"\x48\x1c"
FRM = b"\x48\x02"
BRA = b"\x40\x00"
KET = b"\x40\x01"


def framed(*pieces: bytes) -> bytes:
    """Return the frame of a message."""
    body = b"".join(pieces)
    return struct.pack(">BBH", 2, 0, len(body)) + body


def run_limit(games: int) -> None:
    """Serve as `blastserver.py` does, and press as well."""
    sys.path.insert(0, str(TOOLS))
    import blastserver  # type: ignore[import-not-found] # noqa: PLC0415 (a tool)

    class Peer(blastserver.Peer):  # type: ignore[misc] # not typed
        def on(self, command: bytes, frame: bytes) -> None:
            if command != SND:
                super().on(command, frame)
                return
            # SND, the recipient in brackets, the press in brackets.
            self.write(framed(YES, BRA, frame[4:], KET))
            recipient, press = frame[8:10], frame[12:]
            sender = b"\x41" + bytes([blastserver.POWERS.index(self.power)])
            listed = (BRA, sender, KET, BRA, recipient, KET)
            self.game.out[recipient[1]](framed(FRM, *listed, press))

    blastserver.Peer = Peer
    blastserver.run_trio(
        argparse.Namespace(games=games, port=PORT, port_per_game=False)
    )


def compare(games: int, press: int, rounds: int) -> None:
    """Print the medians of both servers, with press and without."""
    limit = [sys.executable, "-m", "bench.press", "--limit", "--games", str(games)]
    with tempfile.TemporaryDirectory() as records, ExitStack() as stack:
        ours = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        ours += ["--records", records, "--durability", "none", "--level", "20"]
        own, line = stack.enter_context(process(*ours))
        other, _ = stack.enter_context(process(*limit))
        found: list[list[float]] = []
        for _ in range(rounds):
            servers = ((int(line.rpartition(":")[2]), own), (PORT, other))
            found.append(
                [
                    load(port, pid, games, UNTIL, "--press", str(sent))["cpu"]
                    for port, pid in servers
                    for sent in (0, press)
                ]
            )
    print(f"{games} games to {UNTIL}, {rounds} rounds, CPU ms per game and turn")
    print(f"{'':10}{'no press':>10}{f'{press} each':>10}{'ratio':>8}")
    for name, at in (("ours", 0), ("limit", 2)):
        plain, spoken = (median(row[at + place] for row in found) for place in (0, 1))
        ratio = median(row[at + 1] / row[at] for row in found)
        print(f"{name:10}{plain:10.2f}{spoken:10.2f}{ratio:8.2f}")
    with_press = median(row[1] / row[3] for row in found)
    without = median(row[0] / row[2] for row in found)
    print(f"{'ratio':10}{without:10.2f}{with_press:10.2f}")


def main() -> None:
    """Compare, or be the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--press", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", action="store_true")
    chosen = parser.parse_args()
    if not (TOOLS / "loadclient.py").exists():
        print("skipped: the load generator is not beside the checkout", file=sys.stderr)
    elif chosen.limit:
        run_limit(chosen.games)
    else:
        compare(chosen.games, chosen.press, chosen.rounds)


if __name__ == "__main__":
    main()
