"""Files: maps and pictures that are read, games that are read, saved and recorded.

| module | files |
|---|---|
| `variants` | map files: shipped ones by name, others by path |
| `pictures` | the geometry of maps, in `maps/pictures/` |
| `board_formats` | maps in the formats of other programs, see `atlas` |
| `variant_identity` | which shipped map another variant is played on |
| `archive` | records of finished games, one file each |
| `game_files` | records of any format, one or many games a file |
| `table_files` | tables of many games as CSV, JSON Lines or Parquet |
| `saves`, `save_format` | saved games, from which a server continues |
| `shipped` | where the files that ship with the program lie |
| `texts` | UTF-8 with or without a byte order mark |

The only package below `server` that opens files: it hands their content to the pure
packages and adds the path to their errors. All functions block; the server calls them
in threads. `archive.replace` is how every file is written that must not be lost.
"""
