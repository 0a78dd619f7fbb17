"""Work in several processes: what draws a figure or checks a file takes seconds, and waits for no other."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

_calls = []


def _result(index):
    return _calls[index]()


def each(calls):
    """What every call gives, in their order. An exception is the first one's in that order."""
    workers = min(len(calls), len(os.sched_getaffinity(0)))
    if workers < 2:
        return [call() for call in calls]
    _calls[:] = calls
    # Forked, each process has what the calls hold, and what has been imported.
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        return list(pool.map(_result, range(len(calls))))
