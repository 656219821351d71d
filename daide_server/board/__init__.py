"""The data types of Diplomacy: map, units, turns, orders, positions, results.

The lowest layer: values only, without rules, DAIDE tokens or files. Start with `names`
(power, province, location, unit), then `map` (map, turn, position, variant) and
`orders`. `map_reading` reads a variant from the content of a map file. `notation`
writes and reads orders as text (`A PAR - BUR`). Names are DAIDE's abbreviations in
capitals on every map (`AUS`, `ECH`).
"""
