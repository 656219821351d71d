"""Scoring systems: what a finished game is worth to each power.

`systems.SYSTEMS` is the registry: a name and a `System`, which has a formula and,
mostly, another one for a solo. A formula takes a `GameResult` (`game_result`) and
returns `Points`, exact fractions for every power, the eliminated too. `formulas` has
the formulas and the parts that they are made of. `systems.points` applies
a system by its name.

The names are those of dipcc's document of its game format and of DiploBN's schema; the
formulas follow these and, where they are silent, the pages of the systems' authors and
the `dipvis` program, which a comment then names. To add a system, write a formula and
a line in `SYSTEMS`.
"""
