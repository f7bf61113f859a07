"""Reference systems: our own listeners, submitted like every participant's model."""
