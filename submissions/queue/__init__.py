"""How submissions reach an evaluator."""

from submissions.queue.local import LocalQueue
from submissions.queue.protocol import Queue

__all__ = ["LocalQueue", "Queue"]
