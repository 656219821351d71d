"""A report on a bot: how it behaves in scenes that a server plays with it.

Start with `scene`: a `BotScene` has the expected behaviour and two functions, one that
plays it and one that judges what was observed. `scenes` has all. `examination` runs
them, several in one start of the bot where possible, over a `conversation`, whose
`scripted_game` is the game of a real server; `scene_log` is what was observed.
`programs` starts the bot's processes; `report` shows the results.
"""
