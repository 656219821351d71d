"""Which games exist, and which of them a client means."""
