"""The page: running and finished games for browsers and programs, read-only.

A process of its own (`process`), which nothing imports but the command `watch`. A
server and a run start it (`app/page.py`); what it shows, it reads from files.

| module | what |
|---|---|
| `process` | the process: its parts, Hypercorn, its end |
| `running_files` | one running game from its file, as far as it may be shown |
| `running_games` | which games run, and who follows them |
| `feed` | the events of a game as server-sent events |
| `library`, `finished_games` | finished games, from the index and the record files |
| `site` | the application, and what all answers have in common |
| `pages`, `contexts` | HTML for people: templates, and what they are filled with |
| `api` | JSON for programs, and its description |
| `assets` | scripts, styles and boards, compressed once |
| `metrics` | counters for operators, and how the server is |
| `published` | a tournament as files, which need no server |

Everything that a page shows was written by strangers: names, press, file names. The
templates escape it; JSON has no `<`.
"""
