"""One game as a pure state machine: events in, effects out, `now` passed in.

Start with `game.py`: `Game.handle(event, now)` is the only way in, the list of
effects that it returns the only way out. The same events at the same times have the
same effects, so a game can be replayed from its `journal.py`.

A message passes through three tables: `permissions.ANSWERS` decides whether a client in
its role may send it, `handlers.HANDLERS` which function takes it, and that function
(in `joining`, `returning`, `loading`, `playing` or `answers`) changes the state and
returns effects, for which it may name a cause in `stages.TRANSITIONS`. After every
event `Game` settles what follows: an agreed draw, or the end of the turn
(`processing.py`).

`game_state.py` holds what changes, in components that change themselves: the stage,
seats, observers, the current turn with its orders and votes, the history, and the
clock, which owns every deadline and wake-up. Nothing else assigns their attributes (a
test reads the syntax trees).
"""
