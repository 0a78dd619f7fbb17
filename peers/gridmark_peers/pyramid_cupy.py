from __future__ import annotations

import cupy




class Peer:
    def __init__(self, problem):
        from cupyx import cusparse

        self._gtsv2 = cusparse.gtsv2
        s = problem.number("s")
        self._first = problem.start
        self._x = cupy.empty_like(cupy.asarray(problem.start))
        self._off = cupy.full_like(self._x, -s)
        self._lower, self._upper = self._off.copy(), self._off.copy()
        self._lower[0] = 0
        self._upper[-1] = 0
        self._main = cupy.full_like(self._x, 1 + 2 * s)

    def start(self):
        self._x.set(self._first)

    def run(self, count):
        for _ in range(count):
            self._x = self._gtsv2(self._lower, self._main, self._upper, self._x, pivoting=False)
        cupy.cuda.Device().synchronize()

    def answer(self):
        return self._x.get()
