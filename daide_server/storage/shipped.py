"""What ships with the program beside its code: boards, and the settings' file."""

from pathlib import Path


def shipped(folder: str) -> Path:
    """Return where *folder* (`maps` or `config`), which ships with the program, lies.

    A wheel carries it inside the package; in a checkout it is beside it.
    """
    package = Path(__file__).parents[1]
    installed = package / "data" / folder
    return installed if installed.is_dir() else package.parent / folder
