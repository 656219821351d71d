"""One game as a pure state machine: events in, effects out, `now` passed in.

Start with `game.py`: `Game.handle(event, now)` is the only way in, and the list of
effects that it returns the only way out, so a game can be replayed from its
`journal.py`. The table `game.ANSWERS` decides whether a client in its role may send a
message, and which function (in `joining`, `absence`, `playing` or `results`) handles
it. That function changes the state, and may give a cause in `events.TRANSITIONS`. After
every event `Game` checks for an agreed draw, or the end of the turn (`results.py`).

`game_state.py` holds the state: the stage, the seats, the `turns` with their orders and
votes, the `budgets` of clients, and the `clock`, which owns every deadline.
"""
