"""The image, the compose file and the unit of systemd fit the program and each other.

Neither Docker nor systemd runs here.
"""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from configparser import ConfigParser
from pathlib import Path

from daide_server.server.settings import DEFAULTS, TABLE
from tests.support.commands import printed

TOP = Path(__file__).parents[1]
DOCKERFILE = (TOP / "Dockerfile").read_text()
COMPOSE = (TOP / "config" / "compose.yaml").read_text()
UNIT = ConfigParser(interpolation=None)
UNIT.optionxform = str  # type: ignore[assignment, method-assign]
UNIT.read(TOP / "config" / "daide-server.service")


def instructions(name: str) -> list[str]:
    """Return what follows each instruction *name* in the Dockerfile."""
    lines = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", DOCKERFILE)).splitlines()
    found = (line.partition(" ") for line in lines)
    return [rest.strip() for word, _, rest in found if word == name]


def words(name: str) -> list[str]:
    """Return the words of the only instruction *name*, in its JSON form."""
    (rest,) = instructions(name)
    parts: list[str] = json.loads(rest[rest.index("[") :])
    return parts


def copied() -> list[str]:
    """Return what is copied from this folder into the image."""
    copies = [rest for rest in instructions("COPY") if "--from" not in rest]
    return [source for rest in copies for source in rest.split()[:-1]]


def variables() -> dict[str, str]:
    (rest,) = instructions("ENV")
    return dict(part.split("=") for part in rest.split())


def in_force(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> dict[str, dict[str, object]]:
    return tomllib.loads(printed(*command, "--print-config", env=environment))


def test_what_is_installed_in_the_image_has_hashes() -> None:
    """All that the program needs, in the versions that the tests run with."""
    tested = (TOP / "requirements" / "dev.lock").read_text()
    locked = (TOP / "requirements" / "image.lock").read_text()
    pinned = re.findall(r"(?m)^([\w.-]+==\S+)(.*)$", locked)
    assert all("\\" in rest for _, rest in pinned)
    assert locked.count("--hash=sha256:") >= len(pinned)
    assert all(f"{version}\n" in tested.replace(" ;", "\n;") for version, _ in pinned)
    config = tomllib.loads((TOP / "pyproject.toml").read_text())
    names = {
        re.split(r"[^\w.-]", each)[0] for each in config["project"]["dependencies"]
    }
    assert names <= {version.partition("==")[0] for version, _ in pinned}
    installs = [rest for rest in instructions("RUN") if "pip install" in rest]
    assert all(
        "--require-hashes" in one or "--no-deps" in one
        for rest in installs
        for one in rest.split("&&")
    )


def test_what_is_copied_into_the_image_exists() -> None:
    ignored = (TOP / ".dockerignore").read_text().split()
    for source in copied():
        assert (TOP / source).exists(), source
        assert source not in ignored


def test_everything_that_the_wheel_needs_is_copied() -> None:
    config = tomllib.loads((TOP / "pyproject.toml").read_text())
    wheel = config["tool"]["hatch"]["build"]["targets"]["wheel"]
    project = config["project"]
    needed: Iterable[str] = (
        *("pyproject.toml", project["readme"], *project["license-files"]),
        *(*wheel["packages"], *wheel["force-include"]),
    )
    assert {*needed, "requirements"} == set(copied())
    assert words("ENTRYPOINT")[0] in project["scripts"]


def test_the_image_serves_every_interface_and_keeps_its_folders_in_volumes() -> None:
    settings = in_force(words("CMD"), variables())
    assert settings["server"]["host"] == "0.0.0.0"  # noqa: S104
    folders = [settings["server"]["records"], settings["journal"]["folder"]]
    assert folders == words("VOLUME")
    for folder in folders:
        assert any(f" {folder}" in rest for rest in instructions("RUN"))
    assert instructions("EXPOSE") == [str(DEFAULTS.service.port)]


def test_the_image_runs_as_a_user_that_it_has_made() -> None:
    (user,) = instructions("USER")
    assert any(f"useradd --system --uid 10001 --home-dir /nonexistent {user} " in rest
               for rest in instructions("RUN"))  # fmt: skip


def test_the_health_check_of_the_image_follows_the_port() -> None:
    """No port in it, nor in the command, so that DAIDE_PORT holds for both."""
    assert words("HEALTHCHECK") == ["daide-server", "health"]
    assert "--port" not in words("CMD")
    assert "DAIDE_PORT" not in variables()
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_the_compose_file_mounts_the_volumes_of_the_image() -> None:
    mounted = dict(re.findall(r"(?m)^ +- (\w+):(/\w+)$", COMPOSE))
    assert set(mounted.values()) == set(words("VOLUME"))
    declared = COMPOSE[COMPOSE.index("\nvolumes:") :]
    assert re.findall(r"(?m)^  (\w+):$", declared) == list(mounted)
    assert f":{DEFAULTS.service.port}:{DEFAULTS.service.port}" in COMPOSE
    assert "restart: unless-stopped" in COMPOSE


def test_the_variables_of_the_compose_file_are_options() -> None:
    named = re.findall(r"\bDAIDE_(\w+)", COMPOSE)
    assert named
    assert {name.lower() for name in named} <= set(TABLE.options)


def test_the_unit_starts_a_server_in_its_own_folder(tmp_path: Path) -> None:
    service = UNIT["Service"]
    program, *command = shlex.split(service["ExecStart"])
    config = command.index("--config") + 1
    command[config] = str(tmp_path / "server.toml")
    (tmp_path / "server.toml").write_text((TOP / "config" / "server.toml").read_text())
    settings = in_force(command)
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
    for folder in (settings["server"]["records"], settings["journal"]["folder"]):
        assert not Path(str(folder)).is_absolute()
    assert program.endswith("/bin/daide-server")


def test_the_unit_restarts_after_a_crash_and_stops_by_sigterm() -> None:
    service = UNIT["Service"]
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == "2"
    assert service["KillSignal"] == "SIGTERM"
