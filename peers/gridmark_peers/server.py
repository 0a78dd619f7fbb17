"""The program's side of the talk with `gridmark run --peers` (harness/peers/peer_program.hpp)."""

from __future__ import annotations

import importlib
import json
import math
import mmap
import os
import sys
import time

import numpy as np

from gridmark_peers import frameworks
from gridmark_peers.problem import Problem

ANSWERS = 3  # the file descriptor; standard output belongs to whatever the frameworks say


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
        self.loop = frameworks.loop_of(framework)
        if request["device"] >= 0 and not self.loop.has_gpu():
            raise frameworks.Unavailable(f"{self.loop.version()} sees no GPU")
        arrays = arrays_of(request)
        self._answer = arrays.pop("answer")
        module = importlib.import_module(f"gridmark_peers.{study}_{framework}")
        self.peer = module.Peer(Problem(request["numbers"], arrays))
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
                yield {"program": served.loop.version()}
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
