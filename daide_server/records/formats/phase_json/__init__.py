"""The JSON with one object per phase that dipcc and the `diplomacy` package share.

A file suits both readers: every table has every power, results are in the package's
words, the last phase is COMPLETED, and the key `daide` has our data that they
skip. A `Dialect` has the differences between the programs; `dialects` has the formats.

Start with `shapes`, the file as structs. `writing` makes the file of a record, with
`press_messages` and `extension` (metadata, and the key `daide`); `reading` makes a
record of a file. `position_state` converts between positions and states; `map_names`
has the names, orders and results, `lenient_orders` reads orders as people write them.
`checks` finds what other programs would refuse.
"""
