"""The rules: (variant, position, orders) to a resolution, without input or output.

Start at `adjudication.adjudicate`. Each phase has a resolution that answers when it is
asked: in `adjudication` itself, `retreats`, `adjustments`; `resolution` has what they
share. `legality` says why an order is refused, `possible` lists the legal ones, and
`rules` has the choices of DATC chapter 4.

A movement turn takes these steps, from names to numbers and back:

1. `compiled_orders`: the map in numbers, once, and units and orders in numbers, made
   once for each that is seen. `fleet_chains` has the seas.
2. `legality` keeps the orders that the position allows (chapter 3).
3. `order_index` lists who moves where, who supports whom, who convoys whom.
4. `equations` are those of DATC 5.B, with the algorithm of 5.E: bounds, then
   cycles, then the backup rule. Nothing else decides an order.
5. `adjudication` reads off what was decided, and names it again.

DATC is the Diplomacy Adjudicator Test Cases; section numbers in comments are its. The
judge knows no DAIDE. `tests/judge/oracle.py` writes 5.B a second time, to compare.
"""
