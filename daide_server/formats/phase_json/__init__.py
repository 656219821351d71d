"""JSON phase by phase, which dipcc and the `diplomacy` package share.

One file, two readers: every power in every table, results in the package's words, a
COMPLETED phase at the end, our own facts under the key `daide`. What one program
wants otherwise is in its `Dialect`.
"""
