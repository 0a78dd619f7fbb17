"""Work in several processes gives what it gives in one."""

import os
import subprocess
import sys
from functools import partial

import pytest

from gridmark_plots import parallel
from gridmark_plots.errors import InputError

needs_cpus = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one CPU: one process")


def refuse(key):
    raise InputError("a file", key, OSError("no\nreason"))


@needs_cpus
def test_results_come_in_order_and_from_others():
    assert parallel.each([partial(pow, n, 2) for n in range(20)]) == [n * n for n in range(20)]
    assert os.getpid() not in parallel.each([os.getpid] * 3)


def test_one_call_needs_no_process():
    assert parallel.each([os.getpid]) == [os.getpid()]
    assert parallel.each([]) == []


@needs_cpus
def test_what_is_refused_elsewhere_is_told_in_the_same_words():
    with pytest.raises(InputError, match=r"^a file: first: no reason$"):
        parallel.each([int, partial(refuse, "first"), partial(refuse, "second")])


def test_what_is_forked_has_no_threads():
    """Else a child may wait for ever for a lock that another thread held."""
    script = (
        "import os, gridmark_plots.report, matplotlib.pyplot, numpy;"
        "numpy.ones((500, 500)) @ numpy.ones((500, 500)); print(len(os.listdir('/proc/self/task')))"
    )
    said = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert said == "1\n"
