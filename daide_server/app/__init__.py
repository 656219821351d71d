"""The composition root: everything is built here, once, and run.

Chance and the wall clock enter here and nowhere below: `making` draws the seats,
`server` stamps the records, `process` handles the signals. `settings` says what all
of them are built from, and is read without importing them.
"""
