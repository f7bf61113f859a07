"""Submission queue, on one machine or on several."""

from submissions.jobs.queue.distributed import DistributedQueue, open_queue
from submissions.jobs.queue.local import LocalQueue

__all__ = ["DistributedQueue", "LocalQueue", "open_queue"]
