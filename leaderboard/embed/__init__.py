"""Boards for other people's pages: the ten best rows of one slice as a small page without scripts."""
