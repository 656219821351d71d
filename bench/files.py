"""What bulk work on files of games costs: `replay`, `check`, `score`, `export` to CSV.

The games are made once, in a temporary folder or in `--folder`: each follows a recorded
game for a while and is played on by random moves with supports; a quarter has press.
For each whole command: seconds on the clock and of the processors, the largest process,
and how much a game costs. Then single records: reading against judging, for each kind
of file.
"""

import argparse
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

from attrs import frozen
from msgspec.structs import replace

sys.path.append(str(Path(__file__).parents[1]))

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Hold, Move, Order, SupportHold, SupportMove
from daide_server.bots.built_in import rand_orders as orders
from daide_server.bots.view import View
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.library.game_files import games_in, read_game
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import (
    Ending,
    ForeignData,
    GameRecord,
    Message,
    PlayedTurn,
    Sitting,
)
from daide_server.records.replay import replay
from daide_server.records.turn_results import rules_of

RECORDED = Path(__file__).parents[1] / "tests" / "data" / "games"
DIFFERENT = 100
"""So many games are different; the others are the same under other names."""
ROUNDS = 5
SINGLE = 20
"""Records that are read and judged one by one."""
FEWEST = 100
"""Phases of a recorded game that others begin with."""
SUPPORTING = 0.4
"""The share of units that support if they can."""
SECONDS_OF_A_TURN = 30.0


def recorded() -> Iterator[GameRecord]:
    """Yield the recorded games that are long."""
    for path in sorted(RECORDED.glob("*.json.xz")):
        content = lzma.decompress(path.read_bytes())
        record = FORMATS["dipcc"].read(content, load_variant)
        if len(record.turns) >= FEWEST:
            yield record


def followed(begun: GameRecord, phases: int, chance: Random) -> GameRecord | None:
    """Return a game of so many *phases* that follows *begun*; `None` if it ends."""
    variant, position = begun.variant, begun.turns[0].position
    rules = rules_of(begun)
    assert rules is not None
    known = {each.position.turn: each for each in begun.turns}
    left = chance.randrange(len(begun.turns) * 3 // 4)
    turns: list[PlayedTurn] = []
    for number in range(phases):
        # Other programs skip turns in which nothing can be ordered.
        turn = known.get(position.turn)
        if number < left and turn is not None and turn.position.units == position.units:
            given = turn.orders
        else:
            given = tuple(_played_on(begun, position, chance))
        found = adjudicate(variant, position, given, rules)
        since = number * SECONDS_OF_A_TURN
        turns.append(PlayedTurn(position, given, found.reports, since))
        position = found.next
        if found.winner is not None:
            return None
    return replace(
        begun,
        turns=tuple(turns),
        last=position,
        last_since=phases * SECONDS_OF_A_TURN,
        ended=phases * SECONDS_OF_A_TURN,
        ending=Ending.DRAW,
        winners=tuple({unit.power: None for unit in position.units}),
        sittings=tuple(Sitting(p, f"{p}-bot", "1.0", 0.0) for p in variant.map.powers),
        metadata={},
        foreign=False,
        kept=ForeignData(),
    )


def _played_on(begun: GameRecord, at: Position, chance: Random) -> Iterator[Order]:
    """Yield orders of all powers: moves at random, and supports that fit them."""
    board_map = begun.variant.map
    if at.turn.phase is not Phase.MOVEMENT:
        for power in board_map.powers:
            yield from orders(View(board_map, power, at), chance)
        return
    choices = possible_orders(board_map, at)
    moves = {
        unit: chance.choice([each for each in own if isinstance(each, Move | Hold)])
        for unit, own in choices.items()
    }
    for unit, own in choices.items():
        fitting = [each for each in own if _fits(each, moves)]
        helps = fitting and chance.random() < SUPPORTING
        yield chance.choice(fitting) if helps else moves[unit]


def _fits(order: Order, moves: Mapping[Unit, Order]) -> bool:
    match order:
        case SupportMove(_, other, destination):
            return moves[other] == Move(other, destination)
        case SupportHold(_, other):
            return moves[other] == Hold(other)
        case _:
            return False


def with_press(record: GameRecord, chance: Random) -> GameRecord:
    """Return *record* with a proposal and its answer in each turn."""
    sent: list[Message] = []
    for turn in record.turns:
        powers = sorted({unit.power for unit in turn.position.units})
        if len(powers) > 1:
            one, other = chance.sample(powers, 2)
            peace = f"PRP ( PCE ( {one} {other} ) )"
            answer = chance.choice(("YES", "REJ"))
            for sender, to, text in (
                (one, other, peace),
                (other, one, f"{answer} ( {peace} )"),
            ):
                sent.append(_message(turn, sender, to, text, len(sent)))
    return replace(record, messages=tuple(sent), level=20)


def _message(
    turn: PlayedTurn, sender: Power, to: Power, text: str, number: int
) -> Message:
    assert turn.since is not None
    seconds = turn.since + 1 + number % 2
    return Message(turn.position.turn, sender, (to,), text, seconds)


def made(number: int, phases: int) -> str:
    """Return a game with the seed *number* as a file."""
    begun = tuple(recorded())
    for attempt in range(100):
        chance = Random(f"{number}-{attempt}")
        found = followed(begun[number % len(begun)], phases, chance)
        if found is not None:
            break
    else:
        raise SystemExit("a hundred games ended early")
    if number % 4 == 0:
        found = with_press(found, chance)
    return FORMATS["dipcc"].write(replace(found, id="GAME-NAME"))


def make_files(folder: Path, count: int, phases: int) -> list[Path]:
    """Return *count* files in *folder*, which are made where they are missing."""
    paths = [folder / f"{number:05}.json" for number in range(count)]
    if all(path.exists() for path in paths):
        return paths
    different = min(count, DIFFERENT)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(made, range(different), [phases] * different))
    for number, path in enumerate(paths):
        text = texts[number % different]
        path.write_text(text.replace("GAME-NAME", f"game{number:05}"), "utf-8")
    return paths


