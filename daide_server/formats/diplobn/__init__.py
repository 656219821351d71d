"""DiploBN's game JSON: results and orders of a game on the standard map.

A phase is a season with its retreats. What DiploBN has no place for is not written:
press, retreat options, routes, waives.

Start with `shapes`, the file as its schema names things. `writing` and `reading` use
`heading` (data of the whole game), `order_lines` with `reasons` (orders and
their results), `positions`, `votes` and `endings`; `map_names` and `scoring_names` have
DiploBN's names, `checks` what its schema demands and what makes sense beyond.
"""

from typing import Final

from daide_server.formats.format import Format, json_with

from .checks import check
from .reading import read
from .writing import write

DIPLOBN: Final = Format(write, read, ".json", json_with("GamePhases"), check)
