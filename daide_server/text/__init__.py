"""Games, positions and advice as text: for people, and as JSON lines.

- `game_report` prints a game turn by turn, `turn_report` explains the result of each
  order of a turn;
- `queries` answers the JSON lines of `adjudicate`, and writes such a line;
- `difference_text` describes what is wrong with a file, and what a replay found;
- `advice_text` parses the expected orders of others, and prints the proposals of
  `advice`;
- `headlines` tells the story of a game by rules; `press_words` has press in plain
  English, and `words` the names of a board;
- `views` are games for the page, made by `game_views` and `turn_views`.

Names of powers and provinces, orders and results are those of dipcc and the `diplomacy`
package, by `records.formats.phase_json`. All functions return text or values; the
command line prints them.
"""
