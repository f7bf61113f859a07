"""Fixtures of tests that run the evaluator in their own process."""

from tests.support.servers.installed import few_resamples, installed, place
from tests.support.servers.quick_databases import database

__all__ = ["database", "few_resamples", "installed", "place"]
