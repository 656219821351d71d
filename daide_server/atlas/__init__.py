"""Maps in the formats of other programs and in ours: read, checked, repaired, written.

Every format is read to a `Variant` (map, start position, names) and written from one:

- `aiserver`: the files of the original DAIDE server, .mdf .now .sco .rem .nam
- `assistant`: statements and JSON of the Move Assistant
- `toml_writer`: the map files in `maps/`; `board.map_reading` reads them (docs/maps.md)

Readers are lenient: they repair what they can and list each repair as a `MapFault`
with file and line. They raise `AtlasError` with all faults if no variant results.

`checking` finds what is wrong with a variant that was read, and repairs its borders.

All functions take and return text; `library.board_formats` opens the files.
Start with `checking.flaws` and `aiserver.read`.
"""
