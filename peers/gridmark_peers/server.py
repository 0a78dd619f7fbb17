"""The program's side of the talk with `gridmark run --peers` (harness/peers/peer_program.hpp)."""

from __future__ import annotations

import json
import math
import mmap
import os
import sys
import time
from dataclasses import dataclass

import numpy as np

from gridmark_peers import frameworks

ANSWERS = 3  # the file descriptor; standard output belongs to whatever the frameworks say


@dataclass
class Problem:
    """Numbers and arrays of one problem; `start` is the state at first, and a peer's answer has its form."""

    numbers: dict[str, float]
    arrays: dict[str, np.ndarray]

    @property
    def start(self) -> np.ndarray:
        return self.arrays["start"]

    @property
    def dtype(self) -> np.dtype:
        return self.start.dtype

    def number(self, name: str) -> float:
        """A number, rounded to the fields' type: what the studies' own kernels multiply with."""
        return float(self.dtype.type(self.numbers[name]))


def arrays_of(request) -> dict[str, np.ndarray]:
    """Views of the file that both programs have mapped."""
    memory = mmap.mmap(request["file"], 0)
    return {
        a["name"]: np.frombuffer(memory, a["type"], math.prod(a["shape"]), a["offset"]).reshape(a["shape"])
        for a in request["arrays"]
    }


class Served:
    """A peer, and what is asked of it."""

    def __init__(self, study: str, framework: str, request):
        frameworks.use_device(request["device"])
        module = frameworks.module_of(framework)
        self.program = module.version()
        if request["device"] >= 0 and not module.has_gpu():
            raise frameworks.Unavailable(f"{self.program} sees no GPU")
        if study not in module.PEERS:
            raise LookupError(f"{study} has no peer in {module.__name__}")
        arrays = arrays_of(request)
        self._answer = arrays.pop("answer")
        self.peer = module.PEERS[study](Problem(request["numbers"], arrays))
        self._seen: set[int] = set()

    def answer(self, steps: int):
        """The state so many steps after the start."""
        self.peer.start()
        self.peer.run(steps)
        self._answer[...] = self.peer.answer()
        return {}

    def time(self, steps: int):
        """Seconds of so many steps from wherever it stands; what must be compiled for them is, before."""
        if steps not in self._seen:
            self.peer.run(steps)
            self._seen.add(steps)
        start = time.perf_counter()
        self.peer.run(steps)
        return {"seconds": time.perf_counter() - start}


def replies(study: str, framework: str, requests):
    """An answer for every line of `requests`."""
    served = None
    for line in requests:
        request = json.loads(line)
        try:
            if request["do"] == "set up":
                served = Served(study, framework, request)
                yield {"program": served.program}
            else:
                yield getattr(served, request["do"])(request["steps"])
        except frameworks.Unavailable as why:
            yield {"unavailable": str(why)}
        except Exception as error:  # whatever a framework throws
            yield {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def serve(study: str, framework: str):
    """Answers until nobody asks any more."""
    with os.fdopen(ANSWERS, "w") as answers:
        for reply in replies(study, framework, sys.stdin):
            print(json.dumps(reply), file=answers, flush=True)
