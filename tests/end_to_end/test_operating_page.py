"""The shell commands of docs/operating.md, run beside a server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.test_commands import PATIENCE, first_line, serving
from tests.support.snippets import TOP, snippets

pytestmark = pytest.mark.end_to_end

RUN = [one.code for one in snippets(TOP / "docs" / "operating.md") if one.is_run]


def test_the_commands_work(tmp_path: Path) -> None:
    """In the order of the page, beside a server, with its port and its process."""
    shutil.copy(TOP / "config" / "server.toml", tmp_path)
    program = tmp_path / "bin" / "daide-server"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m daide_server "$@"\n')
    program.chmod(0o755)
    paths = [tmp_path / name for name in ("records", "journal", "server.log")]
    records, journal, log = map(str, paths)
    words = ["--records", records, "--journal", journal, "--durability", "process"]
    with serving(*words, "--log-file", log) as process:
        port = first_line(process).rpartition(":")[2]
        environment = {
            **os.environ,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "DAIDE_PORT": port,
            # At a free port it has the name of its run.
            "DAIDE_JOURNAL": str(next((tmp_path / "journal").iterdir())),
            "PID": str(process.pid),
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
