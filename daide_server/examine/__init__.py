"""A report on a bot: what it does in scenes that a server plays with it.

Start with `scene`: a `BotScene` says what is expected, and has two functions, one that
plays it and one that judges what was noted. `scenes` has all. `examination`
runs them, several in one start of the bot where possible, over a `conversation`, whose
`scripted_game` is the game of a real server; `scene_log` is what was noted. `programs`
starts the bot's processes; `report` shows the results.
"""
