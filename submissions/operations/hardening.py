"""Process hardening: hide a process from others of its user, and end it with the process that started it."""

import ctypes
import os
import shutil
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_EXECUTE_ONLY = 0o100


def forbid_inspection() -> None:
    """Make this process unreadable to others of its user: no core dump, no /proc/PID/mem, no /proc/PID/environ.

    Every process that holds a secret calls this before it reads a setting, because all of them run as the same user.
    What the environment holds can be read until then. The kernel undoes it when a process starts another program, so
    each calls it. It has no effect outside Linux.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_with_parent(parent: int) -> None:
    """Let the kernel kill this process when its parent ends, however that happens; end now if it has ended already.

    The kernel watches the thread that started this process, so only a thread that lasts may start it. Outside Linux
    this only looks once.

    Args:
        parent: Process id of the parent. A new parent means that it ended before this call.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # the parent cannot be told, and neither can anybody else


def copy_unreadable(program: Path, copy: Path) -> None:
    """Copy a program to a file that can be run but not read.

    This hides processes of a program that does not call `forbid_inspection` itself: Linux lets no other process of a
    user inspect a process whose program file that user cannot read.
    """
    copy.unlink(missing_ok=True)
    shutil.copyfile(program, copy)
    copy.chmod(_EXECUTE_ONLY)
