"""The page: running and finished games for browsers and programs, read-only.

A separate process (`process`), imported only by the command `watch`. A server or a run
starts it (`server/page.py`); it gets its data from files.

| module | content |
|---|---|
| `process` | the process: its parts, Hypercorn, its end |
| `running_files` | one running game from its file, as far as it may be shown |
| `running_games` | the list of running games, and their followers |
| `feed` | the events of a game as server-sent events |
| `shown_games` | answers requests: games of both kinds, the index, boards |
| `finished_games` | views, files and pictures of records |
| `tournaments` | the tournaments of the page, read and cached |
| `site` | the application, and what all answers have in common |
| `pages`, `contexts` | HTML for people: templates, and their data |
| `asked` | what a request asks for |
| `api` | JSON for programs, and its description |
| `assets` | scripts, styles and boards, compressed once |
| `metrics` | counters for operators, and the state of the server |
| `published` | a tournament as files that need no server |

Everything that a page shows is untrusted: names, press, file names. The templates
escape it; JSON has no `<`.
"""
