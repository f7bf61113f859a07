"""Reference systems: our own listeners, submitted as every participant's model is."""
