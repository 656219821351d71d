"""The JSON with one object per phase that dipcc and the `diplomacy` package share.

A file suits both readers: every table has every power, results are in the package's
words, the last phase is COMPLETED, and the key `daide` has our data that they
skip. `dialects` has the formats.

Start with `shapes`, the file as structs. `writing` makes the file of a record, with
`press_messages` and `extension` (metadata, and the key `daide`); `reading` makes a
record of a file. `position_state` converts between positions and states; `map_names`
has the names, orders and results, `lenient_orders` reads orders as people write them;
`package_names` has other names in saved games of the `diplomacy` package.
`checks` finds what other programs would refuse.
"""
