"""The page: running and finished games for browsers and programs, read-only.

A layer beside `server`. It knows neither games that are played, nor the lobby, nor
sockets of DAIDE: `app` puts views of what has happened into the `feed`, and finished
games come from the index of the records (`storage/record_index.py`).

| module | what |
|---|---|
| `web_settings` | settings: the section `[web]` |
| `feed` | what is public of running games, and its followers |
| `game_feeder` | running games into the feed, by the view worker |
| `event_stream` | the feed as server-sent events |
| `library` | finished games, from the index and the record files |
| `site` | the application: routes, and what all answers have in common |
| `pages`, `api` | HTML for people, JSON for programs |
| `tournaments` | the seam to those who know tournaments, and what they give |
| `assets` | scripts and styles, compressed once |
| `visitors` | how many there may be, and how much one may ask |
| `http_server` | the listening socket, connections, their limits |
| `metrics` | counters for operators, and `/healthz`, `/readyz` |

Everything that a page shows was written by strangers: names, press, file names. The
templates escape it; JSON has no `<`. Nothing here waits for a slow reader.
"""
