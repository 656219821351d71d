"""What follows: (variant, position, orders) to a resolution.

Pure, and knows the rulebook but no DAIDE. DATC is the Diplomacy Adjudicator Test
Cases; section numbers in comments are its.
"""
