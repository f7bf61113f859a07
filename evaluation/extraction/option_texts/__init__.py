"""The texts of options, and the other words that are declared for them."""
