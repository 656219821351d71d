"""The DAIDE Client-Server Protocol: frames and handshake of one connection. Sans I/O.

Start reading at `frames`, which also lists the error codes. `Connection` is the
server's end of a connection, `ClientConnection` the client's. Feed received bytes to
`receive`, which returns the diplomacy messages in them as tokens, and send what
`take_output` returns. Two tables say which frame is allowed in which state and which
error code answers a wrong one.
`captures` reads recorded byte streams. What the tokens mean is `language`'s subject.
"""
