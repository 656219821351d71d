"""What commands share: options and inputs, printing, progress, failures, workers."""
