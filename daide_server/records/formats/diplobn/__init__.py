"""DiploBN's game JSON: results and orders of a game on the standard map.

A phase is a season with its retreats. Press, retreat options, routes and waives have no
keys, and are not written.

Start with `schema`, the file and its names. `writing` and `reading` use `heading` (data
of the whole game, its votes and its end) and `order_lines` (orders, their results,
positions); `checks` has the rules of the schema and of consistency.
"""

from daide_server.records.formats.format import Format, imported

DIPLOBN = Format(
    imported(f"{__name__}.writing", "write"),
    imported(f"{__name__}.reading", "read"),
    ".json",
    "GamePhases",
    check=imported(f"{__name__}.checks", "check"),
)
