"""`daide-server` and `python` as programs that start at once.

A process that has imported everything waits at a socket and forks for each start. The
child has the caller's words, folder, environment and files, runs the same `main`, and
its exit code becomes the caller's. So a page of commands costs what they do, and not
what is imported for them: half a second of processor time each.
"""

import json
import os
import runpy
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NoReturn

import click

LONGEST = 1_000_000
SHIM = """#!{python} -SE
import json, os, signal, socket, sys
if {variable!r} not in os.environ:
    os.environ["PYTHONPATH"] = {top!r}
    os.execv({python!r}, [{python!r}, *{real!r}, *sys.argv[1:]])
link = socket.socket(socket.AF_UNIX)
link.connect({address!r})
words = json.dumps([{name!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(link, [b"%08d" % len(words)], [0, 1, 2])
link.sendall(words)
pid = int(link.recv(100))
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, frame: os.kill(pid, number))
os._exit(int(link.recv(100)))
"""
PROGRAM = "daide-server"
REAL = {PROGRAM: ["-m", "daide_server"], "python": []}
"""Both programs, and the arguments of Python that are the same."""
FORKED = "DAIDE_SERVER_TESTS_FORK"
"""The variable without which a program is a process of its own, as bots must be that
one of our programs starts: who connects to a seat has to descend from it."""
TOP = Path(__file__).parents[2]


@contextmanager
def forked_programs(folder: Path) -> Iterator[Path]:
    """Yield a folder for PATH with both programs, while their process runs."""
    address = str(folder / "socket")
    programs = folder / "bin"
    programs.mkdir()
    for name, real in REAL.items():
        shim = programs / name
        shim.write_text(
            SHIM.format(
                python=sys.executable,
                variable=FORKED,
                top=str(TOP),
                real=real,
                address=address,
                name=name,
            ),
            "utf-8",
        )
        shim.chmod(0o755)
    command = [sys.executable, "-m", "tests.support.forked_program", address]
    with Popen(command, stdout=PIPE, cwd=TOP) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield programs
        finally:
            process.kill()


def main(address: str) -> None:
    """Import what the commands need, and start one for each connection."""
    main_command = import_module("daide_server.cli").main
    context = click.Context(main_command)
    for name in main_command.list_commands(context):
        main_command.get_command(context, name)
    for name in ("server.process", "bots"):
        import_module(f"daide_server.{name}")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)  # noqa: T201 - what the parent waits for
        while True:
            link, _ = listener.accept()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if os.fork() == 0:
                listener.close()
                break
            link.close()
    _attend(link)


def _attend(link: socket.socket) -> None:
    """Start what *link* asks for in a child, and send its number and exit code."""
    size, files, _, _ = socket.recv_fds(link, 8, 3)
    received = b""
    while len(received) < int(size):
        received += link.recv(LONGEST)
    pid = os.fork()
    if pid == 0:
        link.close()
        _become(json.loads(received), files)
    for file in files:
        os.close(file)
    link.sendall(str(pid).encode())
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    with suppress(OSError):
        link.sendall(str(code if code >= 0 else 128 - code).encode())
    os._exit(0)


def _become(
    asked: tuple[str, list[str], str, dict[str, str]], files: list[int]
) -> NoReturn:
    """Be the program that was *asked* for, with *files* as its three streams."""
    name, words, folder, environment = asked
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    del os.environ[FORKED]
    if name == PROGRAM:
        sys.argv = [name, *words]
        import_module("daide_server.cli").main()
    else:
        sys.argv = words
        sys.path.insert(0, folder)
        runpy.run_path(words[0], run_name="__main__")
    sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
