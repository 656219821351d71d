"""Bots as people name them on the command line, and what they are started with."""

import sys
from pathlib import Path
from typing import Any

import pytest

from daide_server.board.names import Power
from daide_server.tournament.run.bot_program import command_line, usage_file
from daide_server.tournament.run.bot_settings import (
    NO_SANDBOX,
    BotSettings,
    bot_name,
    files_to_run,
    missing,
    read_bot,
    read_bots,
)
from daide_server.tournament.run.errors import BotWordsError
from daide_server.tournament.run.game_task import SeatTask


def test_name_of_a_built_in_bot() -> None:
    """No program is started for it."""
    assert read_bot("dumb") == (BotSettings(name="dumb", builtin="dumb"), 1)


def test_command_is_split_as_by_a_shell() -> None:
    """It is started in the current folder."""
    program, count = read_bot("./mybot '-i {host}' -p{port}")

    assert count == 1
    assert program.command == ("./mybot", "-i {host}", "-p{port}")
    assert program.folder == str(Path.cwd())
    assert program.name == "mybot"
    assert program.speaks == "daide"
    assert read_bot("cmd=./mybot '-i {host}' -p{port}")[0] == program
    lines, _ = read_bot("lines:./mybot.py")
    assert (lines.speaks, lines.command) == ("lines", ("./mybot.py",))


def test_a_program_must_be_executable_and_a_script_need_not(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch(0o644)
    started = [(sys.executable, "bot.py"), ("./bot.py",)]
    bots = [
        BotSettings(name="x", command=each, folder=str(tmp_path)) for each in started
    ]

    assert [len(list(missing(bot))) for bot in bots] == [0, 1]


def test_copies_are_counted() -> None:
    """Copies are the same bot."""
    bots = read_bots(["2 x ./mybot -p{port}", "dumb"])

    assert [bot.name for bot in bots] == ["mybot", "mybot", "dumb"]
    assert bots[0] == bots[1]


def test_different_programs_have_different_names() -> None:
    """Two versions in two folders, for one."""
    bots = read_bots(["old/mybot -p{port}", "new/mybot -p{port}", "old/mybot -p{port}"])

    assert [bot.name for bot in bots] == ["mybot", "mybot-2", "mybot"]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["./bin/My Bot.exe"], "My Bot"),
        (["python3", "-u", "bots/quick.py", "{port}"], "quick"),
        (["java", "-jar", "Man'chi.jar"], "Man'chi"),
        (["python2.7", "-m"], "python2.7"),
    ],
)
def test_bot_is_called_as_its_program(command: list[str], name: str) -> None:
    """Of an interpreter the file that it runs counts."""
    assert bot_name(command) == name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("dumm", "found 'dumm', expected one of hold, rand, dumb, or a command such"),
        ("dumm", "did you mean dumb?"),
        ("", "found no command"),
        ("3 x", "expected"),
        ("0 x dumb", "found 0 copies in '0 x dumb', expected 1 to 100"),
        ("./mybot 'x", "No closing quotation"),
        ("./mybot -p16713", "found no {port} in './mybot -p16713'"),
        ("lines:", "found no command"),
    ],
)
def test_words_that_name_no_bot_are_refused(words: str, message: str) -> None:
    """The error says what was found and what was expected."""
    with pytest.raises(BotWordsError) as refused:
        read_bot(words)

    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (["./mybot", "-p{port}"], ("./mybot",)),
        (["mybot", "nope.py"], ()),
        (["{folder}/mybot"], ()),
        (["python3", "-u", "mybot.py", "more.py"], ("mybot.py",)),
        (["/bin/sh", "mybot.sh"], ("/bin/sh", "mybot.sh")),
        (["python", "-m", "mybot"], ()),
        (["python", "-X", "dev", "mybot.py"], ()),
        (["java", "-cp", "a.jar:b.jar", "my.Bot"], ()),
        (["java", "-jar", "mybot.jar"], ("mybot.jar",)),
        (["env", "CODE=mybot.py", "mybot"], ()),
        (["sh", "-c", "python mybot.py"], ()),
        (["python", "{folder}/mybot.py"], ()),
        (["node"], ()),
    ],
)
def test_files_that_a_command_must_find(
    command: list[str], files: tuple[str, ...]
) -> None:
    assert files_to_run(command) == files


FOLDER = Path("/tmp/seat")  # noqa: S108 - never made


BRACES = "{host} {port} {seed} {name} {power} {game} {folder} {other} {}"


@pytest.mark.parametrize(
    ("command", "more", "words"),
    [
        # Words in braces are replaced. Others stay: a command may be JSON.
        (
            ("./mybot", f"-{BRACES}"),
            {},
            ["./mybot", "-127.0.0.1 40123 7 mine FRA 17 /tmp/seat {other} {}"],
        ),
        (
            ("./mybot",),
            {"wrapper": ("sudo", "-u", "bot")},
            ["sudo", "-u", "bot", "./mybot"],
        ),
        # The bridge connects to the port of the seat.
        (
            ("./mybot", "{seed}"),
            {"speaks": "lines"},
            [
                *(sys.executable, "-m", "daide_server", "bridge"),
                *("--server", "127.0.0.1:40123", "--seed=7"),
                *(f"--usage={usage_file(FOLDER)}", "--", "./mybot", "7"),
            ],
        ),
    ],
    ids=["braces", "wrapper", "lines"],
)
def test_what_a_bot_is_started_with(
    command: tuple[str, ...], more: dict[str, Any], words: list[str]
) -> None:
    program = BotSettings(name="mine", command=command, sandbox=NO_SANDBOX, **more)
    seat = SeatTask(Power("FRA"), 2, program, seed=7)

    assert command_line(seat, 17, 40123, FOLDER) == words
