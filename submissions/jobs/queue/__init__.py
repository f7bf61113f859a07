"""Submission queue, on one machine or on several."""

from submissions.jobs.queue.distributed import DistributedQueue, open_queue
from submissions.jobs.queue.local import SubmissionQueue

__all__ = ["DistributedQueue", "SubmissionQueue", "open_queue"]
