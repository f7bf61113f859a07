"""Error of a model run."""


class ModelRunError(Exception):
    """A run cannot start or continue. The message says what is wrong, where, and what to do."""
