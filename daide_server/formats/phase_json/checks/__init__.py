"""Checks of JSON phase by phase: a module for each part of a file."""
