"""Fixtures of unit tests of submissions."""

from tests.support.servers.installed import few_resamples, installed, place

__all__ = ["few_resamples", "installed", "place"]
