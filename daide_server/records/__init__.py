"""What happened in a game: its entries, the record they make, its replay.

A game emits entries (`entries`): it began, a client took a seat, a turn was resolved,
press was sent. `fold` makes one immutable `GameRecord` of them (`record`);
readers of files make the same record of what other programs wrote.

`replay` adjudicates a record again and yields each `Difference`, a value of
the board without words. What became of a unit is a list of
`Consequence`s (`consequences`), as far as every format of files can express it.
`turn_results` computes results that a record lacks; `standings` says how a game ended
for each power, as `scoring` needs it, `turn_times` when each turn began. `secrecy`
says what may be shown.

No module here knows a file: the package `formats` writes, reads and checks records.
The package `promises` compares press with orders; `text` puts all of it into words.
Start with `record`.
"""
