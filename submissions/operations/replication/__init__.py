"""Replication of a SQLite database: lease, restore, litestream, and confirmation that a change is in the replica."""
