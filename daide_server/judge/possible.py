"""Every legal order of a position, per unit; what bots choose from."""
