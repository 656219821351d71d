"""Files of games: each format is one value `Format`, listed in `registry`.

A format is a module, or a package, that does not know the others:

- `dipcc`, `dipcc_literal`, `diplomacy`: dialects of JSON phase by phase, which is
  written, read and checked in `phase_json`;
- `diplobn`: DiploBN's JSON;
- `transcript`: the DAIDE messages of the game, a line each;
- `tables`: rows for people who count, which are only written.

A record goes to `write` and comes from `read`; every error is a `FormatError`.
`format.Format` is the interface of a format. `common_names` has the names that hobby
programs share; `faults` is what the checks of all formats are made with.

To add a format, write a module with a value `Format` and a line in
`registry.FORMATS`: reading, export, the names of files and the checks follow.
"""
