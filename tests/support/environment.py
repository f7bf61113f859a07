"""Environment of test processes: one BLAS thread each, and bytecode cached between runs."""

import os
import sys

from threadpoolctl import threadpool_limits

# Two test processes with one BLAS thread per core block each other: simulating boards took seven times as long. The
# variable applies to processes started later. This process has already imported numpy, through a plugin.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
threadpool_limits(limits=1)
# Tests start hundreds of Earshot processes, each of which would compile every module again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# pytest rewrites the assertions of 250 test modules, which is half of the collection time; the next run reuses them.
sys.dont_write_bytecode = False
