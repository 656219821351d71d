"""Settings: one descriptor each, from which file, options, help and README follow.

A setting is a field of the class that its component takes, made by `setting`:

    im_seconds: float = setting(SECONDS, 30.0, "Seconds until IM must be there.")

That line has everything: kind, default, unit, help, and the option if there is one.
`server.settings.ServerSettings` lists the classes, each with the section of the
TOML file, and whether its settings are kept with a saved game.

- To add a setting: its line; then `make settings`, which writes `config/server.toml`
  and the tables in the documents. Nothing else: the component has the value already.
- To add a section: a class of settings, and a line in `ServerSettings`.
- To add an option of HLO: a line in `daide.commands` (and its token in
  `daide.tokens`), a field of that name in `game.options.GameOptions`, and
  `make settings`.

`kinds` are the kinds of values, `descriptor` makes and collects the fields, `table`
reads, combines, saves and writes all settings, as TOML and Markdown.
This package knows no single setting.
"""