@frozen
class Cost:
    """What a command took."""

    wall: float
    processors: float
    megabytes: float


def cost(words: Sequence[str]) -> Cost:
    """Return what the command *words* costs, its workers too."""
    command = [sys.executable, "-m", "daide_server", *words]
    began = time.perf_counter()
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode != 0:
        raise SystemExit(f"{words[0]} failed: {started.returncode}")
    wall = time.perf_counter() - began
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def commands(files: Sequence[Path], tables: Path) -> None:
    """Print what each command costs for all *files*."""
    export = ["export", "--to", "csv", "--output", str(tables)]
    found: dict[str, Cost] = {}
    print(f"{len(files)} files, {files[0].stat().st_size >> 10} KiB the first")
    print("command  wall s   CPU s   MB largest   wall ms a game   CPU ms a game")
    for words in (["replay"], ["check"], ["score"], export):
        each = found[words[0]] = cost([*words, *map(str, files)])
        of_game = each.wall * 1e3 / len(files), each.processors * 1e3 / len(files)
        print(
            f"{words[0]:7} {each.wall:7.2f} {each.processors:7.2f} "
            f"{each.megabytes:12.0f} {of_game[0]:16.2f} {of_game[1]:15.2f}"
        )
    replayed = found["replay"]
    for name in ("check", "score", "export"):
        share = found[name].processors / replayed.processors
        print(f"{name} / replay: {share:.2f} of the processor time")


def _least(work: Callable[[], object]) -> float:
    """Return the seconds of *work*, the least of some rounds."""
    found: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def _judged(record: GameRecord) -> int:
    return sum(1 for _ in replay(record))


def single_records(kind: str, files: Sequence[Path]) -> None:
    """Print what reading and judging records costs, the least of some rounds."""
    found = [next(games_in(path)) for path in files]
    records = [read_game(each) for each in found]
    reading = judging = 0.0
    for game, record in zip(found, records, strict=True):
        reading += _least(partial(read_game, game))
        judging += _least(partial(_judged, record))
    phases = sum(len(record.turns) for record in records)
    to_ms = 1e3 / len(files)
    print(
        f"{kind}, {phases / len(files):.0f} phases: read {reading * to_ms:.1f} ms, "
        f"judged again {judging * to_ms:.1f}, "
        f"reading / judging {reading / judging:.2f}; 60 phases read and judged "
        f"{(reading + judging) * 60e3 / phases:.1f} ms"
    )


def foreign_files(folder: Path) -> list[Path]:
    """Return the recorded games of another program as files in *folder*."""
    paths = []
    for path in sorted(RECORDED.glob("selfplay*.json.xz")):
        paths.append(folder / path.with_suffix("").name)
        paths[-1].write_bytes(lzma.decompress(path.read_bytes()))
    return paths


def measure(folder: Path, count: int, phases: int) -> None:
    """Print all figures."""
    files = make_files(folder, count, phases)
    with tempfile.TemporaryDirectory() as tables:
        commands(files, Path(tables))
        single_records("of this server", files[:SINGLE])
        single_records("of dipcc", foreign_files(Path(tables)))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--phases", type=int, default=148)
    parser.add_argument("--folder", type=Path, help="where games are kept")
    chosen = parser.parse_args()
    if chosen.folder is not None:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        measure(chosen.folder, chosen.games, chosen.phases)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), chosen.games, chosen.phases)


if __name__ == "__main__":
    main()
