"""Tournaments that are played: bots as programs, games in workers, results in a store.

A game travels as a `game_task.GameTask` to whoever plays it, on this machine or
another, and comes back as a `GameReport`. Both are plain values, JSON both ways.
"""
