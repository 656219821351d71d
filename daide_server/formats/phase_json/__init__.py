"""JSON phase by phase, which dipcc and the `diplomacy` package share.

One file, two readers: every power in every table, results in the package's words, a
COMPLETED phase at the end, our own facts under the key `daide`. What one program
wants otherwise is in its `Dialect`; the formats `dipcc`, `dipcc_literal` and
`diplomacy` are no more than that.

Start with `shapes`, the file as structs. `writing` makes the whole file of a record,
with `phase_writing`, `press_messages`, `metadata` and `extension` (the key `daide`);
`reading` and `phase_reading` go the way back. A position is a `state` by
`position_state`; `map_names` has the names and the syntax of orders, `lenient_orders`
the orders as people write them. `checks` finds what other programs would refuse.
"""
