"""Process hardening: hide a process from others of its user, limit it, and end it with its parent or on a signal."""

import ctypes
import os
import resource
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_EXECUTE_ONLY = 0o100
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
# Half the share of the web process where both want the same core. With less, other programs of a busy machine would
# starve an evaluator until it seems to hang.
_NICENESS = 3


def forbid_inspection() -> None:
    """Make this process unreadable to others of the same user: no core dump, no /proc/PID/mem, no /proc/PID/environ.

    Every process with a secret calls this before it reads a setting, because all of them run as the same user. Until
    then its environment can be read. The kernel resets it when a process executes another program, so each calls it.
    It has no effect outside Linux.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def limit_process(memory_bytes: int) -> None:
    """Limit the memory of this process, and put it and those that it starts behind the web process.

    Work that needs more memory gets a MemoryError, and only that work fails. Without a limit the kernel would end any
    process of the container.

    Args:
        memory_bytes: Maximum address space. A lower limit that is already set stays.
    """
    os.nice(_NICENESS)
    if sys.platform != "linux":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def end_with_parent(parent: int) -> None:
    """Let the kernel kill this process when its parent ends in any way; end now if it has ended already.

    The kernel watches the thread that started this process, so that thread must last. Outside Linux this only checks
    once.

    Args:
        parent: Process id of the parent. Another parent means that it ended before this call.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # nobody can know the parent


@contextmanager
def set_on_stop_signals(stop: threading.Event) -> Iterator[None]:
    """Set an event when this process gets SIGTERM or SIGINT, however often. Only the main thread may use this.

    A handler must not set the event itself. It runs in the main thread between any two instructions, also while that
    thread holds the lock of the event: in `wait`, or in `set` when a second signal follows at once, as `timeout` and
    some terminals send them. The process would wait for itself forever. `SimpleQueue.put` may be interrupted by itself.

    The handlers stay afterwards, because the process then ends: a late signal must not replace its exit code.
    """
    received: SimpleQueue[int] = SimpleQueue()

    def set_event() -> None:
        received.get()
        stop.set()

    thread = threading.Thread(target=set_event, name="stop-signals", daemon=True)
    thread.start()
    for number in _STOP_SIGNALS:
        signal.signal(number, lambda number, _: received.put(number))
    try:
        yield
    finally:
        received.put(0)
        thread.join()


def copy_unreadable(program: Path, copy: Path) -> None:
    """Copy a program to a file that can be executed but not read.

    This hides processes of programs that do not call `forbid_inspection`: on Linux, other processes of a user cannot
    inspect a process whose program file that user cannot read.
    """
    copy.unlink(missing_ok=True)
    shutil.copyfile(program, copy)
    copy.chmod(_EXECUTE_ONLY)
