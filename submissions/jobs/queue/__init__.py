"""How submissions reach an evaluator."""

from submissions.jobs.queue.distributed import DistributedQueue, open_queue
from submissions.jobs.queue.interface import Queue
from submissions.jobs.queue.local import LocalQueue

__all__ = ["DistributedQueue", "LocalQueue", "Queue", "open_queue"]
