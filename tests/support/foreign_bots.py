"""Bots of other people, as tournaments meet them: small programs that misbehave.

They use the standard library only. `JOIN` defines `join(port)`, which takes a seat by
IM, NME and YES (MAP), and returns the socket; `receive` returns the tokens of the next
message, `until` waits for one that begins with a token.
"""

import sys
from contextlib import suppress
from pathlib import Path

import psutil

from daide_server.tournament.game_outcomes import Attempt
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.game_task import GameTask, SeatTask, TroubleLimits

from .tournaments import POWERS

JOIN = """
import os, signal, socket, struct, sys, time

NME, YES, MAP, HLO, IAM, NOW = 0x480C, 0x481C, 0x4809, 0x4804, 0x4807, 0x480E
BRA, KET = 0x4000, 0x4001

def text(word):
    return [0x4B00 | ord(letter) for letter in word]

def message(*tokens):
    return struct.pack(">BxH%dH" % len(tokens), 2, 2 * len(tokens), *tokens)

def exactly(stream, size):
    data = b""
    while len(data) < size:
        more = stream.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data

def receive(stream):
    kind, size = struct.unpack(">BxH", exactly(stream, 4))
    return struct.unpack(">%dH" % (size // 2), exactly(stream, size))

def until(stream, token):
    while True:
        tokens = receive(stream)
        if tokens[:1] == (token,):
            return tokens

def connect(port):
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(bytes.fromhex("000000040001da10"))
    return stream

def join(port, name="test"):
    stream = connect(port)
    stream.sendall(message(NME, BRA, *text(name), KET, BRA, *text("7"), KET))
    until(stream, MAP)
    stream.sendall(message(YES, BRA, MAP, BRA, *text("standard"), KET, KET))
    return stream

port = int(sys.argv[1])
"""

HOLD = BotSettings(name="hold", builtin="hold")


def foreign_bot(folder: Path, body: str, name: str = "mine") -> BotSettings:
    """Return a program that runs *body* after `JOIN`; `port` is its port."""
    path = folder / f"{name}.py"
    path.write_text(JOIN + body, encoding="utf-8")
    command = (sys.executable, "-SE", str(path), "{port}")
    return BotSettings(name=name, command=command, folder=str(folder))


def processes_of(folder: Path) -> list[psutil.Process]:
    """Return the processes that have a path in *folder* in their command."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if str(folder) in " ".join(process.cmdline()):
                found.append(process)
    return found


def game_task(*programs: BotSettings, **given: object) -> GameTask:
    """Return a task for *programs* in the first seats, and bots that hold.

    The game ends in 1902 unless *given* has other settings. Limits are short.
    """
    seats = tuple(
        SeatTask(power, number, program, seed=number)
        for number, (power, program) in enumerate(
            zip(POWERS, (*programs, *[HOLD] * 7), strict=False)
        )
    )
    usual: dict[str, object] = {
        "game": {"game": {"year_limit": 1902}},
        "limits": TroubleLimits(
            start_seconds=20.0, stalled_seconds=20.0, away_seconds=20.0
        ),
    }
    return GameTask("cup", Attempt(17, 1), seats, 5, **{**usual, **given})  # type: ignore[arg-type]
