"""One game as a pure state machine: events in, effects out, `now` passed in.

Start with `game.py`: `Game.handle(event, now)` is the only way in, the list of
effects that it returns the only way out. The same events at the same times have the
same effects, so a game can be replayed from its `journal.py`.

A message passes through one table: `game.ANSWERS` decides whether a client in its role
may send it, and which function takes it. That function (in `joining`, `absence`,
`playing` or `results`) changes the state and returns effects, for which it may name a
cause in `stages.TRANSITIONS`. After every event `Game` settles what follows: an agreed
draw, or the end of the turn (`results.py`).

`game_state.py` holds what changes, in components that change themselves: the stage,
the seats, the `turns` with their orders and votes, the `budgets` of clients, and the
`clock`, which owns every deadline and wake-up.
"""
