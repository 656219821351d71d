"""The ground: vocabulary and facts of the board.

No rules of the game, no DAIDE tokens, no files: what a province, a unit, a turn,
an order and a position *are*. Names are DAIDE's abbreviations in capitals on
every map (`AUS`, `ECH`, `GOB`, `GOL`).
"""
