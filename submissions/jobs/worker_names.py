"""Names of evaluator processes, and whether the process behind a name still lives."""

import os
import socket
import uuid
from datetime import timedelta
from pathlib import Path

# An evaluator says every five seconds that it lives; whoever was not seen for this long is not at work.
SEEN_WITHIN = timedelta(seconds=30)
_ENDED, _RUNNING = "ended", "running"


def worker_name() -> str:
    """Return this process's name: `<machine>/<process namespace>/<process id>/<start time>`."""
    return f"{_machine()}/{os.getpid()}/{_start_time(os.getpid())}"


def is_known_dead(name: str) -> bool:
    """Tell whether the process of a name has certainly ended. One on another machine is never known to have."""
    machine, _, rest = name.rpartition("/")
    machine, _, pid = machine.rpartition("/")
    if machine != _machine() or not pid.isdecimal():
        return False
    found = _start_time(int(pid))
    # Where one of the two start times is not known, only the end of the process tells anything.
    return found == _ENDED or (_RUNNING not in (found, rest) and found != rest)


def _machine() -> str:
    """Return what is different for every machine, every start of one, and every container on one.

    A name alone may be that of several machines, and their process ids say nothing of each other.
    """
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.readlink().name if namespace.is_symlink() else "-"
    return f"{socket.gethostname()}/{_boot()}-{inside}"


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    except OSError:
        return f"{uuid.getnode():012x}"


def _start_time(pid: int) -> str:
    """Return when a process started, `ended`, or `running` where the start cannot be read.

    A process id is used again; together with the start it is not.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        # It has ended, there is no /proc (as on a Mac), or /proc hides the processes of other users (hidepid).
        return _probe(pid)
    # Field 3 of the file is the state (Z: ended, not yet fetched by its parent), field 22 the start time.
    return _ENDED if fields[0] == "Z" else fields[19]


def _probe(pid: int) -> str:
    """Without /proc, all that can be known is whether some process has this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return _ENDED
    except PermissionError:
        pass
    return _RUNNING
