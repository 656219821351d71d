"""Run the command line: `python -m daide_server`."""

from daide_server.cli import main

main()
