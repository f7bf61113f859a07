"""Process hardening: hide a process from others of the same user, and end it with its parent."""

import ctypes
import os
import shutil
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_EXECUTE_ONLY = 0o100


def forbid_inspection() -> None:
    """Make this process unreadable to others of the same user: no core dump, no /proc/PID/mem, no /proc/PID/environ.

    Every process with a secret calls this before it reads a setting, because all of them run as the same user. Until
    then its environment can be read. The kernel resets it when a process executes another program, so each calls it.
    It has no effect outside Linux.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


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


def copy_unreadable(program: Path, copy: Path) -> None:
    """Copy a program to a file that can be executed but not read.

    This hides processes of programs that do not call `forbid_inspection`: on Linux, other processes of a user cannot
    inspect a process whose program file that user cannot read.
    """
    copy.unlink(missing_ok=True)
    shutil.copyfile(program, copy)
    copy.chmod(_EXECUTE_ONLY)
