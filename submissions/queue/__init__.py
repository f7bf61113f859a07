"""How submissions reach an evaluator."""

from submissions.queue.distributed import DistributedQueue, open_queue
from submissions.queue.local import LocalQueue
from submissions.queue.protocol import Queue

__all__ = ["DistributedQueue", "LocalQueue", "Queue", "open_queue"]
