"""The scenes: a module for each group, and `table`, which lists all."""
