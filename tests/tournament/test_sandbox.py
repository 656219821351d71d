"""What a bot in a sandbox sees, may do and leaves; and what it has without one."""

import os
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from attrs import evolve

import daide_server
from daide_server.tournament.run import bot_program
from daide_server.tournament.run.bot_program import sandbox_of, sandboxed, with_hidden
from daide_server.tournament.run.bot_settings import (
    AUTO,
    BWRAP,
    NO_SANDBOX,
    BotSettings,
)
from daide_server.tournament.run.errors import RunningError
from tests.support.needed import need_program, need_sandbox

PYTHON = (sys.executable, "-SE", "-c")


@pytest.fixture(autouse=True)
def _bwrap() -> None:
    bot_program.bwrap_problem.cache_clear()
    need_sandbox()


@pytest.fixture
def bot(tmp_path: Path) -> BotSettings:
    """Return a bot with a folder of its own."""
    folder = tmp_path / "bots" / "mine"
    folder.mkdir(parents=True)
    return BotSettings(name="mine", command=("./mine",), folder=str(folder))


@pytest.fixture
def seat(tmp_path: Path) -> Path:
    """Return the folder of a seat."""
    folder = tmp_path / "seat"
    folder.mkdir()
    return folder


def output(bot: BotSettings, seat: Path, *command: str) -> str:
    """Return what a command prints in the sandbox of *bot*."""
    words = sandboxed(command, bot, seat)
    assert words[0] == BWRAP
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip() + done.stderr.strip()


def shell(bot: BotSettings, seat: Path, script: str) -> str:
    return output(bot, seat, "/bin/sh", "-c", script)


def test_a_bot_sees_no_other_process(bot: BotSettings, seat: Path) -> None:
    names = output(bot, seat, *PYTHON, "import os; print(*os.listdir('/proc'))")
    assert sum(map(str.isdigit, names.split())) == 2


def test_a_bot_may_write_to_its_folders_only(
    bot: BotSettings, seat: Path, tmp_path: Path
) -> None:
    (tmp_path / "beside").mkdir()
    script = f"touch {bot.folder}/a {seat}/b /tmp/c $HOME/d /dev/shm/e"
    denied = (
        "/usr/e",
        "/etc/f",
        "/dev/g",
        "/sys/kernel/mm/h",
        "/proc/sys/kernel/panic",
    )

    said = shell(bot, seat, f"{script}; touch {' '.join(denied)}")

    assert said.count("Read-only file system") == len(denied)
    assert (Path(bot.folder) / "a").exists()
    assert {each.name for each in seat.iterdir()} >= {"b", "d"}
    assert (seat / "tmp" / "c").exists(), "its /tmp counts as disk that it uses"
    assert shell(bot, seat, f"ls {tmp_path}").split() == ["bots", "seat"]


