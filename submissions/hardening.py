"""Process hardening: keep other processes of the same user out of this one's memory and environment."""

import ctypes
import sys

_PR_SET_DUMPABLE = 4


def forbid_inspection() -> None:
    """Make this process unreadable to others of its user: no core dump, no /proc/PID/mem, no /proc/PID/environ.

    The launcher and evaluators call this before they read a setting: they know answer keys, and the web process runs as
    the same user. What the environment holds can be read until then. The kernel undoes it when a process starts another
    program, so each calls it. It has no effect outside Linux.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
