"""Scoring systems: the points of each power for a finished game.

`systems.SYSTEMS` is the registry: a name and a `System`, which has a formula and
usually another one for a solo. A formula takes a `GameResult` (`game_result`) and
returns `Points`, exact fractions for every power, including eliminated ones. `formulas`
has the formulas and their parts. `systems.points` applies a system by its name.

The names are those of dipcc's document of its game format and of DiploBN's schema; the
formulas follow these and, where they are silent, the pages of the systems' authors and
the `dipvis` program, as comments then say. To add a system, write a formula and a line
in `SYSTEMS`.
"""
