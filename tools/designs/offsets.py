"""Offsets of rounds that are balanced for pairs together, by the number of bots.

All are for seven seats: entry s is added to the number of the game to find the bot in
seat s. See `rounds`.
"""

from daide_server.tournament.designs import SEATS

Offsets = tuple[int, ...]

CYCLIC: dict[int, tuple[Offsets, ...]] = {
    3: ((0, 0, 0, 1, 1, 2, 2),),
    5: ((0, 0, 1, 1, 2, 3, 4), (0, 0, 2, 2, 1, 3, 4)),
    6: ((0, 0, 1, 2, 3, 4, 5),),
    10: (
        (0, 1, 2, 3, 4, 6, 7),
        (0, 1, 2, 3, 5, 6, 8),
        (0, 1, 2, 3, 4, 5, 6),
        (0, 1, 2, 4, 5, 6, 8),
        (0, 1, 2, 3, 5, 6, 8),
        (0, 1, 2, 3, 4, 6, 7),
    ),
    12: (
        (0, 1, 2, 3, 4, 7, 9),
        (0, 1, 2, 4, 5, 8, 10),
        (0, 1, 2, 3, 5, 7, 8),
        (0, 1, 2, 3, 5, 6, 9),
        (0, 1, 2, 3, 5, 6, 10),
        (0, 1, 2, 3, 5, 7, 8),
        (0, 1, 2, 4, 5, 6, 8),
        (0, 1, 2, 3, 5, 6, 9),
        (0, 1, 2, 3, 5, 7, 8),
        (0, 1, 2, 4, 5, 8, 10),
        (0, 1, 2, 3, 4, 7, 9),
    ),
    15: ((0, 1, 2, 4, 5, 8, 10),),
    20: (
        (0, 1, 2, 5, 8, 10, 14),
        (0, 1, 3, 5, 8, 10, 17),
        (0, 1, 2, 6, 9, 12, 13),
        (0, 1, 2, 4, 7, 12, 18),
        (0, 1, 3, 5, 9, 10, 16),
        (0, 1, 2, 4, 5, 8, 10),
        (0, 1, 3, 5, 10, 11, 17),
        (0, 1, 3, 5, 8, 14, 15),
        (0, 1, 3, 11, 12, 15, 16),
        (0, 1, 3, 7, 8, 10, 16),
        (0, 1, 3, 4, 6, 12, 16),
        (0, 1, 2, 5, 7, 11, 14),
        (0, 1, 2, 4, 6, 12, 13),
        (0, 1, 3, 6, 7, 13, 18),
        (0, 1, 3, 4, 6, 12, 16),
        (0, 1, 2, 4, 6, 11, 14),
        (0, 1, 3, 5, 10, 14, 18),
        (0, 1, 2, 6, 7, 10, 14),
        (0, 1, 2, 3, 6, 9, 11),
    ),
    21: (
        (0, 1, 2, 4, 8, 11, 16),
        (0, 1, 2, 3, 6, 11, 15),
        (0, 1, 3, 5, 7, 10, 13),
        (0, 1, 3, 7, 8, 16, 18),
        (0, 1, 2, 3, 7, 11, 16),
        (0, 1, 2, 5, 9, 12, 15),
        (0, 1, 2, 5, 8, 10, 17),
        (0, 1, 3, 5, 11, 15, 19),
        (0, 1, 2, 3, 6, 11, 15),
        (0, 1, 2, 4, 8, 11, 16),
    ),
    22: ((0, 1, 3, 5, 7, 16, 17), (0, 3, 4, 12, 15, 17, 18)),
}
"""Offsets for seven seats, mod n, that are balanced for pairs together.

15 is the cyclic form of PG(3,2); 10, 12, 20 and 21 were found by search.
"""

SMALL_FIELDS: dict[int, tuple[Offsets, ...]] = {
    2: tuple(
        tuple(int((seat - turn) % SEATS in {1, 2, 4}) for seat in range(SEATS))
        for turn in range(SEATS)
    ),
    4: (
        (1, 0, 1, 2, 0, 3, 3),
        (2, 1, 1, 3, 2, 0, 3),
        (3, 1, 0, 1, 2, 3, 0),
        (3, 0, 2, 3, 1, 0, 1),
        (3, 3, 1, 2, 1, 2, 0),
        (1, 3, 0, 2, 2, 0, 1),
        (2, 3, 0, 0, 1, 1, 3),
    ),
}
"""Offsets for seven seats in GF(n), with copies, that are balanced for everything.

The first is the complement of a line of the Fano plane, turned.
"""

FIELD_OFFSETS: dict[int, tuple[Offsets, int, int]] = {
    11: ((0, 1, 2, 4, 8, 5, 10), 4, 5),
    13: ((0, 1, 3, 4, 9, 10, 12), 2, 2),
    16: ((0, 1, 6, 7, 2, 12, 14), 2, 5),
    19: ((0, 1, 7, 8, 11, 12, 18), 2, 3),
}
"""Offsets in GF(n), a factor c, and the number of its powers that are P together."""

ROOTS = {25: (6, 4), 29: (7, 2), 31: (6, 5)}
"""Offsets are the roots of 1 of an order in GF(n), with 0 if that is six.

Once per coset of the roots, of which so many (up to the sign) are P together.
"""

UNEVEN_AT_FIRST = {19, 25, 31}
"""Where these offsets make some pairs meet far more often until P is reached."""