def test_this_package_and_its_python_are_seen_below_a_covered_folder(
    bot: BotSettings, seat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "checkout" / "daide_server"
    environment, based_on = tmp_path / "checkout" / ".venv", tmp_path / "python"
    for folder in (package, environment, based_on):
        folder.mkdir(parents=True)
        (folder / "here").write_text("content")
        assert "content" not in shell(bot, seat, f"cat {folder}/here")
    monkeypatch.setattr(daide_server, "__file__", str(package / "__init__.py"))
    monkeypatch.setattr(sys, "prefix", str(environment))
    monkeypatch.setattr(sys, "base_prefix", str(based_on))
    for folder in (package, environment, based_on):
        assert "content" in shell(bot, seat, f"cat {folder}/here")


def test_keys_of_the_operator_are_covered(
    bot: BotSettings, seat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(bot.folder) / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_ed25519").write_text("secret")
    (home / ".netrc").write_text("secret")
    (home / "seen").write_text("seen")
    monkeypatch.setenv("HOME", str(home))

    said = shell(bot, seat, f"ls -A {home}/.ssh; cat {home}/.netrc {home}/seen")

    assert "secret" not in said
    assert "id_ed25519" not in said
    assert "seen" in said
    shown = evolve(bot, hide=())
    assert "id_ed25519" in shell(shown, seat, f"ls {home}/.ssh")


def test_tournament_and_other_bots_are_covered(
    bot: BotSettings, seat: Path, tmp_path: Path
) -> None:
    cup = tmp_path / "bots"
    (cup / "tournament.toml").write_text("seed = 1")
    (cup / "other").mkdir()
    (cup / "other" / "other.py").write_text("")
    other = BotSettings(
        name="other", command=("./other.py",), folder=str(cup / "other")
    )

    hidden = with_hidden([bot, other], cup)[0]

    assert shell(hidden, seat, f"ls -A {cup}") == "mine"
    assert shell(hidden, seat, f"touch {bot.folder}/own; ls {bot.folder}") == "own"


def test_bots_in_the_folder_of_the_tournament_see_their_files_only(
    bot: BotSettings, seat: Path
) -> None:
    """They cannot write there: the database is there as well."""
    cup = Path(bot.folder)
    for name in ("tournament.toml", "results.db", "mine", "helper.py", "other.py"):
        (cup / name).write_text(name)
    (cup / "games").mkdir()
    (cup / "games" / "1.json").write_text("{}")
    other = BotSettings(name="other", command=("python", "other.py"), folder=str(cup))

    hidden = with_hidden([bot, other], cup)[0]

    script = "cat tournament.toml results.db other.py; ls games; cat mine helper.py"
    said = shell(hidden, seat, script)
    assert said.startswith("minehelper.py")
    assert said.count("Permission denied") == 3
    assert "Read-only" in shell(hidden, seat, "touch results.db-journal")


def test_an_environment_that_is_in_the_path_is_hidden_from_no_bot(
    bot: BotSettings, seat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may lie in the folder of the bots, as where a project is developed."""
    cup = Path(bot.folder)
    programs = cup / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (cup / "mine.py").write_text("print('plays')")
    (cup / "other.py").write_text("")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    mine = evolve(bot, command=(sys.executable, "mine.py"))
    other = BotSettings(name="other", command=("python", "other.py"), folder=str(cup))

    hidden = with_hidden([mine, other], cup)[0]

    assert output(hidden, seat, *mine.command) == "plays"


def test_an_environment_in_tmp_works(
    bot: BotSettings, seat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its prefix stays visible, and that of the Python that it was made of."""
    made = tmp_path / "environment"
    venv.create(made, symlinks=True)
    script = tmp_path / "scripts" / "bot.py"
    script.parent.mkdir()
    script.with_name("near.py").write_text("print('near')")
    script.write_text(f"#!{made}/bin/python\nimport sys, near\nprint(sys.prefix)\n")
    script.chmod(0o755)

    assert output(bot, seat, str(made / "bin" / "python"), "-c", "print(1)") == "1"
    monkeypatch.setenv("PATH", f"{made / 'bin'}:{os.environ['PATH']}")
    where = shell(bot, seat, "exec python -c 'import sys; print(sys.prefix)'")
    assert where == str(made)
    assert output(bot, seat, str(script)).splitlines() == ["near", str(made)]


def test_the_python_of_an_environment_is_seen_below_a_covered_folder(
    bot: BotSettings, seat: Path, tmp_path: Path
) -> None:
    made, library = tmp_path / "environment", tmp_path / "python" / "lib"
    for folder in (made / "bin", library):
        folder.mkdir(parents=True)
    (library / "here").write_text("content")
    (made / "pyvenv.cfg").write_text(
        f"home = {library.with_name('bin')}\nversion = 3\n"
    )
    program = made / "bin" / "python"
    program.write_text(f"#!/bin/sh\ncat {library}/here\n")
    program.chmod(0o755)

    assert output(bot, seat, str(program)) == "content"


@pytest.mark.parametrize("words", [("java", "-version"), ("node", "--version")])
def test_other_languages_run(
    bot: BotSettings, seat: Path, words: tuple[str, ...]
) -> None:
    need_program(words[0])

    assert "version" in output(bot, seat, *words) or output(bot, seat, *words)[0] == "v"


@pytest.mark.parametrize(
    ("speaks", "network", "reaches"),
    [("daide", False, True), ("lines", False, False), ("lines", True, True)],
)
def test_only_a_bot_that_speaks_lines_has_no_network(
    bot: BotSettings, seat: Path, speaks: str, *, network: bool, reaches: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        program = evolve(bot, speaks=speaks, network=network)
        code = f"import socket; socket.create_connection({address!r}); print('there')"
        said = output(program, seat, *PYTHON, code)
    assert said.endswith("there") == reaches


def test_bind_and_devices(bot: BotSettings, seat: Path, tmp_path: Path) -> None:
    """Such as the folder of Wine, and a GPU."""
    prefix = tmp_path / "wine"
    prefix.mkdir()
    program = evolve(bot, bind=(str(prefix),), devices=True)

    assert shell(program, seat, f"touch {prefix}/drive && ls {prefix}") == "drive"
    more = set(shell(program, seat, "ls /dev").split())
    assert more >= {each.name for each in Path("/dev").iterdir()}
    assert not more <= set(shell(bot, seat, "ls /dev").split())


def test_what_cannot_be_started_is_an_error(bot: BotSettings, seat: Path) -> None:
    """As without a sandbox, and not a word of bwrap."""
    script = Path(bot.folder) / "script"
    script.write_text("#!/no/such/interpreter\n")
    with pytest.raises(PermissionError):
        sandboxed(["./script"], bot, seat)
    script.chmod(0o755)
    for command in ("./nothing", "no-such-bot", "./script"):
        with pytest.raises(FileNotFoundError):
            sandboxed([command], bot, seat)


def test_auto_uses_no_sandbox_where_none_works(
    bot: BotSettings, seat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    bot_program.bwrap_problem.cache_clear()

    assert sandbox_of(bot) == NO_SANDBOX
    assert sandboxed(["x"], bot, seat) == ["x"]
    with pytest.raises(RunningError, match=r"mine: .*bwrap is not installed"):
        sandbox_of(evolve(bot, sandbox=BWRAP))
    bot_program.bwrap_problem.cache_clear()


def test_a_wrapper_replaces_the_sandbox_unless_bwrap_is_set(bot: BotSettings) -> None:
    wrapped = evolve(bot, wrapper=("sudo", "-u", "bot"))

    kinds = [
        sandbox_of(evolve(wrapped, sandbox=kind)) for kind in (AUTO, BWRAP, NO_SANDBOX)
    ]

    assert kinds == [NO_SANDBOX, BWRAP, NO_SANDBOX]
    assert os.environ["PATH"]
