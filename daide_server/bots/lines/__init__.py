"""JSON lines: what a bot in any language receives and sends on its pipes. Pure.

Start with `line_session`: messages and lines in, effects out. `line_types` has a struct
for each line. `line_game` is one game, with a function for each line (`bot_lines`) and
for each message (`server_lines`); `order_desk` has orders, their notes and open
requests. `wording` has the names of dipcc: `S1901M`, `A PAR - BUR`, `FRANCE`.
`bots.line_bridge` does the I/O, `tournament.run.piped_bot` has the process.
"""
