"""One module per format of a game record."""
