"""Fixtures of tests that run the evaluator in their own process."""

from tests.support.servers.installed import few_resamples, installed, place
from tests.support.servers.quick_databases import commits_do_not_wait_for_the_disk, database, empty

__all__ = ["commits_do_not_wait_for_the_disk", "database", "empty", "few_resamples", "installed", "place"]
