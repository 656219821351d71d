"""The files that ship with the program: boards, and the file of settings."""

from pathlib import Path


def shipped(folder: str) -> Path:
    """Return the path of the shipped *folder*, `maps` or `config`.

    A wheel carries it inside the package; in a checkout it is beside it.
    """
    package = Path(__file__).parents[1]
    installed = package / "data" / folder
    return installed if installed.is_dir() else package.parent / folder
