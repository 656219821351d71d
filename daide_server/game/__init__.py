"""One game as a pure state machine: events in, effects out, `now` passed in.

Start with `game.py`: `Game.handle(event, now)` is the only way in, the list of effects
that it returns the only way out, so a game can be replayed from its `journal.py`. The
table `game.ANSWERS` decides whether a client in its role may send a message, and which
function (in `joining`, `absence`, `playing` or `results`) takes it. That changes the
state, and may name a cause in `events.TRANSITIONS`. After every event `Game` settles
what follows: an agreed draw, or the end of the turn (`results.py`).

`game_state.py` holds what changes: the stage, the seats, the `turns` with their orders
and votes, the `budgets` of clients, and the `clock`, which owns every deadline.
"""
