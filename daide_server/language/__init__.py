"""The DAIDE Message Syntax: tokens to messages and back. Pure.

A server reads with `ClientReader`, a client with `ServerReader`, and both write with
`Writer`. `messages` has a class for each message. Reading has two steps: a grammar
finds the first wrong token (`commands` and `press` are the document's appendix, in the
notation of `productions`), then a codec makes the message (`client_codecs`,
`server_codecs`). `errors` has the answers to wrong syntax, PRN and HUH. `tokens` lists
the tokens, `vocabulary` those of a variant, and `text` prints messages. Bytes are in
`wire`, the rules of the game in `judge`.
"""
