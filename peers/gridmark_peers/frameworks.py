"""Which frameworks there are, and where to get those that are not here."""

from __future__ import annotations

import importlib
import os

#: By the word in a peer's name: how it is installed where it is missing.
FRAMEWORKS = {
    "numpy": "pip install numpy",
    "jax": 'pip install "jax[cuda13]" (without a GPU: jax)',
    "torch": "pip install torch",
    "cupy": "pip install cupy-cuda13x",
    "devito": "pip install devito",
}


class Unavailable(Exception):
    """Why a peer cannot run here."""


def use_device(device: int):
    """Shows the process one GPU alone, or none (-1). Before any framework is imported."""
    if device < 0:
        os.environ.update(CUDA_VISIBLE_DEVICES="", JAX_PLATFORMS="cpu")
        return
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    os.environ["CUDA_VISIBLE_DEVICES"] = visible.split(",")[device] if visible else str(device)


def module_of(framework: str):
    """The module of a framework's peers. Throws Unavailable where the framework is not installed."""
    try:
        return importlib.import_module(f"gridmark_peers.{framework}_peers")
    except ImportError as error:
        raise Unavailable(f"{error}; {FRAMEWORKS[framework]}") from error


def tell():
    """A line on which are here and which are not."""
    here, missing = [], []
    for framework in FRAMEWORKS:
        try:
            here.append(module_of(framework).version())
        except Unavailable as why:
            missing.append(str(why))
    print("peers:", ", ".join(here) or "none", *(f"| missing: {why}" for why in missing))
