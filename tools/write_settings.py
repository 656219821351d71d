"""Write what follows from settings and options: the default file, tables, help texts.

make settings
"""

from collections.abc import Iterator
from pathlib import Path

import click

from daide_server.app.settings import (
    all_settings,
    default_file,
    operating_settings,
    page_settings,
)
from daide_server.cli import COMMANDS
from daide_server.cli import main as program
from daide_server.cli.help_pages import COLUMNS, HELP_FOLDER, PROGRAM
from daide_server.web.metrics import metrics_table

TOP = Path(__file__).parents[1]
TABLES = {
    "docs/settings.md": all_settings,
    "docs/operating.md": operating_settings,
    "docs/page.md": page_settings,
    "docs/metrics.md": metrics_table,
}
"""The documents with tables that are written."""
BEGIN = "<!-- written by make settings -->\n"
MARGIN = 2
"""Columns that click leaves free."""
END = "<!-- until here -->\n"


def with_tables(text: str, tables: str) -> str:
    """Return the text of a document with *tables* put in their place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


def help_texts() -> Iterator[tuple[Path, str]]:
    """Yield the file of the help of each command, and what the command says."""
    for name in COMMANDS:
        with program.context_class(
            program, info_name=PROGRAM, **program.context_settings
        ) as context:
            command = program.get_command(context, name)
            assert command is not None
            inner = click.Context(
                command, context, name, terminal_width=COLUMNS - MARGIN
            )
            yield HELP_FOLDER / f"{name}.txt", command.get_help(inner) + "\n"


def main() -> None:
    """Write all files."""
    HELP_FOLDER.mkdir(exist_ok=True)
    for path, text in help_texts():
        path.write_text(text, encoding="utf-8")
    (TOP / "config" / "server.toml").write_text(default_file(), encoding="utf-8")
    for name, tables in TABLES.items():
        path = TOP / name
        text = with_tables(path.read_text(encoding="utf-8"), tables())
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
