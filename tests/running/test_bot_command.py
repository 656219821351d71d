"""What a bot is started with."""

import sys
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.running.bot_program import SeatPlace, command_line, environment
from daide_server.running.bot_settings import NO_BOX, BotSettings
from daide_server.running.game_task import SeatTask

PLACE = SeatPlace(17, 40123, Path("/tmp/seat"))  # noqa: S108 - never made


def seat(program: BotSettings) -> SeatTask:
    return SeatTask(Power("FRA"), 2, evolve(program, sandbox=NO_BOX), seed=7)


def test_words_in_braces_are_replaced() -> None:
    """Others stay: a command may be JSON."""
    words = "{host} {port} {seed} {name} {power} {game} {folder} {other} {}"
    program = BotSettings(name="mine", command=("./mybot", f"-{words}"))

    assert command_line(seat(program), PLACE) == [
        "./mybot",
        "-127.0.0.1 40123 7 mine FRA 17 /tmp/seat {other} {}",
    ]


def test_wrapper_comes_first() -> None:
    """As in `wrapper = ["sudo", "-u", "bot"]`."""
    program = BotSettings(
        name="mine", command=("./mybot",), wrapper=("sudo", "-u", "bot")
    )

    assert command_line(seat(program), PLACE) == ["sudo", "-u", "bot", "./mybot"]


def test_bot_that_speaks_lines_has_the_bridge() -> None:
    """The bridge connects to the port of the seat."""
    program = BotSettings(name="mine", command=("./mybot", "{seed}"), speaks="lines")

    assert command_line(seat(program), PLACE) == [
        *(sys.executable, "-m", "daide_server", "bridge"),
        *("--server", "127.0.0.1:40123", "--seed=7", f"--usage={PLACE.usage}"),
        *("--", "./mybot", "7"),
    ]


def test_environment_has_what_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else of the worker's."""
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("OTHER", "unseen")
    program = BotSettings(
        name="mine",
        environment=(("MODEL", "small"),),
        pass_variables=("API_KEY", "UNSET"),
    )

    found = environment(program, PLACE)

    assert found["API_KEY"] == "secret"
    assert found["MODEL"] == "small"
    assert found["TMPDIR"] == "/tmp/seat/tmp"  # noqa: S108 - never made
    assert not {"OTHER", "UNSET"} & found.keys()
