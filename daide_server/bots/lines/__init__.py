"""JSON lines: what a bot in any language says and hears on its pipes. Pure.

Start with `line_session`: messages and lines in, effects out. `line_types`
has a struct for each line. `line_game` is one game, with a function for each line
(`bot_lines`) and for each message (`server_lines`); `order_desk` has orders, their
notes and open requests. `wording` has the names: `S1901M`, `A PAR - BUR`, `FRANCE`,
those of dipcc. `bots.line_bridge` moves the bytes, `running.piped_bot` has the process.
"""
