"""Durability of acknowledged changes: whether they survive a restart, and the lag of the database replica."""

from typing import NamedTuple

from leaderboard.services import Services

MAX_LAG_SECONDS = 10.0


class Durability(NamedTuple):
    """What is known of the safety of data now.

    Attributes:
        is_durable: Whether what was acknowledged survives a restart, and what is written now will within seconds.
        lag_seconds: How far the replica is behind; None without a replica, and when nothing was confirmed yet.
    """

    is_durable: bool
    lag_seconds: float | None


def check_durability(services: Services) -> Durability:
    """Return whether data survives a restart; asks litestream, at most for two seconds."""
    settings = services.settings
    if settings.replica_url is None:
        return Durability(settings.is_durable, None)
    lag = services.database.measure_lag()
    return Durability(settings.is_durable and lag is not None and lag < MAX_LAG_SECONDS, lag)
