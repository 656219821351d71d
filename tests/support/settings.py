"""Settings by their names alone: those of options, or keys."""

from daide_server.server.settings import TABLE, ServerSettings
from daide_server.settings.descriptor import Setting


def settings_with(**given: object) -> ServerSettings:
    """Return the defaults with what is *given*, values as TOML has them."""
    sections: dict[str, dict[str, object]] = {}
    for name, value in given.items():
        row = setting(name)
        sections.setdefault(row.component.section, {})[row.key] = value
    return TABLE.compose(TABLE.read(sections, "test"))


def setting(name: str) -> Setting:
    """Return the setting with an option, or else with a key, of that name.

    Where two sections have the key, it is the one of `limits`.
    """
    if name in TABLE.options:
        return TABLE.options[name]
    rows = [row for row in TABLE.rows if row.key == name]
    if len(rows) > 1:
        rows = [row for row in rows if row.component.section == "limits"]
    (row,) = rows
    return row
