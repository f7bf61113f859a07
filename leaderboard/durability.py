"""Durability of acknowledged changes: whether they survive a restart, and the lag of the database replica."""

from typing import NamedTuple

from leaderboard.services import Services

MAX_LAG_SECONDS = 10.0


class Durability(NamedTuple):
    """Current durability of data.

    Attributes:
        is_durable: Whether acknowledged changes survive a restart, and new ones will within seconds.
        lag_seconds: Lag of the replica; None without a replica, or if nothing has been confirmed yet.
    """

    is_durable: bool
    lag_seconds: float | None


def check_durability(services: Services) -> Durability:
    """Return whether data survives a restart; queries litestream for at most two seconds."""
    settings = services.settings
    if settings.replica_url is None:
        return Durability(settings.is_durable, None)
    lag = services.database.measure_lag()
    return Durability(settings.is_durable and lag is not None and lag < MAX_LAG_SECONDS, lag)
