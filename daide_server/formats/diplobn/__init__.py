"""DiploBN's game JSON: results and orders of a game on the standard map.

A phase is a season with its retreats. Press, retreat options, routes and waives have no
keys, and are not written.

Start with `shapes`, the file as its schema names things. `writing` and `reading` use
`heading` (data of the whole game, its votes and its end) and `order_lines` (orders,
their results, positions); `map_names` has DiploBN's names, `checks` the rules of
its schema and of consistency.
"""

from typing import Final

from daide_server.formats.format import Format, imported, json_with

DIPLOBN: Final = Format(
    imported(f"{__name__}.writing", "write"),
    imported(f"{__name__}.reading", "read"),
    ".json",
    json_with("GamePhases"),
    imported(f"{__name__}.checks", "check"),
)
