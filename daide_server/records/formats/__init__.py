"""File formats of games: each is one value `Format`, listed in `registry`.

A format is a package that imports no other format:

- `phase_json`: the JSON with one object per phase, in the dialects of dipcc and of the
  `diplomacy` package;
- `diplobn`: DiploBN's JSON;
- `transcript`: the DAIDE messages of the game, one per line;
- `tables`: CSV, JSON Lines and Parquet for statistics, which are written only.

`write` takes a game record and `read` returns one; every error is a `FormatError`.
`format` has the interface of a format and the helpers for all checks, `errors` the
decoding of JSON; `board.notation` has the names that hobby programs share.

To add a format, write a package with a value `Format` and a line in
`registry.FORMATS`; import, export, file names and checks then work.
"""
