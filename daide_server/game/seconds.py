"""The time of a game. Light to import, for settings."""

Seconds = float
"""Game time: seconds since the game was opened."""
