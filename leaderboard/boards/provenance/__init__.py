"""Where a row comes from: its date and its paper."""
