"""Pictures: the geometry of a map and what is on the board, as SVG text.

Nothing here reads files or knows the rules. `picture` is the geometry, `scene` what
is to be seen on it, `drawing` puts the layers of the other modules together.
"""
