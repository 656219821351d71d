"""JSON lines: what a bot in any language says and hears on its pipes. Pure.

`to_bot` and `from_bot` have a struct for each line, `messages` reads and writes them,
and `schema` is what docs/lines.schema.json holds. `session` is the state machine
between DAIDE and the lines of one bot: messages and lines in, `effects` out; its parts
are `order_desk` (orders and their notes), `filling` (orders that the bot forgot),
`requests` (which answer belongs to which line), `history` (turns of the past), and
`turn_lines` (what a turn says). `wording` has the names: `S1901M`, `A PAR - BUR`,
`FRANCE`, those of dipcc.

`bots.bridge` is the socket of this, and `running.piped_bot` the process.
"""
