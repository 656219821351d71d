"""How the table of designs is found: Galois fields, and search."""
