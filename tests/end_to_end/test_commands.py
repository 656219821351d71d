"""The commands as a user installs and runs them, and as docs/operating.md has them."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.end_to_end.playing import ServerProcess
from tests.support.commands import printed
from tests.support.peers import IM
from tests.support.snippets import TOP, snippets
from tests.support.waiting import comes_true

pytestmark = pytest.mark.end_to_end

PATIENCE = 60


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_server_in_good_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Exit 0, nothing on standard output but the address, no journal without games."""
    with ServerProcess(tmp_path) as server:
        assert server.lines[0].startswith("listening on 127.0.0.1:")
        assert list((tmp_path / "journal").iterdir())
        server.process.send_signal(number)
        rest, _ = server.process.communicate(timeout=PATIENCE)
    assert (server.process.returncode, rest) == (0, "")
    assert "server.stopped" in server.log
    assert not list((tmp_path / "journal").iterdir())


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    """Exit 130, however long the clients take to go."""
    patient = tmp_path / "server.toml"
    patient.write_text("[limits]\nclose_seconds = 50.0\n")
    words = ("--config", str(patient), "--durability", "none")
    with ServerProcess(tmp_path, *words) as server:
        host, _, port = server.address.rpartition(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(IM)
            assert client.recv(1)
            server.process.send_signal(signal.SIGTERM)
            assert comes_true(lambda: "signal.received" in server.log)
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(timeout=PATIENCE) == 130


@pytest.mark.parametrize("how", ["--tasks", "--processes"])
def test_a_game_is_played_to_its_end(tmp_path: Path, how: str) -> None:
    """With the result, the players and the path of the record."""
    words = ("play", how, "--year-limit", "1902", "--records", tmp_path, "--seed", "3")
    shown = printed(*words, "--bots", "rand,rand,rand,rand,rand,hold,dumb")
    assert "year limit after " in shown
    (record,) = tmp_path.glob("*.json")
    assert f"record: {record}" in shown
    assert printed("replay", record) == ""


RUN = [one.code for one in snippets(TOP / "docs" / "operating.md") if one.is_run]


def test_the_commands_work(tmp_path: Path) -> None:
    """In the order of the page, beside a server, with its port and its process."""
    shutil.copy(TOP / "config" / "server.toml", tmp_path)
    program = tmp_path / "bin" / "daide-server"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m daide_server "$@"\n')
    program.chmod(0o755)
    with ServerProcess(tmp_path, "--log-file", str(tmp_path / "server.log")) as server:
        environment = {
            **os.environ,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "DAIDE_PORT": server.address.rpartition(":")[2],
            # At a free port it has the name of its run.
            "DAIDE_JOURNAL": str(next((tmp_path / "journal").iterdir())),
            "PID": str(server.process.pid),
        }
        for code in RUN:
            done = subprocess.run(
                ["/bin/sh", "-eu", "-c", code],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            assert done.returncode == 0, f"{code}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "backup" / "records").is_dir()
    assert [each.is_dir() for each in (tmp_path / "backup").glob("127.0.0.1_*")]
    assert (tmp_path / "server.log.1").is_file()


# What a user installs carries all that the program needs


TOP = Path(__file__).parents[2]


def python(*words: str, folder: Path, path: Path | None = None) -> str:
    """Run Python in *folder*, with *path* before what is installed."""
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    python(*build, str(TOP), folder=folder)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_plays_a_game_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    """Maps and defaults are inside; nothing of the checkout is needed."""
    installed, elsewhere = (tmp_path / name for name in ("i", "e"))
    elsewhere.mkdir()
    install = ["-m", "pip", "install", "--no-deps", "--quiet"]
    python(*install, "--target", str(installed), str(wheel), folder=tmp_path)

    found = python(
        "-c",
        "import daide_server; print(daide_server.__file__)",
        folder=elsewhere,
        path=installed,
    )
    assert found.startswith(str(installed))
    play = ["-m", "daide_server", "play", "--year-limit", "1901", "--seed", "1"]
    said = python(*play, folder=elsewhere, path=installed)
    assert "record: records/" in said
    assert list(elsewhere.glob("records/*.json"))


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    """Without it nobody may use the program."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name.rpartition("/")[2]: name for name in archive.namelist()}
        metadata = archive.read(files["METADATA"]).decode()

    assert "License-Expression: MIT" in metadata
    assert {"LICENSE", "NOTICE"} <= files.keys()
