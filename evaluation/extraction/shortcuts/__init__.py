"""Ways to the same reading with less work: forms, sentences left out, options renamed."""
