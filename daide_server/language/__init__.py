"""What is said: DAIDE Message Syntax, tokens to meaning and back.

No bytes (those are `wire`'s) and no rules of the game (those are `judge`'s).
"""
