"""File formats of games: each is one value `Format`, listed in `registry`.

A format is a module or a package that imports no other format:

- `dipcc`, `dipcc_literal`, `diplomacy`: dialects of the JSON with one object per phase
  that `phase_json` writes, reads and checks;
- `diplobn`: DiploBN's JSON;
- `transcript`: the DAIDE messages of the game, one per line;
- `tables`: CSV, JSON Lines and Parquet for statistics, which are written only.

`write` takes a game record and `read` returns one; every error is a `FormatError`.
`format.Format` is the interface of a format. `board.common_names` has the names that
hobby programs share, `faults` the helpers for the checks of all formats.

To add a format, write a module with a value `Format` and a line in
`registry.FORMATS`; import, export, file names and checks then work.
"""
