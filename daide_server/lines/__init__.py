"""JSON lines: what a bot in any language says and hears on its pipes. Pure.

`to_bot` and `from_bot` have a struct for each line, `line_bytes` reads and writes them,
and `schema` is what docs/lines.schema.json holds. `line_session` is the state machine
between DAIDE and the lines of one bot: messages and lines in, `line_effects` out. Its
game is `line_game`, with functions for each line (`bot_lines`) and for each message
(`server_lines`, `answer_lines`); `order_desk` has orders and their notes, `filling` the
time for orders that the bot forgot, `requests` what waits for an answer, `past_turn`
the answers about earlier turns. `wording` has the names: `S1901M`, `A PAR - BUR`,
`FRANCE`, those of dipcc.

`bots.line_bridge` is the socket of this, and `running.piped_bot` the process.
"""
