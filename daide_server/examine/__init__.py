"""A report on a bot: what it does in scenes that a server plays with it.

`scenes` is the table: a `BotScene` says what is expected, and has two functions, one
that plays it and one that judges what was noted. `examination` runs the scenes, several
in one start of the bot where that is possible. A scene is played over a
`BotConversation`, whose `ScriptedGame` is the game of a real server; `scene_log` is
what was noted, and `judging` says what a failure counts: a scene whose control fails
too is not reached. `programs` starts the bot's processes, `connection` has the bytes.
"""
