"""The games of one port, and the choice of the game for each message.

`Directory.route` is asked for every message: a client that has joined stays with its
game, NME, OBS and IAM of another choose one. `RejoinThrottle` delays IAM where
wrong passcodes came, so that guessing one takes long. Neither changes a game.
"""
