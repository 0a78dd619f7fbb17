"""NUMA nodes and binding, from hwloc to the result file."""

import json
import os
import subprocess

import pytest
from conftest import TOYS, complaint


def sets(cpus, nodes):
    names = ("cpuset", "complete_cpuset"), ("nodeset", "complete_nodeset")
    return " ".join(
        f'{name}="0x{value:08x}"' for pair, value in zip(names, (cpus, nodes), strict=True) for name in pair
    )


def package(n):
    """One CPU, number n, with a NUMA node of its own."""
    own = sets(1 << n, 1 << n)
    return (
        f'<object type="Package" os_index="{n}" gp_index="{10 + n}" {own}>'
        f'<object type="NUMANode" os_index="{n}" gp_index="{20 + n}" {own} local_memory="1024"/>'
        f'<object type="PU" os_index="{n}" gp_index="{30 + n}" {own}/></object>'
    )


TWO_NODES = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" gp_index="1" {sets(3, 3)}>{package(0)}{package(1)}</object>
</topology>"""


def run(folder, cpu):
    """The context of a run that is bound to one CPU of the machine above, and its file."""
    file = folder / "machine.xml"
    file.write_text(TWO_NODES)
    done = subprocess.run(
        [TOYS, "run", "toy_diffusion", "--filter", "cpu_.*/1000000/float", "--out", folder / "out"],
        env=os.environ | {"HWLOC_XMLFILE": str(file)},
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    path = next((folder / "out").glob("*.json"))
    context = json.loads(path.read_text())["context"]
    if context["reasons"].get("topology.packages") == "built without hwloc":
        pytest.skip("built without hwloc")
    return context, path


def test_a_result_file_says_which_nodes_the_run_was_bound_to(tmp_path, program):
    cpu = max(os.sched_getaffinity(0) & {0, 1})
    context, path = run(tmp_path, cpu)
    topology = context["topology"]
    assert (topology["packages"], topology["numa_nodes"]) == (2, {"0": "0", "1": "1"})
    assert topology["bound_numa_nodes"] == context["cpu"]["affinity"] == str(cpu)
    assert topology["gpu_numa_nodes"] is None or context["gpu"]
    if context["gpu"] is None:
        assert context["reasons"]["topology.gpu_numa_nodes"] == "there is no GPU"
    document = json.loads(path.read_text())
    document["context"]["topology"]["bound_numa_nodes"] = "the first"
    path.write_text(json.dumps(document))
    assert "topology.bound_numa_nodes" in complaint(program("claims", "--machine", path.parent))
    del document["context"]["topology"]  # as files from before have none
    path.write_text(json.dumps(document))
    assert program("claims", "--machine", path.parent).returncode == 0
