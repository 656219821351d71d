"""The help texts of commands as files, so that `COMMAND --help` imports no command.

`make settings` writes them from the commands; a test compares them. A terminal with
fewer columns than the files gets its text from the command itself.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

COLUMNS: Final = 80
PROGRAM: Final = "daide-server"
HELP_OPTIONS: Final = ("-h", "--help")
HELP_FOLDER: Final = Path(__file__).parent / "help"


def help_page(words: Sequence[str], program: str) -> str | None:
    """Return the help text that a command line asks for and nothing else.

    *words* are those after the name of the *program*. `None`: the command has to say
    it, or there is none.
    """
    match words:
        case [name, option] if option in HELP_OPTIONS and name.isidentifier():
            path = HELP_FOLDER / f"{name}.txt"
        case _:
            return None
    if shutil.get_terminal_size().columns < COLUMNS or not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    return text.replace(f"Usage: {PROGRAM} ", f"Usage: {program} ", 1)
