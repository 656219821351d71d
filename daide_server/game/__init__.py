"""One game as a pure state machine: events in, effects out, `now` passed in."""
