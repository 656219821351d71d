"""A process is known again, and none is taken for another."""

import os
import signal
import subprocess
import sys

import psutil
import pytest
from attrs import evolve

from daide_server.running.process_identity import ProcessIdentity

pytestmark = pytest.mark.end_to_end


def test_what_is_written_finds_the_process() -> None:
    written = str(ProcessIdentity.of(os.getpid()))
    found = ProcessIdentity.parse(written).find()
    assert found is not None
    assert found.pid == os.getpid()


@pytest.mark.skipif(not psutil.LINUX, reason="others keep the time of day")
def test_a_clock_that_is_set_makes_no_process_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What Linux says of its start follows the clock, by a second at the least."""
    own, booted = ProcessIdentity.of(os.getpid()), psutil.boot_time()
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: booted + 3600)
    assert psutil.boot_time() == booted + 3600
    assert own.find() is not None


def test_a_process_that_ended_is_not_found() -> None:
    waiting = [sys.executable, "-c", "input()"]
    process = subprocess.Popen(waiting, stdin=subprocess.PIPE)
    identity = ProcessIdentity.of(process.pid)
    assert identity.find() is not None
    process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert identity.find() is None, "it has ended, though nobody has waited for it"
    process.communicate()
    assert identity.find() is None


def test_another_process_of_the_same_number_is_not_found() -> None:
    own = ProcessIdentity.of(os.getpid())
    assert evolve(own, started="1.00").find() is None
    assert evolve(own, boot="another").find() is None


@pytest.mark.parametrize("text", ["", "x-1.00-boot", "17", "17-1.00"])
def test_what_is_no_identity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"invalid literal|not enough values"):
        ProcessIdentity.parse(text)
