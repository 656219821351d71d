"""The rules: (variant, position, orders) to a resolution, without input or output.

Start at `adjudication.adjudicate`. Each phase has a resolution that answers when it is
asked: in `adjudication` itself, `retreats`, `adjustments`; `resolution` has what they
share. `legality` says why an order is refused, `possible` lists the legal ones, and
`rules` has the choices of DATC chapter 4.

A movement turn takes these steps, from names to numbers and back:

1. `compiled_orders` turns the map, units and orders into numbers, and caches them.
   `fleet_chains` has the seas.
2. `legality` keeps the orders that the position allows (chapter 3).
3. `order_index` lists who moves where, who supports whom, who convoys whom.
4. `equations` are those of DATC 5.B, with the algorithm of 5.E: bounds, then
   cycles, then the backup rule. Nothing else decides an order.
5. `adjudication` turns the decisions into outcomes of orders, by name again.

Section numbers in comments are those of DATC, the Diplomacy Adjudicator Test Cases. The
judge knows no DAIDE. `tests/judge/oracle.py` is a second implementation of 5.B, with
which tests compare this one.
"""
