"""What happened: the journal's entries, the record they fold to, and formats."""
