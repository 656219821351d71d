"""The protocol of DAIDE: frames to tokens to messages, and back. Pure, sans I/O.

The document *Message Syntax*: start with `translation`. A server reads with
`ClientReader`, a client with `ServerReader`, and both write with `Writer`. `messages`
has a class for each message. Reading has two steps: a grammar finds the first wrong
token (`commands` and `press` are the document's appendix, in the notation of
`grammar`), then a codec makes the message (`codec`, `server_codecs`, from the parts in
`syntax`). `tokens` lists the tokens; `vocabulary` has their names, also those of a
variant, and prints messages.

The document *Client-Server Protocol*: start with `frames`, which also lists the error
codes. `Connection` is the server's end of a connection, `ClientConnection` the
client's. Feed received bytes to `receive`, which returns the diplomacy messages in them
as tokens, and send what `take_output` returns. Two tables say which frame is allowed in
which state and which error code answers a wrong one. `captures` reads recorded byte
streams.

The rules of the game are in `judge`.
"""
