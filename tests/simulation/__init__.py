"""A simulated world: a whole server on a clock, a network and a disk of memory.

One seed is one run, byte for byte. `scenario` draws what happens, `simulate` runs it,
`world` has clock, network and disk, `players` the clients, `invariants` what must hold.
"""
