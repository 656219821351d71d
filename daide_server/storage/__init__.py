"""Files: variants that are read, records of finished games that are written."""
