"""The page of real processes: addresses, signals, a proxy, imports."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
import trio

from daide_server.board.map import Variant
from tests.end_to_end.playing import ServerProcess, all_hold
from tests.support.needed import need_program
from tests.support.peers import PATIENCE
from tests.support.web_pages import Stream, visitor

ENDS_WITHIN = 5.0
"""Seconds on a loaded machine; a second on one that has nothing else to do."""


class ServingProcess(ServerProcess):
    """A server with a page, in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        super().__init__(folder, "--web", "127.0.0.1:0", *words, lines=2)
        self.web = self.lines[1].strip().removeprefix("web on http://")


@asynccontextmanager
async def serving(folder: Path, *words: str) -> AsyncIterator[ServingProcess]:
    with ServingProcess(folder, *words) as server:
        yield server
        await server.hang_up()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGKILL, -9)]
)
async def test_server_and_page_end_together_beside_spectators_who_do_not_read(
    number: int, code: int, tmp_path: Path
) -> None:
    """And beside those who follow."""
    async with serving(tmp_path) as server, visitor(server.web) as found:
        assert re.fullmatch(r"listening on 127\.0\.0\.1:\d+\n", server.lines[0])
        await Stream.open(found, "/api/events")
        child = child_of(server)
        stuck = await found.connect()
        # Many answers that it does not read, on one connection.
        await stuck.send_all(
            b"GET /api/boards/standard HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
        )
        await trio.sleep(0.5)
        began = time.monotonic()
        server.process.send_signal(number)
        code = await trio.to_thread.run_sync(server.process.wait)
        assert code == (0 if number == signal.SIGTERM else -signal.SIGKILL)
        await trio.to_thread.run_sync(psutil.wait_procs, [child], ENDS_WITHIN)
        assert not child.is_running()
        assert time.monotonic() - began < ENDS_WITHIN
        await stuck.aclose()


async def test_a_page_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    """The game comes from the journal, and a follower gets the whole view again."""
    async with serving(tmp_path) as server:
        await server.players()
        async with visitor(server.web) as found:
            await found.until("/api/games", '"running":[{')
        server.process.kill()
        server.process.wait()
        journal = next((tmp_path / "journal").iterdir())
        recovering = serving(tmp_path, "--recover", str(journal))
        async with recovering as again, visitor(again.web) as found:
            text = await found.until("/api/games", '"running":[{')
            assert "peer3" in text
            stream = await Stream.open(found, "/api/events", "gone-17")
            assert (await stream.next())[0] == "games"
            assert (await found.get("/readyz")).status_code == 503


def child_of(server: ServingProcess) -> psutil.Process:
    (child,) = psutil.Process(server.process.pid).children()
    return child


async def test_a_page_that_is_killed_comes_back_and_the_game_goes_on(
    tmp_path: Path, standard: Variant
) -> None:
    """At the same address, with all turns for those who followed."""
    async with serving(tmp_path) as server:
        peers = await server.players()
        async with visitor(server.web) as found:
            await found.until("/api/games", '"running":[{')
            child_of(server).kill()
            await all_hold(peers, standard.start)
        async with visitor(server.web) as found:
            text = await found.until("/api/games", "F1901M")
            (game,) = json.loads(text)["running"]
            path = f"/api/games/{game['id']}/events"
            stream = await Stream.open(found, path, "0")
            name, data = await stream.next()
            assert name == "reset"
            assert [turn["id"] for turn in json.loads(data)["turns"]] == [
                "S1901M",
                "F1901M",
            ]
        assert "page.failed" in server.log


async def test_watch_shows_the_journals_of_a_server(tmp_path: Path) -> None:
    """Also of one without a page."""
    async with serving(tmp_path) as server:
        await server.players()
        command = [sys.executable, "-m", "daide_server", "watch", "journal", "records"]
        process = subprocess.Popen(  # noqa: ASYNC220 - its output is read in a thread
            [*command, "--web", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        assert process.stdout is not None
        line = await trio.to_thread.run_sync(process.stdout.readline)
        async with visitor(line.strip().removeprefix("web on http://")) as found:
            assert "peer3" in await found.until("/api/games", '"running":[{')
            await Stream.open(found, "/api/events")
            began = time.monotonic()
            for _ in range(2):  # as people do who are in a hurry
                process.send_signal(signal.SIGINT)
                await trio.sleep(0.05)
            assert await trio.to_thread.run_sync(process.wait) == 0
            assert time.monotonic() - began < ENDS_WITHIN
        process.stdout.close()


async def test_a_taken_address_is_one_line(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for command in (["serve", "--port", "0"], ["watch", str(tmp_path)]):
            done = await trio.run_process(
                [sys.executable, "-m", "daide_server", *command, "--web", server.web],
                capture_stderr=True,
                check=False,
                cwd=tmp_path,
            )
            assert done.returncode == 1
            (line,) = done.stderr.decode().splitlines()
            assert line.startswith(f"daide-server: cannot listen on {server.web}: ")


NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
{location}
    }}
}}
"""
DOCUMENTED = re.compile(r"```nginx\n(.*?)```", re.DOTALL)
DOCUMENT = Path(__file__).parents[2] / "docs" / "operating.md"


@pytest.fixture
def nginx() -> str:
    return need_program("nginx")


async def test_the_page_works_below_a_prefix_of_nginx(
    nginx: str, tmp_path: Path
) -> None:
    """With the lines that docs/operating.md shows."""
    async with serving(tmp_path) as server:
        (location,) = DOCUMENTED.findall(DOCUMENT.read_text())
        location = location.replace("127.0.0.1:8080", server.web)
        port = free_port()
        text = NGINX.format(folder=tmp_path, port=port, location=location)
        conf = tmp_path / "nginx.conf"
        conf.write_text(text)
        with proxying(nginx, conf):
            async with visitor(f"127.0.0.1:{port}") as found:
                page = await answered(found.client, "/diplomacy/")
                assert page.status_code == 200
                style = re.findall(r'href="([^"]+style\.css)"', page.text)[0]
                assert (await found.get(f"/diplomacy/{style}")).status_code == 200
                stream = await Stream.open(found, "/diplomacy/api/events")
                assert await stream.next() == ("games", "[]")


@contextmanager
def proxying(nginx: str, conf: Path) -> Iterator[None]:
    process = subprocess.Popen([nginx, "-c", str(conf), "-p", str(conf.parent)])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """Return a port that is free now: nginx takes none of its own choice."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


async def answered(client: httpx.AsyncClient, path: str) -> httpx.Response:
    """Return the answer as soon as the proxy runs."""
    with trio.fail_after(PATIENCE):
        while True:
            try:
                return await client.get(path)
            except httpx.TransportError:
                await trio.sleep(0.05)


def test_watch_ends_as_soon_as_it_has_said_where_it_is(tmp_path: Path) -> None:
    """Also in the background of a script, where Ctrl-C is ignored at its start."""
    words = [sys.executable, "-m", "daide_server", "watch", str(tmp_path)]
    ignoring = ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"]
    with subprocess.Popen(
        [*ignoring, *words, "--web", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("web on")
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def test_play_shows_its_page(tmp_path: Path) -> None:
    """`make play` prints where the game can be watched."""
    command = [sys.executable, "-m", "daide_server", "play", "--web", "127.0.0.1:0"]
    command += ["--pace", "0.05", "--year-limit", "1901"]
    done = subprocess.run(
        [*command, "--records", str(tmp_path / "records")],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "NO_COLOR": "1"},
        check=True,
    )
    assert re.match(r"web on http://127\.0\.0\.1:\d+\n", done.stdout)
    assert "record: " in done.stdout
