"""Leak check for tests: sockets, pipes, event loops, files in their own folder, child processes, threads.

A socket, pipe or event loop that is still referenced may belong to a server or pool that outlives the test and opened
it late. An unreferenced one is certainly leaked: collecting it raises a ResourceWarning.
"""

import contextlib
import gc
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import uvloop

# The first loop of a process opens a pair of pipes for signals, which libuv keeps open.
uvloop.new_event_loop().close()
# Another thread closes the other end of a connection a moment later.
QUICK_SECONDS = 0.1
GRACE_SECONDS = 20.0
_MAX_LIST_BYTES = 65_536
# Process that forks file checks; the first check of a server that outlives the test starts it.
POOL_PROCESS = "submissions.intake.file_checks.check_server"
# Worker threads of a server that outlives the test; its first blocking request starts them.
POOL_THREADS = ("asyncio_", "AnyIO worker", "ThreadPoolExecutor", "waitpid-")


@dataclass(frozen=True)
class Resources:
    """Resources of this process: file descriptors by number, ids of child processes, threads by identifier."""

    descriptors: Mapping[int, str]
    children: frozenset[int]
    threads: Mapping[int, str]

    def list_new(self, before: "Resources", folder: Path | None, *, is_certain: bool) -> list[str]:
        """Describe resources opened since `before`; if `is_certain`, only those that no wider fixture can have opened.

        Regular files count only in the test's own folder.
        """
        found = [
            f"descriptor {number}: {target}"
            for number, target in self.descriptors.items()
            if before.descriptors.get(number) != target and _counts(target, folder, is_certain=is_certain)
        ]
        found += _describe_children(self.children - before.children)
        return found + [f"thread {name}" for ident, name in self.threads.items() if ident not in before.threads]


def _counts(target: str, folder: Path | None, *, is_certain: bool) -> bool:
    if target.startswith("/"):
        return folder is not None and target.startswith(f"{folder}/")
    return not is_certain and target.startswith(("socket:", "pipe:", "anon_inode:[event"))


def read_resources() -> Resources:
    return Resources(_read_descriptors(), _list_children(), _read_threads())


def _read_descriptors() -> dict[int, str]:
    found = {}
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - the fastest way, run for every test
        with contextlib.suppress(OSError):
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")  # noqa: PTH115 - the target need not exist
    return found


def _list_children() -> frozenset[int]:
    """Return child processes from /proc: psutil reads the whole process table, which takes 4 ms twice per test."""
    found: set[int] = set()
    for thread in os.listdir("/proc/self/task"):  # noqa: PTH208 - as above
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            file = os.open(f"/proc/self/task/{thread}/children", os.O_RDONLY)
            try:
                found.update(map(int, os.read(file, _MAX_LIST_BYTES).split()))
            finally:
                os.close(file)
    return frozenset(found)


def _describe_children(pids: Iterable[int]) -> Iterator[str]:
    """Describe the processes that run and belong to no pool."""
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            child = psutil.Process(pid)
            command = " ".join(child.cmdline())[:200]
            if child.status() != psutil.STATUS_ZOMBIE and POOL_PROCESS not in command:
                yield f"child process {pid}: {command}"


def _read_threads() -> dict[int, str]:
    return {
        thread.ident: thread.name
        for thread in threading.enumerate()
        if thread.ident is not None and not thread.daemon and not thread.name.startswith(POOL_THREADS)
    }


def find_leaks(before: Resources, folder: Path | None) -> list[str]:
    """Return the resources that a test left open, after waiting briefly for other threads to close theirs.

    If waiting is not enough, garbage is collected: an unreferenced socket raises a warning when it is collected, and
    the warning then fails the test that opened it rather than a later one.
    """
    if _wait_for_closing(before, folder, QUICK_SECONDS, is_certain=False):
        gc.collect()
        return _wait_for_closing(before, folder, GRACE_SECONDS, is_certain=True)
    return []


def _wait_for_closing(before: Resources, folder: Path | None, seconds: float, *, is_certain: bool) -> list[str]:
    deadline = time.monotonic() + seconds
    while (leaks := read_resources().list_new(before, folder, is_certain=is_certain)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return leaks
