"""The data types of Diplomacy: map, units, turns, orders, positions, results.

The lowest layer: values only, without rules, DAIDE tokens or files. Start with `names`
(power, province, location, unit), then `map`, `orders` and `position`. A `Variant` is
a map with its starting position; `variant` and `map_reading` read it from the content
of a map file. `notation` writes orders as text (`A PAR - BUR`), `notation_reader`
reads them. Names are DAIDE's abbreviations in capitals on every map (`AUS`, `ECH`).
"""
