"""Build the distributions, and try each in an empty environment of every Python here.

Each environment installs one file, checks what the metadata promises, plays a game from
an empty folder, and reads its record again.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def main() -> int:
    """Return 0 if every environment plays, else 1."""
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder) / "dist")
        pythons = dict(installed_pythons())
        missing = [version for version in VERSIONS if version not in pythons]
        for version, python in pythons.items():
            for file in built:
                place = Path(folder) / f"{version}{file.suffix}"
                attempt(python, file, place)
                print(f"Python {version}: {file.name} plays")
    if missing:
        print(f"not tried, as not installed: Python {', '.join(missing)}")
    return 0


def build(folder: Path) -> list[Path]:
    """Return the sdist and the wheel, whose metadata is checked."""
    run(sys.executable, "-m", "build", "--outdir", folder, PROJECT)
    built = sorted(folder.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *built)
    kept = PROJECT / "dist"
    kept.mkdir(exist_ok=True)
    for file in built:
        shutil.copy(file, kept)
    return built


def installed_pythons() -> Iterator[tuple[str, str]]:
    """Return each supported version that is here, and its program.

    Shims of version managers are tried, and left out if they start nothing.
    """
    for version in VERSIONS:
        found = (shutil.which(f"python{version}"), *managed(version))
        for python in filter(None, found):
            asked = subprocess.run(  # noqa: S603 - a program of this machine
                [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                capture_output=True,
                text=True,
                check=False,
            )
            if asked.stdout.strip() == version:
                yield version, python
                break


def managed(version: str) -> Iterator[str]:
    """Return the programs of *version* that pyenv has."""
    for folder in sorted(Path.home().glob(f".pyenv/versions/{version}.*")):
        yield str(folder / "bin" / "python")


def attempt(python: str, distribution: Path, place: Path) -> None:
    """Install *distribution* for *python* at *place*, and play a game there."""
    run(python, "-m", "venv", place / "venv")
    inside = place / "venv" / "bin"
    run(inside / "python", *PIP, "install", distribution)
    run(inside / "python", "-m", "pip", "check")
    empty = place / "empty"
    empty.mkdir()
    command = inside / "daide-server"
    run(command, "--version", folder=empty)
    run(command, "play", "--year-limit", "1902", "--seed", "1", folder=empty)
    for record in sorted((empty / "records").glob("*.json")):
        run(command, "replay", record, folder=empty)
        run(command, "check", record, folder=empty)


def run(*command: object, folder: Path = PROJECT) -> None:
    """Run *command*; print what it said if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(  # noqa: S603 - our own commands
        words,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout)
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
