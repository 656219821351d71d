"""Boards as other programs write them, and as ours: read, written, checked.

`aiserver` knows the files of the original DAIDE server, `assistant` the statements
and the JSON of the Move Assistant, `readable` the map files under `maps/`; all
speak of a `Variant`. `checking` tells what is wrong with a board.
"""
