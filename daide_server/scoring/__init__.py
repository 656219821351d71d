"""Scoring systems: what a finished game is worth to each power."""
