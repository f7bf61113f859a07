"""Embedded boards for other sites: the ten best rows of a slice as a small page without scripts."""
