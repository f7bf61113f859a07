"""What a text says of options that it names."""
