"""Modules with adapters that a test writes: the next test must read its own module of the same name."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

ADAPTER_MODULES = ("my_adapter", "my_model")


@contextmanager
def forget_adapter_modules() -> Iterator[None]:
    """Forget what was imported by these names, before and after."""
    _forget()
    try:
        yield
    finally:
        _forget()


def _forget() -> None:
    for name in ADAPTER_MODULES:
        sys.modules.pop(name, None)
