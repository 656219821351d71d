"""The page as a child process: see `process`."""

from .process import main

main()
