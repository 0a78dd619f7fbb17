"""Real faults on a real GPU, where there is one; tests/faults/on_gpu.py is for machines without pytest."""

import sys

import pytest
from conftest import ROOT
from faulty import FAULTS

sys.path.append(str(ROOT / "tests" / "faults"))

import on_gpu


@pytest.fixture
def runs(tmp_path):
    available, reason = on_gpu.has_a_gpu(str(FAULTS))
    if not available:
        pytest.skip(reason)
    return on_gpu.Runs(str(FAULTS), tmp_path)


@pytest.mark.parametrize("fault, reason, lost", on_gpu.CASES.values(), ids=on_gpu.CASES)
def test_a_fault_on_the_gpu_costs_its_row(runs, fault, reason, lost):
    on_gpu.costs_its_row(runs, fault, reason, lost)


def test_a_run_is_interrupted_in_an_endless_kernel(runs):
    on_gpu.is_interrupted_in_an_endless_kernel(runs)
