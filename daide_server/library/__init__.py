"""Files: maps, pictures, game records, journals and saves.

| module | files |
|---|---|
| `variants` | map files: included ones by name, others by path; which map is which |
| `pictures` | the geometry of maps, in `maps/pictures/` |
| `board_formats` | maps in the formats of other programs, see `atlas` |
| `archive` | records of finished games, one file each; traces of conversations |
| `game_files` | records of any format; the phase of a file at which games begin |
| `table_files` | tables of many games as CSV, JSON Lines or Parquet |
| `journal_file` | the journal of a running game; a saved game is a copy of it |
| `journal_folder` | the journals of one server: its lock, counts of finished games |
| `control_socket` | the socket on which a server answers operators |
| `record_index` | the index of records, for the page; made by `index_*` |
| `sqlite_files` | what all SQLite files need: waiting for locks, kinds of errors |
| `texts` | UTF-8 with or without a byte order mark; TOML |

The only package below `server` that opens files: it passes their content to the pure
packages and adds the path to their errors. All functions block; the server calls them
in threads. `archive.replace` is for every file that must not be lost.
"""
