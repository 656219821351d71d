"""Write the default file of settings, and the table of metrics.

make settings
"""

from pathlib import Path

from daide_server.server.event_metrics import EventMetrics
from daide_server.server.settings import TABLE
from daide_server.settings.table import toml_document
from daide_server.web.metrics import WebMetrics

TOP = Path(__file__).parents[1]


def metrics_table() -> str:
    """Return all metrics as a table of Markdown."""
    registry = EventMetrics().registry
    WebMetrics(registry)
    lines = ["| metric | kind | what |", "|---|---|---|"]
    ours = (each for each in registry.collect() if each.name.startswith("daide_"))
    for metric in sorted(ours, key=lambda metric: metric.name):
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        lines.append(f"| `{name}` | {metric.type} | {metric.documentation} |")
    return "\n".join(lines) + "\n"


TABLES = {"docs/log.md": metrics_table}
"""The documents with tables that are written."""
BEGIN = "<!-- written by make settings -->\n"
END = "<!-- until here -->\n"


HEAD = """\
# The settings of `daide-server serve`, with their defaults. Copy this file, change
# what you want, and pass it with `--config FILE`; settings that you omit keep the
# value shown here. Command-line options override the file, and
# `daide-server serve --print-config` shows the settings in force.
#
# Written by `make settings` from the classes of settings in the code.

"""


def default_file() -> str:
    """Return the text of `config/server.toml`."""
    return HEAD + toml_document(
        TABLE.rows, lambda row: row.default, lambda row: row.help
    )


def with_tables(text: str, tables: str) -> str:
    """Return the text of a document with *tables* put in their place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


def main() -> None:
    """Write all files."""
    (TOP / "config" / "server.toml").write_text(default_file(), encoding="utf-8")
    for name, tables in TABLES.items():
        path = TOP / name
        text = with_tables(path.read_text(encoding="utf-8"), tables())
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
