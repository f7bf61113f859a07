"""Model run that is killed at a checkpoint: `python -m tests.support.endpoints.killed_run LABEL N CACHE ARGUMENTS…`.

The N-th passing of the label is SIGKILL; without a label, the run goes on to its end.
"""

import os
import signal
import sys
from pathlib import Path

from submissions.model_runs.__main__ import main
from tests.support.endpoints.model_runs import RUN_MEANS

if __name__ == "__main__":
    label, n_passes, cache, *arguments = sys.argv[1:]
    left = int(n_passes)

    def kill_at(passed: str) -> None:
        global left
        left -= passed == label
        if passed == label and left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.exit(main(arguments, means=RUN_MEANS, checkpoint=kill_at, cache=Path(cache)))
