"""The DAIDE Message Syntax: tokens to messages and back. Pure.

Start with `translation`: a server reads with `ClientReader`, a client with
`ServerReader`, and both write with `Writer`. `messages` has a class for each message.
Reading has two steps: a grammar finds the first wrong token (`commands` and `press` are
the document's appendix, in the notation of `grammar`), then a codec makes the message
(`codec`, `server_codecs`, from the parts in `syntax`). `tokens` lists the
tokens; `vocabulary` has their names, also those of a variant, and prints messages.
Bytes are in `wire`, the rules of the game in `judge`.
"""
