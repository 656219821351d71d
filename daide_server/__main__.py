"""Entry point of `python -m daide_server`."""

from daide_server.cli import main

main()
