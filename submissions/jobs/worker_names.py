"""Names of evaluator processes, and whether the process behind a name is alive."""

import os
import socket
import uuid
from pathlib import Path

_ENDED, _RUNNING = "ended", "running"


def worker_name() -> str:
    """Return this process's name: `<machine>/<process namespace>/<process id>/<start time>`."""
    return f"{_machine()}/{os.getpid()}/{_start_time(os.getpid())}"


def is_known_dead(name: str) -> bool:
    """Tell whether the process behind a name has certainly ended. This is never known of another machine's."""
    machine, _, rest = name.rpartition("/")
    machine, _, pid = machine.rpartition("/")
    if machine != _machine() or not pid.isdecimal():
        return False
    found = _start_time(int(pid))
    # If one of the start times is unknown, only the process's end is conclusive.
    return found == _ENDED or (_RUNNING not in (found, rest) and found != rest)


def _machine() -> str:
    """Return an identifier that differs for every machine, every boot, and every container.

    Machines may share a host name, and process ids of one mean nothing on another.
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
    """Return when a process started, `ended`, or `running` if the start time is unreadable.

    Process ids are reused; together with the start time they are unique.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        # It has ended, there is no /proc (as on macOS), or /proc hides other users' processes (hidepid).
        return _probe(pid)
    # Field 3 of the file is the state (Z: ended, not yet reaped by its parent), field 22 the start time.
    return _ENDED if fields[0] == "Z" else fields[19]


def _probe(pid: int) -> str:
    """Without /proc, only the existence of a process with this id is known."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return _ENDED
    except PermissionError:
        pass
    return _RUNNING
