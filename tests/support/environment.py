"""One thread of linear algebra for each process of the tests, and compiled modules for this run and the next."""

import os
import sys

from threadpoolctl import threadpool_limits

# Two test processes with a BLAS thread for every core wait for one another: simulating boards took seven times as long.
# The variable holds for processes that are started later. This process has imported numpy already, through a plugin.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
threadpool_limits(limits=1)
# Tests start hundreds of our processes, each of which would compile every module again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# pytest rewrites assertions of 250 test modules, half of what collection takes: the next run finds them compiled.
sys.dont_write_bytecode = False
