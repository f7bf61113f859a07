"""Fixtures of database tests: commits without fsync."""

from tests.support.servers.quick_databases import commits_do_not_wait_for_the_disk, empty

__all__ = ["commits_do_not_wait_for_the_disk", "empty"]
